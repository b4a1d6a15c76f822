//! The token endpoint's voice: tokens, or why there are none.

use crate::app::App;
use crate::http::forms::FormFault;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Wait;
use crate::voices::api::{JSON, NO_STORE, trouble};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use rules::answers::{Refusal, answer};
use rules::oauth_errors::TokenRefusal;
use serde::Serialize;
use serde_json::json;

/// What the token endpoint says instead of handing out tokens.
#[derive(Debug)]
pub(super) enum No {
    Refused(TokenRefusal),
    /// Too many failed authentications.
    Wait(Wait),
    TooLarge,
    Trouble(Refusal),
}

impl From<TokenRefusal> for No {
    fn from(refusal: TokenRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<store::Error> for No {
    fn from(error: store::Error) -> Self {
        Self::Trouble(trouble(&error))
    }
}

impl From<FormFault> for No {
    fn from(fault: FormFault) -> Self {
        match fault {
            FormFault::NotAForm | FormFault::Broken => Self::Refused(TokenRefusal::NotAForm),
            FormFault::TooLarge => Self::TooLarge,
            FormFault::Unreadable(fault) => Self::Refused(TokenRefusal::Unreadable(fault)),
        }
    }
}

/// Tokens to hand out.
pub(super) struct Issued {
    pub(super) access_token: Secret,
    pub(super) expires_in: i64,
    pub(super) refresh_token: Option<Secret>,
    pub(super) scope: String,
}

/// About as long as an answer with two tokens is.
const ISSUED_BYTES: usize = 320;

/// The answer that hands out tokens.
#[derive(Serialize)]
struct IssuedBody<'a> {
    access_token: &'a str,
    token_type: &'static str,
    expires_in: i64,
    /// Left out, never null, when no refresh token is issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<&'a str>,
    scope: &'a str,
}

pub(super) fn issued_body(issued: &Issued) -> serde_json::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(ISSUED_BYTES);
    let content = IssuedBody {
        access_token: issued.access_token.reveal(),
        token_type: "Bearer",
        expires_in: issued.expires_in,
        refresh_token: issued.refresh_token.as_ref().map(Secret::reveal),
        scope: &issued.scope,
    };
    serde_json::to_writer(&mut body, &content).map(|()| body)
}

pub(super) fn refuse(app: &App, grant_type: &'static str, no: No, basic: bool) -> Response {
    let (status, error, description, wait) = match no {
        No::Refused(refusal) => {
            let error = refusal.error().word();
            let status =
                if basic && error == "invalid_client" { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
            (status, error, refusal.description().into_owned(), None)
        }
        No::TooLarge => {
            let most = rules::limits::FORM_BODY_BYTES;
            (
                StatusCode::PAYLOAD_TOO_LARGE,
                "invalid_request",
                format!("the body may be at most {most} bytes long"),
                None,
            )
        }
        No::Wait(Wait(seconds)) => {
            app.metrics.throttled.inc();
            let why = format!("too many failed authentications; try again in {seconds} seconds");
            (StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", why, Some(seconds))
        }
        No::Trouble(refusal) => {
            let said = answer(&refusal).message.into_owned();
            match refusal {
                Refusal::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", said, Some(1)),
                _ => (StatusCode::INTERNAL_SERVER_ERROR, "server_error", said, None),
            }
        }
    };
    app.metrics.token_request(grant_type, error);
    let mut response = respond(status, json!({ "error": error, "error_description": description }).to_string());
    let headers = response.headers_mut();
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(r#"Basic realm="recordgate""#));
    }
    if let Some(seconds) = wait {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Every answer of the token endpoint has the contract's three headers.
pub(super) fn respond(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let pragma = (header::PRAGMA, HeaderValue::from_static("no-cache"));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE, pragma]);
    response
}
