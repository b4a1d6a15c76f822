//! `POST /apiToken.action`: reads the request, knows the client, hands over to the grant, and says what came of it.

use super::client_authentication::{self, Credentials};
use super::grants::{self, Issued};
use crate::app::{App, Shared};
use crate::forms::{self, FormFault};
use crate::metrics::ISSUED;
use crate::origin;
use crate::secret::Secret;
use crate::throttle::Wait;
use crate::voice::{JSON, NO_STORE, trouble};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use rules::answers::{Refusal, answer};
use rules::clients::GrantType;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;
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

pub async fn token(State(app): State<Shared>, request: Request) -> Response {
    let address = origin::address(&app, request.headers(), request.extensions());
    let (parts, body) = request.into_parts();
    let basic = client_authentication::is_basic(&parts.headers);
    if parts.uri.query().is_some_and(|query| !query.is_empty()) {
        return refuse(&app, "none", TokenRefusal::ParametersInUrl.into(), basic);
    }
    let encoded = match forms::encoded(&parts.headers, body).await {
        Ok(encoded) => encoded,
        Err(fault) => return refuse(&app, "none", fault.into(), basic),
    };
    let params = match forms::params(&encoded) {
        Ok(params) => params,
        Err(fault) => return refuse(&app, "none", FormFault::Unreadable(fault).into(), basic),
    };
    let (grant_type, name) = match grant_type(&params) {
        Ok(grant_type) => (grant_type, grant_type.word()),
        Err(refusal) => return refuse(&app, "none", refusal.into(), basic),
    };
    let answered = async {
        let credentials = Credentials::read(&parts.headers, &params)?;
        let client = client_authentication::authenticate(&app, credentials, address).await?;
        if !client.kind.may_use(grant_type) {
            return Err(TokenRefusal::GrantTypeNotForClient.into());
        }
        let issued = grants::issue(&app, grant_type, &client, &params).await?;
        issued_body(&issued).map_err(|_| No::Trouble(Refusal::Trouble))
    };
    match answered.await {
        Ok(body) => {
            app.metrics.token_request(name, ISSUED);
            respond(StatusCode::OK, body)
        }
        Err(no) => refuse(&app, name, no, basic),
    }
}

fn grant_type(params: &Params<'_>) -> Result<GrantType, TokenRefusal> {
    let word = params.get("grant_type").ok_or(TokenRefusal::Missing("grant_type"))?;
    GrantType::named(word).ok_or(TokenRefusal::UnknownGrantType)
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

fn issued_body(issued: &Issued) -> serde_json::Result<Vec<u8>> {
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

fn refuse(app: &App, grant_type: &'static str, no: No, basic: bool) -> Response {
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
fn respond(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let pragma = (header::PRAGMA, HeaderValue::from_static("no-cache"));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE, pragma]);
    response
}
