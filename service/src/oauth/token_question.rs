//! What a client asks about a token that exists already: which token, and who asks.

use super::client_authentication::GenuineClient;
use super::client_form::ClientForm;
use crate::http::call::Call;
use crate::secrets::keys::Keys;
use crate::secrets::secret::Secret;
use crate::secrets::tokens::{self, Kind, OpenToken};
use crate::voices::token::NoTokens;
use rules::oauth_errors::TokenRefusal;

/// A token, and the client that asks about it and is who it says.
pub(super) struct TokenQuestion {
    pub(super) client: GenuineClient,
    token: Secret,
}

impl TokenQuestion {
    /// `token_type_hint` is not needed: a token says what it is.
    pub(super) async fn read(call: Call) -> Result<Self, NoTokens> {
        Self::of(ClientForm::read(call).await?)
    }

    /// The same of a token of any client: who asks may prove itself by an access token of its own, too (SMART App Launch 2.2, 6.2).
    pub(super) async fn read_of_any(call: Call) -> Result<Self, NoTokens> {
        Self::of(ClientForm::read_by_token_too(call).await?)
    }

    fn of(ClientForm { client, params, .. }: ClientForm) -> Result<Self, NoTokens> {
        let token = params.get("token").ok_or(TokenRefusal::Missing("token"))?;
        Ok(Self { client, token: Secret::new(token.to_owned()) })
    }

    /// The token, if it is a refresh or access token of this service.
    pub(super) fn open(&self, keys: &Keys) -> Option<OpenToken> {
        let of = |kinds: &[Kind]| tokens::open(keys, kinds, self.token.reveal());
        of(&[Kind::Refresh]).or_else(|| of(&[Kind::Access, Kind::SystemAccess]))
    }
}
