//! The refusals of the token, revocation, introspection, pushed request and registration endpoints: one specimen of each wording, and its guidance.

use super::words::{GRANT_AGAIN, Guidance, SESSION_EXPIRED, SESSION_REVOKED, VARIES};
use super::{authorization, proofs};
use crate::assertions::AssertionFault;
use crate::dpop::fault::ProofFault;
use crate::lifecycle::{Refused, Revoked};
use crate::oauth_errors::TokenRefusal;
use crate::params::ParamFault;
use crate::registration::RegistrationFault;
use crate::smart::grant::SystemScopeFault;
use alloc::{vec, vec::Vec};

/// One specimen of every refusal, and of every wording that it has.
#[must_use]
pub fn every() -> Vec<TokenRefusal> {
    let refused = [
        Refused::Unknown,
        Refused::ForeignClient,
        Refused::CodeExpired,
        Refused::WrongRedirectUri,
        Refused::WrongVerifier,
        Refused::UnexpectedVerifier,
        Refused::WrongScope,
        Refused::SessionExpired,
        Refused::SessionRevoked,
        Refused::Frozen,
        Refused::NoProof,
        Refused::OtherKey,
    ];
    let revoked = [
        Revoked::RefreshTokenReplayed,
        Revoked::CodeReplayed,
        Revoked::TokenFromTheFuture,
        Revoked::NoLongerCovered,
        Revoked::PatientChanged,
        Revoked::ByPatient,
        Revoked::ByCoordinator,
        Revoked::ByOperator,
        Revoked::ByClient,
        Revoked::SignedOut,
    ];
    let mut every = vec![
        TokenRefusal::NotAForm,
        TokenRefusal::ParametersInUrl,
        TokenRefusal::Unreadable(ParamFault::Twice(VARIES.into())),
        TokenRefusal::Unreadable(ParamFault::TooLong(VARIES.into())),
        TokenRefusal::Unreadable(ParamFault::NotText(VARIES.into())),
        TokenRefusal::Missing(VARIES),
        TokenRefusal::UnknownGrantType,
        TokenRefusal::TwoAuthentications,
        TokenRefusal::ClientIdDiffers,
        TokenRefusal::MalformedBasic,
        TokenRefusal::ClientNotAuthenticated,
        TokenRefusal::GrantTypeNotForClient,
        TokenRefusal::MalformedVerifier,
        TokenRefusal::SystemScope(SystemScopeFault::NoneLeft),
        TokenRefusal::SystemScope(SystemScopeFault::TooLong),
        TokenRefusal::MayNotIntrospect,
        TokenRefusal::Registration(RegistrationFault::WrongToken),
        TokenRefusal::Registration(RegistrationFault::NotJson),
        TokenRefusal::Registration(RegistrationFault::Metadata(VARIES.into())),
        TokenRefusal::Registration(RegistrationFault::RedirectUri(VARIES.into())),
    ];
    every.extend(authorization::every_fault().into_iter().map(TokenRefusal::Authorization));
    every.extend(AssertionFault::ALL.map(TokenRefusal::Assertion));
    every.extend(ProofFault::ALL.map(TokenRefusal::Proof));
    every.extend(refused.map(TokenRefusal::Refused));
    every.extend(revoked.map(TokenRefusal::Revoked));
    every
}

