//! The token endpoint's voice: tokens, or why there are none.

use super::api::{JSON, NO_STORE, refusal};
use super::stop::{Situation, Stop};
use crate::app::trouble::Trouble;
use crate::http::forms::FormFault;
use crate::secrets::dice::NoRandomness;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Wait;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use rules::answers::{Refusal, answer};
use rules::oauth_errors::{TokenError, TokenRefusal};
use serde_json::json;

/// Why the token endpoint hands out no tokens.
#[derive(Debug)]
pub enum NoTokens {
    Refusal(TokenRefusal),
    /// Too many failed authentications.
    Wait(Wait),
    TooLarge,
    /// The endpoint was not called as it can be.
    WrongCall(Refusal),
    Trouble(Trouble),
}

impl From<TokenRefusal> for NoTokens {
    fn from(refusal: TokenRefusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<Trouble> for NoTokens {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<store::Error> for NoTokens {
    fn from(error: store::Error) -> Self {
        Self::Trouble(error.into())
    }
}

impl From<NoRandomness> for NoTokens {
    fn from(error: NoRandomness) -> Self {
        Self::Trouble(error.into())
    }
}

impl From<FormFault> for NoTokens {
    fn from(fault: FormFault) -> Self {
        match fault {
            FormFault::NotAForm | FormFault::Broken => Self::Refusal(TokenRefusal::NotAForm),
            FormFault::TooLarge => Self::TooLarge,
            FormFault::Unreadable(fault) => Self::Refusal(TokenRefusal::Unreadable(fault)),
        }
    }
}

/// Tokens to hand out.
#[derive(Debug)]
pub struct TokenSet {
    pub access_token: Secret,
    /// Whether it is bound to a key.
    pub is_bound: bool,
    pub expires_in: i64,
    pub refresh_token: Option<Secret>,
    pub scope: String,
    /// The FHIR id of the patient whom they are about, for clients that know SMART's answers.
    pub patient: Option<String>,
    /// What else is said to a client that asked in SMART's words.
    pub smart: Option<Box<SmartMembers>>,
}

/// What SMART and OpenID Connect add to an answer with tokens.
#[derive(Debug)]
pub struct SmartMembers {
    /// Whether the app has to show whom it is about; nothing where it is about no patient.
    pub need_patient_banner: Option<bool>,
    pub id_token: Option<Secret>,
}

/// What an access token is called: by the scheme with which it is sent.
#[must_use]
pub const fn token_type(is_bound: bool) -> &'static str {
    if is_bound { "DPoP" } else { "Bearer" }
}

/// About as long as an answer with two tokens is.
const ISSUED_BYTES: usize = 320;

/// The answer that hands out tokens. Written member by member, because it is the busiest body that there is, and nothing in
/// it needs an escape but perhaps a scope as its client spelt it.
pub fn token_body(issued: &TokenSet) -> serde_json::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(ISSUED_BYTES);
    body.extend(b"{\"access_token\":");
    push_text(&mut body, issued.access_token.reveal())?;
    body.extend(b",\"token_type\":\"");
    body.extend(token_type(issued.is_bound).as_bytes());
    body.extend(b"\",\"expires_in\":");
    serde_json::to_writer(&mut body, &issued.expires_in)?;
    // Left out, never null, when no refresh token is issued.
    if let Some(refresh_token) = &issued.refresh_token {
        body.extend(b",\"refresh_token\":");
        push_text(&mut body, refresh_token.reveal())?;
    }
    body.extend(b",\"scope\":");
    push_text(&mut body, &issued.scope)?;
    if let Some(patient) = &issued.patient {
        body.extend(b",\"patient\":");
        push_text(&mut body, patient)?;
    }
    if let Some(smart) = &issued.smart {
        if let Some(needed) = smart.need_patient_banner {
            body.extend(b",\"need_patient_banner\":");
            body.extend(needed.to_string().as_bytes());
        }
        if let Some(id_token) = &smart.id_token {
            body.extend(b",\"id_token\":");
            push_text(&mut body, id_token.reveal())?;
        }
    }
    body.push(b'}');
    Ok(body)
}

/// Writes a JSON string; as it is where it has nothing to escape, which is found out for all of it at once.
fn push_text(body: &mut Vec<u8>, text: &str) -> serde_json::Result<()> {
    let is_escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    if text.bytes().fold(false, |found, byte| found | is_escaped(byte)) {
        return serde_json::to_writer(body, text);
    }
    body.push(b'"');
    body.extend(text.as_bytes());
    body.push(b'"');
    Ok(())
}

/// A token request that gets no tokens.
#[derive(Debug)]
pub struct TokenStop {
    pub why: NoTokens,
    /// As the metrics count it.
    pub grant_type: &'static str,
    /// Whether HTTP Basic was tried: then a failure is 401, as its scheme asks.
    pub basic: bool,
}

impl Stop for TokenStop {
    fn say(self: Box<Self>, at: &Situation<'_>) -> Response {
        let Self { why, grant_type, basic } = *self;
        let (status, error, description, wait) = match why {
            NoTokens::Refusal(refusal) => {
                let error = refusal.error().word();
                (status(&refusal, basic), error, refusal.description().into_owned(), None)
            }
            NoTokens::TooLarge => {
                let why = format!("the body may be at most {} bytes long", rules::limits::FORM_BODY_BYTES);
                (StatusCode::PAYLOAD_TOO_LARGE, "invalid_request", why, None)
            }
            NoTokens::WrongCall(refusal) => {
                let answer = answer(&refusal);
                let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_REQUEST);
                (status, "invalid_request", answer.message.into_owned(), None)
            }
            NoTokens::Wait(Wait(seconds)) => {
                at.app.metrics.throttled.inc();
                let why = format!("too many failed authentications; try again in {seconds} seconds");
                (StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", why, Some(seconds))
            }
            NoTokens::Trouble(trouble) => {
                let report = trouble.report(at.method, at.path);
                let refusal = refusal(&report);
                let words = report.sentence(&answer(&refusal).message);
                match refusal {
                    Refusal::Unavailable => {
                        (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", words, Some(1))
                    }
                    _ => (StatusCode::INTERNAL_SERVER_ERROR, "server_error", words, None),
                }
            }
        };
        at.app.metrics.token_request(grant_type, error);
        let mut response = respond(status, json!({ "error": error, "error_description": description }).to_string());
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            let challenge = match error == TokenError::InvalidToken.word() {
                true => r#"Bearer realm="recordgate", error="invalid_token""#,
                false => r#"Basic realm="recordgate""#,
            };
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(seconds) = wait {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// The status of a refusal: 401 where the client tried HTTP Basic in vain, as its scheme asks, and for a token that is not good.
#[must_use]
pub fn status(refusal: &TokenRefusal, basic: bool) -> StatusCode {
    match refusal {
        TokenRefusal::MayNotIntrospect => StatusCode::FORBIDDEN,
        _ if refusal.error() == TokenError::InvalidToken => StatusCode::UNAUTHORIZED,
        _ if basic && refusal.error() == TokenError::InvalidClient => StatusCode::UNAUTHORIZED,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// Every answer of the token endpoint has the contract's three headers.
pub fn respond(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let pragma = (header::PRAGMA, HeaderValue::from_static("no-cache"));
    // With room for those that every answer gets besides: a full map is made anew.
    *response.headers_mut() = HeaderMap::with_capacity(6);
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE, pragma]);
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    proptest! {
        /// Whatever a client spelt its scope like, the answer is JSON that says so.
        #[test]
        fn what_is_handed_out_is_read_as_it_was_meant(scope in any::<String>(), refreshes in any::<bool>(), patient in any::<Option<String>>(), is_bound in any::<bool>()) {
            let refresh_token = refreshes.then(|| Secret::new("rgr_b".into()));
            let issued =
                TokenSet { access_token: Secret::new("rga_a".into()), is_bound, expires_in: 600, refresh_token, scope: scope.clone(), patient: patient.clone(), smart: None };
            let body: Value = serde_json::from_slice(&token_body(&issued).unwrap()).unwrap();
            let mut meant = json!({ "access_token": "rga_a", "token_type": token_type(is_bound), "expires_in": 600, "scope": scope });
            if refreshes {
                meant["refresh_token"] = "rgr_b".into();
            }
            if let Some(patient) = patient {
                meant["patient"] = patient.into();
            }
            prop_assert_eq!(body, meant);
        }
    }
}
