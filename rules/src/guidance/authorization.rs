//! The authorization endpoint: what its error page says and what a redirect carries, one specimen of each, and the guidance.

use super::words::{Guidance, VARIES};
use crate::authorize::Fault;
use crate::oauth_errors::RedirectError;
use crate::params::ParamFault;
use crate::scope::Scope;
use alloc::{vec, vec::Vec};

/// One specimen of every fault of a request, and of every wording that it has.
#[must_use]
pub fn every_fault() -> Vec<Fault> {
    vec![
        Fault::Unreadable(ParamFault::Twice(VARIES.into())),
        Fault::Unreadable(ParamFault::TooLong(VARIES.into())),
        Fault::Unreadable(ParamFault::NotText(VARIES.into())),
        Fault::MissingClientId,
        Fault::UnknownClient,
        Fault::NotAUserClient,
        Fault::MissingResponseType,
        Fault::WrongResponseType,
        Fault::RedirectUriNeeded,
        Fault::RedirectUriNotRegistered,
        Fault::MalformedScope,
        Fault::MalformedState,
        Fault::ScopeNotRegistered(Scope::Clinician),
        Fault::ChallengeNeeded,
        Fault::MalformedChallenge,
        Fault::ChallengeMethod,
        Fault::MalformedKey,
        Fault::MissingAudience,
        Fault::WrongAudience,
        Fault::NoScopeLeft,
        Fault::MalformedNonce,
        Fault::UnknownLaunch,
        Fault::ExpiredLaunch,
        Fault::WrongPrompt,
        Fault::WrongResponseMode,
        Fault::UnknownRequestUri,
        Fault::ExpiredRequestUri,
        Fault::RequestUriPushed,
        Fault::PushNeeded,
    ]
}

