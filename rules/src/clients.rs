//! The contract's client-kind table: how each kind obtains tokens and which API it may call; and how clients prove who they are.

use crate::limits;
use alloc::string::String;

/// The three kinds of client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientKind {
    /// A user grants it access to their own account.
    User,
    /// Acts for organisations that have granted it access.
    System,
    /// The older kind: a Team Coordinator grants it access from the web interface.
    Tethered,
}

/// The two APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    CustomRest,
    Fhir,
}

/// How a client first comes by an access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obtains {
    AuthorizationCode,
    ClientCredentials,
    CoordinatorGrant,
}

/// The grant types of the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantType {
    AuthorizationCode,
    RefreshToken,
    ClientCredentials,
}

/// How a client proves to the token endpoint who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationMethod {
    /// Not at all: a public client.
    None,
    /// Its secret, by HTTP Basic.
    SecretBasic,
    /// Its secret, in the body.
    SecretPost,
    /// A JWT that it signed with a key of its own (RFC 7523).
    PrivateKeyJwt,
}

/// The algorithms by which a client may sign a JWT. None of them has a secret that both sides know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningAlgorithm {
    Es256,
    Es384,
    Rs256,
    Rs384,
    Ps256,
    EdDsa,
}

impl AuthenticationMethod {
    pub const ALL: [Self; 4] = [Self::None, Self::SecretBasic, Self::SecretPost, Self::PrivateKeyJwt];

    /// The word of the OAuth registry, as discovery prints it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::SecretBasic => "client_secret_basic",
            Self::SecretPost => "client_secret_post",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// What SMART App Launch calls a server that knows clients by it.
    #[must_use]
    pub const fn smart_capability(self) -> &'static str {
        match self {
            Self::None => "client-public",
            Self::SecretBasic | Self::SecretPost => "client-confidential-symmetric",
            Self::PrivateKeyJwt => "client-confidential-asymmetric",
        }
    }

    /// Whether it proves who the client is.
    #[must_use]
    pub const fn is_proof(self) -> bool {
        !matches!(self, Self::None)
    }
}

impl SigningAlgorithm {
    /// Those of proofs that a client holds a key (DPoP).
    pub const OF_PROOFS: [Self; 3] = [Self::Es256, Self::Es384, Self::EdDsa];
    pub const ALL: [Self; 6] = [Self::Es256, Self::Es384, Self::Rs256, Self::Rs384, Self::Ps256, Self::EdDsa];

    /// The word of the JOSE registry: `alg` of a JWT or a key.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::Rs256 => "RS256",
            Self::Rs384 => "RS384",
            Self::Ps256 => "PS256",
            Self::EdDsa => "EdDSA",
        }
    }

    /// The algorithm that `word` names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.word() == word)
    }

    /// All of them, as a sentence names them.
    #[must_use]
    pub fn list() -> String {
        Self::list_of(&Self::ALL)
    }

    /// Some of them, as a sentence names them: `ES256, ES384 or EdDSA`.
    #[must_use]
    pub fn list_of(some: &[Self]) -> String {
        let mut list = String::new();
        for (at, algorithm) in some.iter().enumerate() {
            let before = match at {
                0 => "",
                _ if at + 1 == some.len() => " or ",
                _ => ", ",
            };
            list.push_str(before);
            list.push_str(algorithm.word());
        }
        list
    }
}

impl GrantType {
    pub const ALL: [Self; 3] = [Self::AuthorizationCode, Self::RefreshToken, Self::ClientCredentials];

    /// The word of the `grant_type` parameter.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::RefreshToken => "refresh_token",
            Self::ClientCredentials => "client_credentials",
        }
    }

    /// The grant type that a `grant_type` parameter names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grant_type| grant_type.word() == word)
    }
}

impl ClientKind {
    pub const ALL: [Self; 3] = [Self::User, Self::System, Self::Tethered];

    /// The word of the command line, the apply file and the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::System => "system",
            Self::Tethered => "tethered",
        }
    }

    /// The kind that `word` names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The contract's own name of the kind.
    #[must_use]
    pub const fn contract_name(self) -> &'static str {
        match self {
            Self::User => "User Client",
            Self::System => "System Client",
            Self::Tethered => "Tethered-Token System Client",
        }
    }

    /// Column "How it obtains an access token".
    #[must_use]
    pub const fn obtains(self) -> Obtains {
        match self {
            Self::User => Obtains::AuthorizationCode,
            Self::System => Obtains::ClientCredentials,
            Self::Tethered => Obtains::CoordinatorGrant,
        }
    }

    /// Column "Refresh token issued": whether the kind can hold one at all.
    #[must_use]
    pub const fn may_hold_refresh_token(self) -> bool {
        self.has_session()
    }

    /// Column "Can call custom REST API", and that every kind can call the FHIR API.
    #[must_use]
    pub const fn may_call(self, api: Api) -> bool {
        match api {
            Api::Fhir => true,
            Api::CustomRest => !matches!(self, Self::System),
        }
    }

    /// "System Clients have no session."
    #[must_use]
    pub const fn has_session(self) -> bool {
        !matches!(self, Self::System)
    }

    /// Which grant types of the token endpoint the kind may use.
    #[must_use]
    pub const fn may_use(self, grant: GrantType) -> bool {
        match grant {
            GrantType::AuthorizationCode => matches!(self, Self::User),
            GrantType::RefreshToken => self.may_hold_refresh_token(),
            GrantType::ClientCredentials => matches!(self, Self::System),
        }
    }

    /// Whether the kind can be registered with keys of its own. A Tethered-Token System Client is known by its tokens alone.
    #[must_use]
    pub const fn may_hold_keys(self) -> bool {
        !matches!(self, Self::Tethered)
    }

    /// Whether the kind can be held to tokens that are bound to a key. The first refresh token of a Tethered-Token System Client is made
    /// on a page, before the client could show one.
    #[must_use]
    pub const fn may_bind_tokens(self) -> bool {
        !matches!(self, Self::Tethered)
    }

    /// The limits table: the access token lifetime where the registration names none.
    #[must_use]
    pub const fn access_seconds(self) -> i64 {
        match self {
            Self::User | Self::Tethered => limits::SESSION_ACCESS_SECONDS,
            Self::System => limits::SYSTEM_ACCESS_SECONDS,
        }
    }
}

/// Which ids a System Client may choose for what it stores new in an organisation's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientIds {
    /// UUIDs: nobody comes upon another's.
    #[default]
    Uuid,
    /// Any that FHIR allows, for a system that moves in with the ids that it has.
    Any,
}

impl ClientIds {
    pub const ALL: [Self; 2] = [Self::Uuid, Self::Any];

    /// The word of the database, the world file and the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::Any => "any",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ids| ids.word() == word)
    }
}
