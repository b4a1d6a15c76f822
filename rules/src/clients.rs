//! The contract's client-kind table: how each kind obtains tokens and which API it may call.

use crate::limits;

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

/// How a client says who it is at the token endpoint, as discovery lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationMethod {
    /// By its Client ID alone: a public client.
    None,
    /// A secret by HTTP Basic.
    SecretBasic,
    /// A secret in the body.
    SecretPost,
}

impl AuthenticationMethod {
    pub const ALL: [Self; 3] = [Self::None, Self::SecretBasic, Self::SecretPost];

    /// The registered name (RFC 7591 2, `token_endpoint_auth_method`).
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::SecretBasic => "client_secret_basic",
            Self::SecretPost => "client_secret_post",
        }
    }

    /// What SMART App Launch calls a server that knows clients by it.
    #[must_use]
    pub const fn smart_capability(self) -> &'static str {
        match self {
            Self::None => "client-public",
            Self::SecretBasic | Self::SecretPost => "client-confidential-symmetric",
        }
    }

    /// Whether it proves who the client is.
    #[must_use]
    pub const fn is_proof(self) -> bool {
        !matches!(self, Self::None)
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

    /// The limits table: the access token lifetime where the registration names none.
    #[must_use]
    pub const fn access_seconds(self) -> i64 {
        match self {
            Self::User | Self::Tethered => limits::SESSION_ACCESS_SECONDS,
            Self::System => limits::SYSTEM_ACCESS_SECONDS,
        }
    }
}
