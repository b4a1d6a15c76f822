//! The token endpoint's error codes (RFC 6749 5.2) and the plain words that go with each reason.

use crate::assertions::AssertionFault;
use crate::authorize::Fault;
use crate::dpop::fault::ProofFault;
use crate::lifecycle::{Refused, Revoked};
use crate::params::ParamFault;
use crate::registration::RegistrationFault;
use crate::smart::grant::SystemScopeFault;
use alloc::{borrow::Cow, format};

/// The error codes of the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    InvalidRequest,
    InvalidClient,
    InvalidGrant,
    UnauthorizedClient,
    UnsupportedGrantType,
    InvalidScope,
    InvalidDpopProof,
    UseDpopNonce,
    /// RFC 7591, 3.2.2: of a client that registers itself.
    InvalidClientMetadata,
    InvalidRedirectUri,
    /// RFC 6750, 3.1: of the token by which it does.
    InvalidToken,
}

impl TokenError {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidDpopProof => "invalid_dpop_proof",
            Self::UseDpopNonce => "use_dpop_nonce",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidToken => "invalid_token",
        }
    }
}

/// The error codes of a redirect (RFC 6749 4.1.2.1) that this service sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectError {
    AccessDenied,
    /// OpenID Connect: nobody is to be asked, and nobody is known without being asked.
    LoginRequired,
    /// OpenID Connect: whoever is known has not granted this before, or would have to be asked.
    ConsentRequired,
    /// OpenID Connect: there is something else that only a page settles.
    InteractionRequired,
    ServerError,
    TemporarilyUnavailable,
}

impl RedirectError {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AccessDenied => "access_denied",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
            Self::InteractionRequired => "interaction_required",
            Self::ServerError => "server_error",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}

/// Why the token endpoint says no: its code, and a description in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenRefusal {
    NotAForm,
    ParametersInUrl,
    Unreadable(ParamFault),
    Missing(&'static str),
    UnknownGrantType,
    TwoAuthentications,
    ClientIdDiffers,
    MalformedBasic,
    /// Unknown client, wrong or missing secret or signature, disabled client: one answer for all, so nothing can be probed.
    ClientNotAuthenticated,
    /// Of a client that sent a signed assertion: why it is not taken.
    Assertion(AssertionFault),
    GrantTypeNotForClient,
    MalformedVerifier,
    /// Of a System Client with scopes of SMART: why it is granted none of those that it asks for.
    SystemScope(SystemScopeFault),
    /// Of a request that its client pushes: what the error page would say of it.
    Authorization(Fault),
    /// Why a proof of a key is not taken.
    Proof(ProofFault),
    /// Of a client that registers itself, or asks about its registration.
    Registration(RegistrationFault),
    /// A client that the operator has not chosen, or a public one.
    MayNotIntrospect,
    Refused(Refused),
    Revoked(Revoked),
}

impl TokenRefusal {
    #[must_use]
    pub const fn error(&self) -> TokenError {
        match self {
            Self::NotAForm
            | Self::ParametersInUrl
            | Self::Unreadable(_)
            | Self::Missing(_)
            | Self::TwoAuthentications
            | Self::ClientIdDiffers
            | Self::MalformedVerifier => TokenError::InvalidRequest,
            Self::UnknownGrantType => TokenError::UnsupportedGrantType,
            Self::MalformedBasic | Self::ClientNotAuthenticated | Self::Assertion(_) => TokenError::InvalidClient,
            Self::GrantTypeNotForClient | Self::MayNotIntrospect => TokenError::UnauthorizedClient,
            Self::Proof(ProofFault::NonceNeeded) => TokenError::UseDpopNonce,
            Self::Proof(_) | Self::Refused(Refused::NoProof | Refused::OtherKey) => TokenError::InvalidDpopProof,
            Self::SystemScope(_) | Self::Refused(Refused::WrongScope) => TokenError::InvalidScope,
            Self::Authorization(fault) => match fault {
                Fault::MalformedScope | Fault::ScopeNotRegistered(_) | Fault::NoScopeLeft => TokenError::InvalidScope,
                Fault::NotAUserClient => TokenError::UnauthorizedClient,
                _ => TokenError::InvalidRequest,
            },
            Self::Registration(fault) => match fault {
                RegistrationFault::WrongToken => TokenError::InvalidToken,
                RegistrationFault::NotJson | RegistrationFault::Metadata(_) => TokenError::InvalidClientMetadata,
                RegistrationFault::RedirectUri(_) => TokenError::InvalidRedirectUri,
            },
            Self::Refused(_) | Self::Revoked(_) => TokenError::InvalidGrant,
        }
    }

