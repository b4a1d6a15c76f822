//! A client that proves itself by a signed assertion (RFC 7523, 2.2).

use crate::app::App;
use crate::app::remote_keys::KeysNotFetched;
use crate::app::trouble::During;
use crate::secrets::assertion::Assertion;
use crate::voices::token::NoTokens;
use rules::assertions::{self, ASSERTION_TYPE, AssertionFault};
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;
use store::assertions::{SpentAssertion, spend};
use store::clients::Client;
use store::salt::Salt;

/// The assertion of a request, if it has one.
pub(super) fn sent(params: &Params<'_>) -> Result<Option<Assertion>, TokenRefusal> {
    match (params.get("client_assertion_type"), params.get("client_assertion")) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(TokenRefusal::Missing("client_assertion")),
        (None, Some(_)) => Err(TokenRefusal::Missing("client_assertion_type")),
        (Some(ASSERTION_TYPE), Some(text)) => Assertion::read(text).map(Some).map_err(TokenRefusal::Assertion),
        (Some(_), Some(_)) => Err(TokenRefusal::Assertion(AssertionFault::UnknownType)),
    }
}

/// The salt of the key that signed, if the assertion is the client's word, for us, now, and for the first time. It is then
/// used up, whatever becomes of the rest of the request. What nobody signed is not written down, so that nobody can fill the table.
pub(super) async fn judge(app: &App, client: &Client, assertion: &Assertion) -> Result<Salt, NoTokens> {
    let signed = match &client.jwks_url {
        None => assertion.signed_by(&client.keys),
        Some(at) => {
            let keys = app.remote_keys.of(client, at, &app.clock, |keys| assertion.is_for_one_of(keys)).await;
            assertion
                .signed_by(&keys.map_err(|KeysNotFetched| TokenRefusal::Assertion(AssertionFault::KeysNotFetched))?)
        }
    };
    let signed = signed.ok_or(TokenRefusal::ClientNotAuthenticated)?;
    if !assertion.agrees_with(client.jwks_url.as_ref().map(|at| at.url.as_str())) {
        return Err(TokenRefusal::Assertion(AssertionFault::ForeignKeyUrl).into());
    }
    let issuer = app.settings.base_url.as_str();
    let endpoint = format!("{issuer}/apiToken.action");
    let claims = signed.claims;
    let until = assertions::judge(&claims, &client.client_id, &[issuer, &endpoint], app.clock.now())
        .map_err(TokenRefusal::Assertion)?;
    let spent = SpentAssertion::new(client.id, &claims.id.unwrap_or_default(), until);
    let is_new = spend(&app.store, spent).await.during("noting that an assertion was used")?;
    if is_new { Ok(signed.salt) } else { Err(TokenRefusal::Assertion(AssertionFault::Spent).into()) }
}
