//! Answers of the token endpoint: every one of them has the contract's three headers.

use super::reply::Reply;
use serde_json::Value;

/// An answer of the token endpoint.
#[derive(Debug)]
pub struct TokenReply(pub Reply);

/// Tokens that were handed out.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens {
    pub access: String,
    pub refresh: Option<String>,
    pub expires_in: i64,
    pub scope: String,
    pub body: Value,
}

impl TokenReply {
    pub fn of(reply: Reply) -> Self {
        assert_eq!(reply.header("content-type"), Some("application/json;charset=UTF-8"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("pragma"), Some("no-cache"));
        Self(reply)
    }

    pub fn granted(&self) -> Tokens {
        self.granted_as("Bearer")
    }

    /// Tokens that are called so.
    pub fn granted_as(&self, token_type: &str) -> Tokens {
        assert_eq!(self.0.status, 200, "{}", self.0.text());
        let body = self.0.json();
        let text = |name: &str| body.get(name).map(|value| value.as_str().expect("a string").to_owned());
        assert_eq!(text("token_type").as_deref(), Some(token_type));
        Tokens {
            access: text("access_token").expect("an access token"),
            refresh: text("refresh_token"),
            expires_in: body.get("expires_in").and_then(Value::as_i64).expect("expires_in in whole seconds"),
            scope: text("scope").expect("a scope"),
            body,
        }
    }

    /// Refused with this error: 400, or whatever `refused_as` says.
    pub fn refused(&self, error: &str) {
        self.refused_as(400, error);
    }

    pub fn refused_as(&self, status: u16, error: &str) {
        assert_eq!(self.0.status, status, "{}", self.0.text());
        let body = self.0.json();
        assert_eq!(body["error"], error, "{body}");
        for (member, value) in body.as_object().unwrap() {
            assert!(["error", "error_description"].contains(&member.as_str()), "{member} in {body}");
            assert!(value.is_string(), "{body}");
        }
    }
}

impl Tokens {
    pub fn refresh(&self) -> &str {
        self.refresh.as_deref().expect("a refresh token")
    }
}
