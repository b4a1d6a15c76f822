//! A client: what was settled when it was registered.

use super::salt::Salt;
use crate::cache::Entry;
use crate::ids;
use crate::sql::touched::Touched;
use rules::bound_key::KeyThumbprint;
use rules::clients::{AuthenticationMethod, ClientKind, SigningAlgorithm};
use rules::ids::ClientId;
use rules::lifecycle::Terms;
use rules::moment::Moment;
use rules::openid::ID_TOKEN_ALGORITHMS;
use rules::scope::{Scope, ScopeEcho, UserType};
use rules::smart::word::SmartScope;

/// A registered client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Our own number for it; 0 before it is registered.
    pub id: ClientId,
    /// The Client ID that it was issued.
    pub client_id: String,
    pub kind: ClientKind,
    pub owner: String,
    pub product: String,
    pub redirect_uris: Vec<String>,
    pub scopes: Vec<Scope>,
    pub secret: Option<Fingerprint>,
    /// The keys it signs with instead of having a secret.
    pub keys: Vec<ClientKey>,
    /// Where its keys are, if they are not registered here.
    pub jwks_url: Option<KeySetUrl>,
    /// `None`: sessions never expire.
    pub session_seconds: Option<i64>,
    pub access_seconds: i64,
    pub refresh_tokens: bool,
    pub require_pkce: bool,
    pub retry_seconds: i64,
    pub scope_echo: ScopeEcho,
    pub redirect_extra_query: bool,
    /// Whether it may ask about any token (RFC 7662).
    pub may_introspect: bool,
    /// The SMART scopes that it may be granted.
    pub smart_scopes: Vec<SmartScope>,
    /// Who may sign in with it, beside those for whose scope it is registered.
    pub user_types: Vec<UserType>,
    /// By which its id_tokens are signed; none: by the usual one.
    pub id_token_algorithm: Option<SigningAlgorithm>,
    /// Within a sector all clients know a user by the same id; none: it has its own.
    pub sector: Option<String>,
    /// The public id of the organisation that it acts for where a call names none.
    pub default_organisation: Option<String>,
    /// Whether it must push its authorization requests.
    pub require_par: bool,
    /// Whether it gets no tokens but such as are bound to a key.
    pub dpop_bound: bool,
    /// Whether SMART requests of it need no PKCE.
    pub pkce_when_sent: bool,
    /// Where it is opened from the pages here, if it can be.
    pub launch_url: Option<String>,
    /// Where browsers may be led when their user has signed out.
    pub post_logout_redirect_uris: Vec<String>,
    /// What is kept of the token by which it manages its own registration; none: an operator registered it.
    pub registration: Option<Fingerprint>,
    /// Whether no operator has checked what it says of itself.
    pub unchecked: bool,
    pub disabled_at: Option<Moment>,
}

/// A public key of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientKey {
    /// A JWK, on one line.
    pub jwk: String,
    /// Vouches for the access tokens that were got with this key, and goes with it.
    pub salt: Salt,
}

/// The URL of a client's JWK Set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetUrl {
    pub url: String,
    /// Vouches for the access tokens that were got with any key from there, and goes with the URL.
    pub salt: Salt,
}

/// What is stored of a client secret: its SHA-256. Secrets are high-entropy, so a slow hash would add nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

/// What decides about the tokens that a client presents.
#[derive(Clone, Debug)]
pub struct Registration {
    pub client: ClientId,
    pub terms: Terms,
    pub smart_scopes: Vec<SmartScope>,
    /// The key that it has proven to hold.
    pub key: Option<KeyThumbprint>,
}

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fingerprint(…)")
    }
}

impl Entry for Client {
    fn weight(&self) -> usize {
        1
    }

    fn rests_on(&self, touched: &Touched) -> bool {
        touched.clients.contains(&self.id)
    }
}

impl Client {
    /// By which its id_tokens are signed.
    #[must_use]
    pub fn id_token_algorithm(&self) -> SigningAlgorithm {
        let [usual, ..] = ID_TOKEN_ALGORITHMS;
        self.id_token_algorithm.unwrap_or(usual)
    }

    /// How it proves who it is: what its registration says, whichever way a secret is sent.
    #[must_use]
    pub fn authentication(&self) -> AuthenticationMethod {
        match (self.signs(), &self.secret) {
            (true, _) => AuthenticationMethod::PrivateKeyJwt,
            (false, Some(_)) => AuthenticationMethod::SecretBasic,
            (false, None) => AuthenticationMethod::None,
        }
    }

    /// Whether it proves who it is by signing, wherever its keys are.
    #[must_use]
    pub const fn signs(&self) -> bool {
        !self.keys.is_empty() || self.jwks_url.is_some()
    }

    /// When it was registered.
    #[must_use]
    pub const fn registered_at(&self) -> Moment {
        ids::made_at(self.id.0)
    }

    /// Whether it can prove who it is.
    #[must_use]
    pub const fn is_confidential(&self) -> bool {
        self.secret.is_some() || self.signs()
    }

    #[must_use]
    pub fn registration(&self) -> Registration {
        Registration { client: self.id, terms: self.terms(), smart_scopes: self.smart_scopes.clone(), key: None }
    }

    fn terms(&self) -> Terms {
        Terms {
            access_seconds: self.access_seconds,
            refresh_tokens: self.refresh_tokens,
            retry_seconds: self.retry_seconds,
            scopes: self.scopes.iter().copied().chain(self.user_types.iter().filter_map(|of| of.scope())).collect(),
            may_change_key: self.is_confidential(),
        }
    }
}