/// What a refusal means, and what to do about it.
#[must_use]
pub const fn guidance(refusal: &TokenRefusal) -> Guidance {
    let words = Guidance::new;
    match refusal {
        TokenRefusal::NotAForm => words(
            "The body is no form, or broke off.",
            "Send the parameters as a form with Content-Type: application/x-www-form-urlencoded.",
        ),
        TokenRefusal::ParametersInUrl => {
            words("The URL has a query, and URLs are logged on the way.", "Move all parameters into the body.")
        }
        TokenRefusal::Unreadable(fault) => unreadable(fault),
        TokenRefusal::Missing(_) => words("A parameter that is needed was not sent, or was empty.", "Send it."),
        TokenRefusal::UnknownGrantType => words("There is no such grant type.", "Send one that the words name."),
        TokenRefusal::TwoAuthentications => {
            words("The client proved itself in two ways.", "Choose one that the words name.")
        }
        TokenRefusal::ClientIdDiffers => {
            words("Two different Client IDs were sent.", "Leave client_id out of the body, or send the same.")
        }
        TokenRefusal::MalformedBasic => words(
            "The Authorization header is no HTTP Basic, or was sent twice.",
            "Send Basic and the base64 of client_id:client_secret, each form-encoded first.",
        ),
        TokenRefusal::ClientNotAuthenticated => words(
            "The client is unknown or disabled, or its secret is wrong or missing; the answer is the same for all.",
            "Check the Client ID and the secret with the people who registered the client.",
        ),
        TokenRefusal::Assertion(fault) => assertion(fault),
        TokenRefusal::GrantTypeNotForClient => words(
            "A client of this kind obtains tokens in another way.",
            "Use the grant type of its kind: authorization_code and refresh_token for a User Client, \
             client_credentials for a System Client, refresh_token for a Tethered-Token System Client.",
        ),
        TokenRefusal::MalformedVerifier => words(
            "code_verifier is no PKCE verifier (RFC 7636).",
            "Send the verifier that the code_challenge was made from.",
        ),
        TokenRefusal::SystemScope(SystemScopeFault::NoneLeft) => words(
            "A System Client gets what it is registered for of what it asks for, and that is nothing.",
            "Ask for system/ scopes that the operator has registered for the client.",
        ),
        TokenRefusal::SystemScope(SystemScopeFault::TooLong) => words(
            "A System Client's token says its scopes itself, and has room for so many.",
            "Ask for system/* with the permissions that are needed, or for fewer types.",
        ),
        TokenRefusal::Authorization(fault) => authorization::of_fault(fault),
        TokenRefusal::Proof(fault) => proofs::guidance(*fault),
        TokenRefusal::Registration(fault) => registration(fault),
        TokenRefusal::MayNotIntrospect => words(
            "Only confidential clients that the operator has chosen may ask about tokens.",
            "Ask the operator to register the client with may_introspect.",
        ),
        TokenRefusal::Refused(refused) => refusal_of(*refused),
        TokenRefusal::Revoked(revoked) => revocation_of(*revoked),
    }
}

const fn assertion(fault: &AssertionFault) -> Guidance {
    let words = Guidance::new;
    match fault {
        AssertionFault::UnknownType => {
            words("client_assertion_type is not that of a JWT.", "Send the type that the words name.")
        }
        AssertionFault::Unreadable => words(
            "client_assertion is no JWT, or is signed in a way that is not admitted.",
            "Sign a JWT by one of the algorithms that discovery lists, without crit.",
        ),
        AssertionFault::WrongIssuer => {
            words("The assertion speaks of another client.", "Put the Client ID into both iss and sub.")
        }
        AssertionFault::WrongAudience => words(
            "The assertion is meant for somebody else, or for somebody else too.",
            "Put the issuer or the token endpoint of this service into aud, and nothing else.",
        ),
        AssertionFault::NoExpiry => words("The assertion never ends.", "Add exp, a few minutes from now."),
        AssertionFault::Expired => words("The assertion's time is over.", "Sign a new one; check the clock."),
        AssertionFault::TooLong => {
            words("The assertion lives too long.", "Let exp be no further ahead than the words say; check the clock.")
        }
        AssertionFault::TooEarly => words("The assertion is not valid yet.", "Check the clock."),
        AssertionFault::NoId => words("The assertion has no jti of its own.", "Add a jti that is new each time."),
        AssertionFault::Spent => words("An assertion with this jti came before.", "Sign a new one for each request."),
        AssertionFault::ForeignKeyUrl => {
            words("The assertion names other keys than those registered.", "Send the registered URL as jku, or none.")
        }
        AssertionFault::KeysNotFetched => words(
            "The client's server did not answer, or with no JWK Set.",
            "See that the URL answers within 2 seconds without a redirect; try again in a minute.",
        ),
    }
}

