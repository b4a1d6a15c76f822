//! The authorization request: what makes it invalid (the error page, never a redirect) and what it asks for.

use crate::clients::{ClientKind, Obtains};
use crate::params::{ParamFault, Params};
use crate::redirect;
use crate::scope::{Scope, ScopeRequest};
use alloc::{borrow::Cow, format, string::String};

/// The parameters of an authorization request; all others are ignored.
pub const PARAMETERS: [&str; 7] =
    ["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method"];
/// The values of `response_type` that are understood.
pub const RESPONSE_TYPES: [&str; 1] = ["code"];
/// The values of `code_challenge_method` (RFC 7636) that are understood.
pub const CHALLENGE_METHODS: [&str; 1] = ["S256"];

/// What the client's registration says about authorization requests.
#[derive(Clone, Copy, Debug)]
pub struct Registration<'a> {
    pub kind: ClientKind,
    pub redirect_uris: &'a [String],
    pub scopes: &'a [Scope],
    pub require_pkce: bool,
    pub redirect_extra_query: bool,
}

/// A valid authorization request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidRequest {
    pub redirect_uri: String,
    /// Whether the request named the redirect URI itself; then the token request must name it too.
    pub redirect_uri_sent: bool,
    pub scope: Option<Scope>,
    /// The scope as the client spelt it.
    pub scope_spelt: Option<String>,
    pub state: Option<String>,
    /// The PKCE S256 challenge.
    pub challenge: Option<String>,
}

/// What is wrong with an authorization request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    Unreadable(ParamFault),
    MissingClientId,
    UnknownClient,
    NotAUserClient,
    MissingResponseType,
    WrongResponseType,
    RedirectUriNeeded,
    RedirectUriNotRegistered,
    MalformedScope,
    MalformedState,
    ScopeNotRegistered(Scope),
    ChallengeNeeded,
    MalformedChallenge,
    ChallengeMethod,
}

impl Fault {
    /// What was wrong, for the person who sees the error page and the developer beside them.
    #[must_use]
    pub fn words(&self) -> Cow<'static, str> {
        match self {
            Self::Unreadable(ParamFault::Twice(name)) => format!("The parameter {name} was sent twice.").into(),
            Self::Unreadable(ParamFault::TooLong(name)) => format!("The parameter {name} is too long.").into(),
            Self::Unreadable(ParamFault::NotText(name)) => format!("The parameter {name} is not text in UTF-8.").into(),
            Self::MissingClientId => "The parameter client_id is missing.".into(),
            Self::UnknownClient => "No app is registered under this client_id.".into(),
            Self::NotAUserClient => "The app registered under this client_id cannot ask users for access.".into(),
            Self::MissingResponseType => "The parameter response_type is missing. It must be code.".into(),
            Self::WrongResponseType => "The parameter response_type must be code.".into(),
            Self::RedirectUriNeeded => {
                "The parameter redirect_uri is missing. The app has several registered, so it must name one.".into()
            }
            Self::RedirectUriNotRegistered => "The redirect_uri is not one that is registered for this app.".into(),
            Self::MalformedScope => {
                "The parameter scope must be PATIENT, CLINICIAN or TEAMCOORD, and beside it nothing but words of SMART."
                    .into()
            }
            Self::MalformedState => "The parameter state must not have control characters.".into(),
            Self::ScopeNotRegistered(scope) => {
                format!("The app is not registered for the scope {}.", scope.word()).into()
            }
            Self::ChallengeNeeded => "The parameter code_challenge is missing. PKCE with S256 needs it.".into(),
            Self::MalformedChallenge => {
                "The parameter code_challenge must be 43 characters of base64url, the SHA-256 of the verifier.".into()
            }
            Self::ChallengeMethod => "The parameter code_challenge_method must be S256.".into(),
        }
    }
}

/// Checks an authorization request against the client's registration.
pub fn check(params: &Params<'_>, client: &Registration<'_>) -> Result<ValidRequest, Fault> {
    if client.kind.obtains() != Obtains::AuthorizationCode {
        return Err(Fault::NotAUserClient);
    }
    match params.get("response_type") {
        Some(word) if RESPONSE_TYPES.contains(&word) => {}
        Some(_) => return Err(Fault::WrongResponseType),
        None => return Err(Fault::MissingResponseType),
    }
    let redirect_uri = redirect_uri(params.get("redirect_uri"), client)?;
    let scope_spelt = params.get("scope");
    let scope = scope_spelt.map(|text| ScopeRequest::read(text).ok_or(Fault::MalformedScope)).transpose()?;
    let scope = scope.map(|asked| asked.scope);
    match scope {
        Some(scope) if !scope.is_for_user_clients() => return Err(Fault::MalformedScope),
        Some(scope) if !client.scopes.contains(&scope) => return Err(Fault::ScopeNotRegistered(scope)),
        _ => {}
    }
    Ok(ValidRequest {
        redirect_uri,
        redirect_uri_sent: params.get("redirect_uri").is_some(),
        scope,
        scope_spelt: scope_spelt.map(String::from),
        state: state(params)?,
        challenge: challenge(params, client)?,
    })
}

fn redirect_uri(uri: Option<&str>, client: &Registration<'_>) -> Result<String, Fault> {
    match (uri, client.redirect_uris) {
        (Some(uri), registered) => registered
            .iter()
            .any(|known| redirect::matches(known, uri, client.redirect_extra_query))
            .then(|| String::from(uri))
            .ok_or(Fault::RedirectUriNotRegistered),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(Fault::RedirectUriNeeded),
    }
}

/// RFC 6749 A.5 has printable characters only. With control characters the page's own form, in which each of them takes six
/// bytes, could be too long to be sent back.
fn state(params: &Params<'_>) -> Result<Option<String>, Fault> {
    match params.get("state") {
        Some(state) if state.chars().any(char::is_control) => Err(Fault::MalformedState),
        state => Ok(state.map(String::from)),
    }
}

fn challenge(params: &Params<'_>, client: &Registration<'_>) -> Result<Option<String>, Fault> {
    let Some(challenge) = params.get("code_challenge") else {
        let needed = client.require_pkce || params.get("code_challenge_method").is_some();
        return if needed { Err(Fault::ChallengeNeeded) } else { Ok(None) };
    };
    if !params.get("code_challenge_method").is_some_and(|method| CHALLENGE_METHODS.contains(&method)) {
        return Err(Fault::ChallengeMethod);
    }
    let base64url = challenge.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if challenge.len() != 43 || !base64url {
        return Err(Fault::MalformedChallenge);
    }
    Ok(Some(String::from(challenge)))
}

/// RFC 7636 4.1: 43 to 128 unreserved characters.
#[must_use]
pub fn is_verifier(verifier: &str) -> bool {
    (43..=128).contains(&verifier.len())
        && verifier.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~'))
}
