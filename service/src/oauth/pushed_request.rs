//! `POST /apiPar.action` (RFC 9126): a client pushes its authorization request, proves who it is, and is given a name for it. Nothing is
//! kept here: the name holds the request, sealed, so that whoever pushes without end fills no memory.

use super::authorization_page::validated;
use super::client_authentication;
use super::client_form::ClientForm;
use crate::app::metrics::DONE;
use crate::app::trouble::Trouble;
use crate::app::{App, Shared};
use crate::callers::proof;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::secrets::dice;
use crate::voices::token::{NoTokens, TokenStop, respond};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use rules::authorize::{Fault, KEY_FIELD, PARAMETERS, REQUEST_URI, REQUEST_URI_PREFIX};
use rules::bound_key::KeyThumbprint;
use rules::dpop::fault::ProofFault;
use rules::limits::{FORM_SECONDS, PUSHED_SECONDS};
use rules::moment::Moment;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::clients::Client;
use store::opening::SpentForm;

/// As the metrics count it.
const NAME: &str = "pushed_request";
const PREFIX: &str = "rgq_";
const CLIENT_ID: &str = "client_id";

/// What a name holds.
#[derive(Serialize, Deserialize)]
struct PushedRequest {
    /// With the Client ID of the client that pushed it.
    params: Vec<(String, String)>,
    pushed_at: i64,
    /// Of the form that its page shows, however often it is opened: one decision is made about it.
    form_id: i64,
}

pub async fn push(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let app: Shared = call.app.clone();
    let basic = client_authentication::is_basic(&call.head.headers);
    let stop = |why: NoTokens| TokenStop { why, grant_type: NAME, basic };
    let form = ClientForm::read(call).await.map_err(stop)?;
    let request_uri = name(&app, form).await.map_err(stop)?;
    app.metrics.token_request(NAME, DONE);
    let body = json!({ "request_uri": request_uri, "expires_in": PUSHED_SECONDS });
    Ok(respond(StatusCode::CREATED, body.to_string()))
}

/// Checks the request as the authorization endpoint will, and names it.
async fn name(app: &App, ClientForm { client, params, head }: ClientForm) -> Result<String, NoTokens> {
    if params.get(REQUEST_URI).is_some() {
        return Err(TokenRefusal::Authorization(Fault::RequestUriPushed).into());
    }
    let request = validated(app, &params, &client).map_err(TokenRefusal::Authorization)?;
    let key = shown(app, &client, &head).await?;
    if request.key.is_some() && key.is_some() && request.key != key {
        return Err(TokenRefusal::Proof(ProofFault::OtherKey).into());
    }
    let sent = PARAMETERS.iter().filter(|name| ![CLIENT_ID, KEY_FIELD].contains(name));
    let sent = sent.filter_map(|name| Some(((*name).to_owned(), params.get(name)?.to_owned())));
    let sent = sent.chain(key.or(request.key).map(|key| (KEY_FIELD.to_owned(), key.as_str().to_owned())));
    let pushed = PushedRequest {
        params: sent.chain([(CLIENT_ID.to_owned(), client.client_id.clone())]).collect(),
        pushed_at: app.clock.now().0,
        form_id: dice::number()?,
    };
    let bytes = serde_json::to_vec(&pushed).map_err(|error| Trouble::new("writing a pushed request", error))?;
    let no_key = || Trouble::new("sealing a pushed request", "the key ring has no key to seal with");
    let sealed = app.keys.seal(PREFIX, &bytes).ok_or_else(no_key)?;
    Ok(format!("{REQUEST_URI_PREFIX}{sealed}"))
}

/// The key that is shown with the request, to which the code will be bound. The proof of a public client is not used up: anybody can send
/// one in its name, and fill the book of proofs; sent again it binds another code to the same key.
async fn shown(app: &App, client: &Client, head: &Parts) -> Result<Option<KeyThumbprint>, NoTokens> {
    match proof::shown(app, head, None).map_err(TokenRefusal::Proof)? {
        Some(shown) if client.is_confidential() => Ok(Some(shown.used(app).await?)),
        shown => Ok(shown.map(|shown| shown.key)),
    }
}

/// The request that this client pushed under this name, and the form that its page shows.
pub(super) fn named(
    app: &App,
    request_uri: &str,
    client_id: Option<&str>,
) -> Result<(Params<'static>, SpentForm), Fault> {
    let sealed = request_uri.strip_prefix(REQUEST_URI_PREFIX).and_then(|sealed| app.keys.open_sealed(PREFIX, sealed));
    let pushed: Option<PushedRequest> = sealed.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let PushedRequest { params, pushed_at, form_id } = pushed.ok_or(Fault::UnknownRequestUri)?;
    let params = Params::read(params).map_err(Fault::Unreadable)?;
    if client_id.ok_or(Fault::MissingClientId)? != params.get(CLIENT_ID).unwrap_or_default() {
        return Err(Fault::UnknownRequestUri);
    }
    let pushed_at = Moment(pushed_at);
    if app.clock.now().is_past(pushed_at.plus_seconds(PUSHED_SECONDS)) {
        return Err(Fault::ExpiredRequestUri);
    }
    Ok((params, SpentForm { id: form_id, expires_at: pushed_at.plus_seconds(FORM_SECONDS) }))
}
