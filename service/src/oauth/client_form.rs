//! The form that a client sends to an endpoint of its own: read within bounds, by a client that is who it says.

use super::client_authentication::{self, Credentials, GenuineClient};
use crate::http::call::Call;
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use crate::voices::token::NoTokens;
use axum::http::request::Parts;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;

/// What a client sent, and the client.
pub(super) struct ClientForm {
    pub(super) client: GenuineClient,
    pub(super) params: Params<'static>,
    pub(super) head: Box<Parts>,
}

impl ClientForm {
    /// Reads the request as the token endpoint reads its own.
    pub(super) async fn read(call: Call) -> Result<Self, NoTokens> {
        Self::read_by(call, false).await
    }

    /// The same, where an access token of the client's own in `Authorization` proves who it is, too.
    pub(super) async fn read_by_token_too(call: Call) -> Result<Self, NoTokens> {
        Self::read_by(call, true).await
    }

    async fn read_by(call: Call, is_token_proof: bool) -> Result<Self, NoTokens> {
        let Call { app, head, body, peer, .. } = call;
        if head.uri.query().is_some_and(|query| !query.is_empty()) {
            return Err(TokenRefusal::ParametersInUrl.into());
        }
        let encoded = forms::encoded(&head.headers, body).await?;
        let params = forms::params(&encoded).map_err(FormFault::Unreadable)?;
        if is_token_proof && client_authentication::is_token(&head.headers) {
            let client = client_authentication::by_token(&app, &head, &params).await?;
            return Ok(Self { client, params: params.into_owned(), head });
        }
        let credentials = Credentials::read(&head.headers, &params, None)?;
        let address = origin::address(&app, &head.headers, peer);
        let client = client_authentication::authenticate(&app, &credentials, address).await?;
        Ok(Self { client, params: params.into_owned(), head })
    }
}