    /// `error_description`: RFC 6749 5.2 allows printable ASCII but for the double quote and the backslash.
    #[must_use]
    pub fn description(&self) -> Cow<'static, str> {
        match self {
            Self::NotAForm => "send the parameters as an application/x-www-form-urlencoded body".into(),
            Self::ParametersInUrl => "send the parameters in the body of the POST, not in the URL".into(),
            Self::Unreadable(ParamFault::Twice(name)) => format!("the parameter {name} was sent twice").into(),
            Self::Unreadable(ParamFault::TooLong(name)) => format!("the parameter {name} is too long").into(),
            Self::Unreadable(ParamFault::NotText(name)) => format!("the parameter {name} is not UTF-8").into(),
            Self::Missing(name) => format!("the parameter {name} is missing").into(),
            Self::UnknownGrantType => {
                "grant_type must be authorization_code, refresh_token or client_credentials".into()
            }
            Self::TwoAuthentications => {
                "authenticate in one way only: by HTTP Basic, by client_secret or by client_assertion".into()
            }
            Self::ClientIdDiffers => {
                "client_id in the body differs from the one in the Authorization header or the client_assertion".into()
            }
            Self::MalformedBasic => "the Authorization header is not well-formed HTTP Basic".into(),
            Self::ClientNotAuthenticated => "the client is unknown or could not be authenticated".into(),
            Self::Assertion(fault) => fault.words(),
            Self::GrantTypeNotForClient => "this kind of client may not use this grant_type".into(),
            Self::MayNotIntrospect => "this client may not ask about tokens; its operator can allow it".into(),
            Self::SystemScope(SystemScopeFault::NoneLeft) => {
                "the client is registered for none of these scopes; ask for some of its own, or leave scope out".into()
            }
            Self::SystemScope(SystemScopeFault::TooLong) => {
                "the granted scopes are too long for a token; ask for fewer, or for system/* of what is needed".into()
            }
            Self::Authorization(fault) => fault.words(),
            Self::Proof(fault) => fault.words(),
            Self::Registration(fault) => fault.words(),
            Self::MalformedVerifier => "code_verifier must be 43 to 128 unreserved characters".into(),
            Self::Refused(refused) => refused_words(*refused).into(),
            Self::Revoked(revoked) => revoked_words(*revoked).into(),
        }
    }
}

const fn revoked_words(revoked: Revoked) -> &'static str {
    match revoked {
        Revoked::CodeReplayed => {
            "the code was used before; its session is now revoked, ask the user to grant access again"
        }
        Revoked::RefreshTokenReplayed => {
            "the refresh token was used before; its session is now revoked, ask for access to be granted again"
        }
        Revoked::TokenFromTheFuture => {
            "the refresh token is newer than its session; the session is now revoked, ask for access to be granted again"
        }
        Revoked::NoLongerCovered
        | Revoked::PatientChanged
        | Revoked::ByPatient
        | Revoked::ByCoordinator
        | Revoked::ByOperator
        | Revoked::ByClient
        | Revoked::SignedOut => refused_words(Refused::SessionRevoked),
    }
}

const fn refused_words(refused: Refused) -> &'static str {
    match refused {
        Refused::Unknown => "the code or refresh token is not one of this service",
        Refused::ForeignClient => "the code or token was issued to another client",
        Refused::CodeExpired => "the code has expired; ask the user to grant access again",
        Refused::WrongRedirectUri => "redirect_uri is not the one that the code is bound to",
        Refused::WrongVerifier => "code_verifier is missing or does not fit the code_challenge",
        Refused::UnexpectedVerifier => "code_verifier was sent, but the authorization request had no code_challenge",
        Refused::WrongScope => "scope is not the one that was granted; the refresh token is not used up",
        Refused::SessionExpired => "the session has expired; ask for access to be granted again",
        Refused::SessionRevoked => "the session has been revoked; ask for access to be granted again",
        Refused::Frozen => "access of this account is frozen; the code or refresh token is not used up",
        Refused::NoProof => {
            "the code or refresh token is bound to a key; send a proof by it in the header DPoP; nothing is used up"
        }
        Refused::OtherKey => {
            "the DPoP proof is by another key than the one that the code or refresh token is bound to; nothing is used up"
        }
    }
}