const fn registration(fault: &RegistrationFault) -> Guidance {
    let words = Guidance::new;
    match fault {
        RegistrationFault::WrongToken => words(
            "No token was sent, or one that is used up, over, taken back or of another registration; or the registration is gone.",
            "To register, ask an operator for an initial access token; to manage a registration, send its own token.",
        ),
        RegistrationFault::NotJson => words(
            "The body is no JSON object, is too long or says something twice.",
            "Send the metadata as one JSON object with Content-Type: application/json.",
        ),
        RegistrationFault::Metadata(_) => words(
            "The metadata say something that a client cannot be registered with here.",
            "Do what the words say. What is not known here may be there, and is passed over.",
        ),
        RegistrationFault::RedirectUri(_) => words(
            "A redirect URI is missing, or one to which nobody may be led.",
            "Register https addresses, a scheme of your own, or http on 127.0.0.1, [::1] or localhost.",
        ),
    }
}

const fn unreadable(fault: &ParamFault) -> Guidance {
    match fault {
        ParamFault::Twice(_) => Guidance::new("A parameter was sent more than once.", "Send each parameter once."),
        ParamFault::NotText(_) => Guidance::new(
            "A parameter has bytes that are no UTF-8.",
            "Encode it as UTF-8 before it is percent-encoded.",
        ),
        ParamFault::TooLong(_) => {
            Guidance::new("A parameter is longer than any real one.", "Send the value as it was given to you.")
        }
    }
}

const fn refusal_of(refused: Refused) -> Guidance {
    let words = Guidance::new;
    match refused {
        Refused::Unknown => words(
            "No code or refresh token of this service, or of a session that is long gone. Nothing changed.",
            GRANT_AGAIN,
        ),
        Refused::ForeignClient => words(
            "The code or token belongs to another client. Nothing changed.",
            "Send the code or token as the client that it was issued to.",
        ),
        Refused::CodeExpired => words("The code was redeemed too late.", GRANT_AGAIN),
        Refused::WrongRedirectUri => words(
            "redirect_uri differs from that of the authorization request. The code is not used up.",
            "Send the redirect_uri of the authorization request.",
        ),
        Refused::WrongVerifier => words(
            "The PKCE verifier does not fit. The code is not used up.",
            "Send the verifier that the code_challenge was made from.",
        ),
        Refused::UnexpectedVerifier => words(
            "A PKCE verifier came for a code that was asked for without PKCE. The code is not used up.",
            "Send a code_challenge with the authorization request, or no code_verifier.",
        ),
        Refused::WrongScope => words(
            "A refresh asked for another scope than was granted.",
            "Send the scope that was granted, or none; the same refresh token is still good.",
        ),
        Refused::SessionExpired => SESSION_EXPIRED,
        Refused::SessionRevoked => SESSION_REVOKED,
        Refused::Frozen => words(
            "The account is frozen, or its patient has died. The code or refresh token is not used up.",
            "Stop asking, and tell the user to ask the people who run the service.",
        ),
        Refused::NoProof => words(
            "The session began with a DPoP proof and is bound to its key, and the request has none.",
            "Send a proof with every token request of the session; the code or refresh token is still good.",
        ),
        Refused::OtherKey => words(
            "The proof is by another key than the code or the session of a public client is bound to.",
            "Sign with the key that was used first; the code or refresh token is still good.",
        ),
    }
}

const fn revocation_of(revoked: Revoked) -> Guidance {
    match revoked {
        Revoked::RefreshTokenReplayed => Guidance::new(
            "A refresh token came a second time, which is taken for theft: all tokens of the session are void.",
            "Ask for access again, and keep the newest refresh token only, in one place.",
        ),
        Revoked::CodeReplayed => Guidance::new(
            "A code came a second time, which is taken for theft: all tokens of the session are void.",
            "Ask the user to grant access again, and redeem each code once.",
        ),
        Revoked::TokenFromTheFuture => {
            Guidance::new("The service was restored from a backup that is older than the token.", GRANT_AGAIN)
        }
        Revoked::NoLongerCovered
        | Revoked::PatientChanged
        | Revoked::ByPatient
        | Revoked::ByCoordinator
        | Revoked::ByOperator
        | Revoked::ByClient
        | Revoked::SignedOut => refusal_of(Refused::SessionRevoked),
    }
}
