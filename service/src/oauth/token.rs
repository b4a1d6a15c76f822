//! `POST /apiToken.action`: reads the request, knows the client, hands over to the grant, and says what came of it.

use super::client_authentication::{self, Credentials};
use super::grants;
use super::token_answer::{No, issued_body, refuse, respond};
use crate::app::Shared;
use crate::app::metrics::ISSUED;
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use rules::answers::Refusal;
use rules::clients::GrantType;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;

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