/// What a fault means to the app's developer, and what to do about it.
#[must_use]
pub const fn of_fault(fault: &Fault) -> Guidance {
    let words = Guidance::new;
    match fault {
        Fault::Unreadable(ParamFault::Twice(_)) => {
            words("A parameter was sent more than once.", "Send each parameter once.")
        }
        Fault::Unreadable(ParamFault::TooLong(_)) => words(
            "A parameter is longer than any real one.",
            "Send less; keep a long state at your side, under a short key.",
        ),
        Fault::Unreadable(ParamFault::NotText(_)) => {
            words("A parameter has bytes that are no UTF-8.", "Encode it as UTF-8 before it is percent-encoded.")
        }
        Fault::MissingClientId => words("The app did not say who it is.", "Send client_id."),
        Fault::UnknownClient => words(
            "No client has this Client ID, or it is disabled.",
            "Check the Client ID with the people who registered the app.",
        ),
        Fault::NotAUserClient => words(
            "Users grant access to User Clients only.",
            "A System Client asks the token endpoint; a Tethered-Token System Client asks a Team Coordinator.",
        ),
        Fault::MissingResponseType | Fault::WrongResponseType => {
            words("Only the authorization code flow is there.", "Send response_type=code.")
        }
        Fault::RedirectUriNeeded => {
            words("Several redirect URIs are registered for the app.", "Name one of them in redirect_uri.")
        }
        Fault::RedirectUriNotRegistered => words(
            "redirect_uri is none of those registered, so nothing is sent there.",
            "Send a registered one, letter by letter, or have this one registered.",
        ),
        Fault::MalformedScope => words("scope is not one that users grant.", "Send one of the three, or none."),
        Fault::MalformedState => {
            words("state has control characters, which no redirect can carry back.", "Send state as printable text.")
        }
        Fault::ScopeNotRegistered(_) => {
            words("The app is not registered for this scope.", "Ask for another, or have the app registered for it.")
        }
        Fault::ChallengeNeeded => {
            words("The app must use PKCE, or named a method without a challenge.", "Send code_challenge with S256.")
        }
        Fault::MalformedChallenge => {
            words("code_challenge is no SHA-256 in base64url.", "Make it from the verifier, without padding.")
        }
        Fault::ChallengeMethod => {
            words("Another method of PKCE than S256 was asked for.", "Send code_challenge_method=S256.")
        }
        Fault::MalformedKey => words(
            "dpop_jkt is no thumbprint of a key.",
            "Send the SHA-256 thumbprint (RFC 7638) of the key that will sign the DPoP proofs, or leave it out.",
        ),
        Fault::MissingAudience => words(
            "A SMART request does not say for which FHIR API it wants tokens.",
            "Send aud with the address of the FHIR API, as SMART's libraries do.",
        ),
        Fault::WrongAudience => words(
            "The app wants tokens for another FHIR API than this one.",
            "Read the address of the authorization endpoint from the FHIR API that aud names.",
        ),
        Fault::NoScopeLeft => words(
            "None of the scopes is known, registered for the app, and possible for its users.",
            "Ask for others, or have the app registered for these.",
        ),
        Fault::MalformedNonce => words("nonce is longer than any real one, or not printable.", "Send a random text."),
        Fault::UnknownLaunch => words(
            "launch is not what the app was opened with here, by whoever is signed in to this browser.",
            "Send it as it came; where the app was not opened from here, leave it out and ask for launch/patient.",
        ),
        Fault::ExpiredLaunch => {
            words("The app asked for access long after it was opened.", "Ask at once when the launch URL is opened.")
        }
        Fault::WrongPrompt => words(
            "prompt has a word that is not understood, or none beside others.",
            "Send none, login or consent, or leave it out.",
        ),
        Fault::WrongResponseMode => {
            words("Answers come back in the query of the redirect only.", "Send response_mode=query, or leave it out.")
        }
        Fault::UnknownRequestUri => words(
            "request_uri is not what /apiPar.action answered, or client_id is not who pushed the request.",
            "Send both as they are; requests from elsewhere are not fetched.",
        ),
        Fault::ExpiredRequestUri => words(
            "Between pushing the request and opening the page a minute has passed.",
            "Push the request when the person is about to be sent here.",
        ),
        Fault::RequestUriPushed => {
            words("A request was pushed that refers to another.", "Push the parameters themselves.")
        }
        Fault::PushNeeded => words(
            "The client is registered with require_par.",
            "Send the parameters to /apiPar.action first, and the person here with its request_uri.",
        ),
    }
}

/// Every error of a redirect.
#[must_use]
pub const fn every_redirect_error() -> [RedirectError; 6] {
    [
        RedirectError::AccessDenied,
        RedirectError::LoginRequired,
        RedirectError::ConsentRequired,
        RedirectError::InteractionRequired,
        RedirectError::ServerError,
        RedirectError::TemporarilyUnavailable,
    ]
}

/// What the error of a redirect means, and what to do about it.
#[must_use]
pub const fn of_redirect_error(error: RedirectError) -> Guidance {
    match error {
        RedirectError::AccessDenied => Guidance::new(
            "The person said no, could not log in, or is of a type that may not grant this scope.",
            "Go on without access, and ask again when the person wants to.",
        ),
        RedirectError::LoginRequired => Guidance::new(
            "prompt=none was sent, and nobody is signed in in this browser, or not lately enough.",
            "Ask again without prompt=none, when the person is there.",
        ),
        RedirectError::ConsentRequired => Guidance::new(
            "prompt=none was sent, and the person has no session of this app now that has all that is asked for; or offline_access is.",
            "Ask again without prompt=none; with it ask for what was granted, and not for offline_access.",
        ),
        RedirectError::InteractionRequired => Guidance::new(
            "prompt=none was sent, and a page would have more to settle: a second factor, a launch; or the redirect URI is not https.",
            "Ask again without prompt=none, when the person is there.",
        ),
        RedirectError::ServerError => {
            Guidance::new("A fault on our side.", "Ask again; if it stays, tell the people who run the service.")
        }
        RedirectError::TemporarilyUnavailable => {
            Guidance::new("The service is busy or its database is away.", "Ask again in a moment.")
        }
    }
}
