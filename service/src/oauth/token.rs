//! `POST /apiToken.action`: reads the request, knows the client, hands over to the grant, and says what came of it.

use super::client_authentication::{self, Credentials};
use super::grants;
use crate::app::metrics::ISSUED;
use crate::app::trouble::Trouble;
use crate::callers::proof;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use crate::voices::token::{NoTokens, TokenStop, respond, token_body};
use axum::http::StatusCode;
use axum::response::Response;
use rules::clients::GrantType;
use rules::dpop::fault::ProofFault;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;

pub async fn token(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let Call { app, head, body, peer, .. } = call;
    let basic = client_authentication::is_basic(&head.headers);
    let unread = |why: NoTokens| TokenStop { why, grant_type: "none", basic };
    if head.uri.query().is_some_and(|query| !query.is_empty()) {
        return Err(unread(TokenRefusal::ParametersInUrl.into()));
    }
    let encoded = forms::encoded(&head.headers, body).await.map_err(|fault| unread(fault.into()))?;
    let params = forms::params(&encoded).map_err(|fault| unread(FormFault::Unreadable(fault).into()))?;
    let grant_type = grant_type(&params).map_err(|refusal| unread(refusal.into()))?;
    let name = grant_type.word();
    let issue = async {
        let implied = match grant_type {
            GrantType::RefreshToken if params.get("client_id").is_none() => {
                grants::implied_client(&app, &params).await?
            }
            _ => None,
        };
        let credentials = Credentials::read(&head.headers, &params, implied.as_deref())?;
        let address = origin::address(&app, &head.headers, peer);
        let client = client_authentication::authenticate(&app, &credentials, address).await?;
        if !client.kind.may_use(grant_type) {
            return Err(TokenRefusal::GrantTypeNotForClient.into());
        }
        let shown = proof::shown(&app, &head, None).map_err(TokenRefusal::Proof)?;
        if client.dpop_bound && shown.is_none() {
            return Err(TokenRefusal::Proof(ProofFault::Missing).into());
        }
        let issued = grants::issue(&app, grant_type, &client, &params, shown).await?;
        token_body(&issued).map_err(|error| Trouble::new("writing tokens as JSON", error).into())
    };
    let body = issue.await.map_err(|why| TokenStop { why, grant_type: name, basic })?;
    app.metrics.token_request(name, ISSUED);
    Ok(respond(StatusCode::OK, body))
}

fn grant_type(params: &Params<'_>) -> Result<GrantType, TokenRefusal> {
    let word = params.get("grant_type").ok_or(TokenRefusal::Missing("grant_type"))?;
    GrantType::named(word).ok_or(TokenRefusal::UnknownGrantType)
}
