//! The authorization request: what makes it invalid (the error page, never a redirect) and what it asks for.

use crate::bound_key::KeyThumbprint;
use crate::clients::{ClientKind, Obtains};
use crate::limits::{LAUNCH_SECONDS, PUSHED_SECONDS};
use crate::params::{ParamFault, Params};
use crate::redirect;
use crate::scope::{Scope, ScopeRequest, UserType};
use crate::smart::offer::{self, Manner, SmartOffer};
use crate::smart::request::{SmartScopes, Vocabulary};
use crate::smart::word::SmartScope;
use alloc::{borrow::Cow, format, string::String};

/// The parameters of an authorization request; all others are ignored. Those from `aud` on mean something in requests with
/// words of SMART or OpenID Connect alone.
pub const PARAMETERS: [&str; 15] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    KEY_FIELD,
    "aud",
    "nonce",
    "launch",
    "prompt",
    "max_age",
    "login_hint",
    "response_mode",
];
/// Names a request that its client has pushed (RFC 9126), in the place of all parameters but `client_id`.
pub const REQUEST_URI: &str = crate::params::REQUEST_URI_FIELD;
/// What such a name begins with.
pub const REQUEST_URI_PREFIX: &str = "urn:ietf:params:oauth:request_uri:";
/// Names the key to which the code is bound (RFC 9449, 10).
pub const KEY_FIELD: &str = "dpop_jkt";
/// The values of `response_mode` that are understood.
pub const RESPONSE_MODES: [&str; 1] = ["query"];
/// The values of `prompt` that are understood. `none` leads on only where nobody would be asked anything new.
pub const PROMPTS: [&str; 3] = [NO_PROMPT, SIGN_IN_PROMPT, "consent"];
const NO_PROMPT: &str = "none";
const SIGN_IN_PROMPT: &str = "login";
/// The longest nonce, in bytes.
const LONGEST_NONCE: usize = 512;
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
    /// Whether SMART requests need no PKCE either: a confidential client whose library cannot do it.
    pub pkce_when_sent: bool,
    pub redirect_extra_query: bool,
    /// The SMART scopes that it may be granted, and who may sign in beside those of its `scopes`.
    pub smart_scopes: &'a [SmartScope],
    pub user_types: &'a [UserType],
    /// Whether it can be opened from here, so that a launch of it can have begun here.
    pub can_be_launched: bool,
}

/// What the service is, as far as requests speak of it.
#[derive(Clone, Copy, Debug)]
pub struct Service<'a> {
    /// The address of the FHIR API, for which SMART's apps say that they want tokens.
    pub audience: &'a str,
    pub vocabulary: &'a Vocabulary,
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
    /// The key to which the code is bound.
    pub key: Option<KeyThumbprint>,
    /// What of SMART and OpenID Connect is asked for; nothing where the contract's words stand alone.
    pub smart: Option<SmartOffer>,
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
    MalformedKey,
    /// A SMART request that does not say for which API it wants tokens.
    MissingAudience,
    WrongAudience,
    /// Nothing of SMART's scopes is the client's to ask for.
    NoScopeLeft,
    MalformedNonce,
    /// A launch that did not begin here, or was another app's or another person's.
    UnknownLaunch,
    ExpiredLaunch,
    WrongPrompt,
    WrongResponseMode,
    /// A `request_uri` that was not given out here, or to another app.
    UnknownRequestUri,
    ExpiredRequestUri,
    /// A request that refers to another cannot be pushed.
    RequestUriPushed,
    /// A client that must push its requests sends one in the URL.
    PushNeeded,
}

impl Fault {
    /// What was wrong, for the person who sees the error page and the developer beside them.
    #[must_use]
    pub fn words(&self) -> Cow<'static, str> {
        match self {
            Self::Unreadable(fault) => fault.words().into(),
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
            Self::MissingAudience => {
                "The parameter aud is missing. It must be the address of the FHIR API that the app was given.".into()
            }
            Self::WrongAudience => {
                "The parameter aud is not the address of the FHIR API here. The app may have been sent to the wrong place."
                    .into()
            }
            Self::NoScopeLeft => "The app is registered for none of the scopes that it asks for.".into(),
            Self::MalformedNonce => {
                format!("The parameter nonce must be printable and at most {LONGEST_NONCE} bytes long.").into()
            }
            Self::UnknownLaunch => "The parameter launch is not one that was given out here, to you and for this app.".into(),
            Self::ExpiredLaunch => {
                format!("The parameter launch is older than {} minutes. Open the app from here again.", LAUNCH_SECONDS / 60)
                    .into()
            }
            Self::WrongPrompt => "The parameter prompt must be none alone, or login or consent.".into(),
            Self::WrongResponseMode => "The parameter response_mode must be query.".into(),
            Self::UnknownRequestUri => "The request_uri is not one that this app was given here.".into(),
            Self::ExpiredRequestUri => {
                format!("The request_uri is older than {PUSHED_SECONDS} seconds. The app must push its request again.")
                    .into()
            }
            Self::RequestUriPushed => "The parameter request_uri cannot be in a request that is pushed.".into(),
            Self::PushNeeded => "The app must push its requests (RFC 9126), and has not pushed this one.".into(),
            Self::MalformedState => "The parameter state must not have control characters.".into(),
            Self::ScopeNotRegistered(scope) => {
                format!("The app is not registered for the scope {}.", scope.word()).into()
            }
            Self::ChallengeNeeded => "The parameter code_challenge is missing. PKCE with S256 needs it.".into(),
            Self::MalformedChallenge => {
                "The parameter code_challenge must be 43 characters of base64url, the SHA-256 of the verifier.".into()
            }
            Self::ChallengeMethod => "The parameter code_challenge_method must be S256.".into(),
            Self::MalformedKey => {
                "The parameter dpop_jkt must be 43 characters of base64url, the SHA-256 of a JWK (RFC 7638).".into()
            }
        }
    }
}

/// Checks an authorization request against the client's registration.
pub fn check(params: &Params<'_>, client: &Registration<'_>, service: &Service<'_>) -> Result<ValidRequest, Fault> {
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
    let asked = scope_spelt.map(|text| SmartScopes::asked(text, service.vocabulary)).unwrap_or_default();
    let scope = match scope_spelt {
        Some(_) if asked.is_smart() => None,
        text => text.map(|text| ScopeRequest::read(text).ok_or(Fault::MalformedScope)).transpose()?,
    };
    let scope = scope.map(|asked| asked.scope);
    match scope {
        Some(scope) if !scope.is_for_user_clients() => return Err(Fault::MalformedScope),
        Some(scope) if !client.scopes.contains(&scope) => return Err(Fault::ScopeNotRegistered(scope)),
        _ => {}
    }
    let needs_challenge = client.require_pkce || asked.is_smart() && !client.pkce_when_sent;
    Ok(ValidRequest {
        redirect_uri,
        redirect_uri_sent: params.get("redirect_uri").is_some(),
        scope,
        scope_spelt: scope_spelt.map(String::from),
        state: state(params)?,
        challenge: challenge(params, needs_challenge)?,
        key: key(params)?,
        smart: smart(params, &asked, client, service)?,
    })
}

/// What a request with words of SMART or OpenID Connect offers. Beside a word of the contract they are passed over where the client
/// is registered for none of them: many libraries add them by themselves.
fn smart(
    params: &Params<'_>,
    asked: &SmartScopes,
    client: &Registration<'_>,
    service: &Service<'_>,
) -> Result<Option<SmartOffer>, Fault> {
    if !asked.has_smart_word {
        return Ok(None);
    }
    match params.get("aud") {
        Some(aud) if aud.strip_suffix('/').unwrap_or(aud) == service.audience => {}
        Some(_) => return Err(Fault::WrongAudience),
        None if asked.is_smart() => return Err(Fault::MissingAudience),
        None => {}
    }
    let launch = params.get("launch").map(String::from);
    if launch.is_some() && !client.can_be_launched {
        return Err(Fault::UnknownLaunch);
    }
    if params.get("response_mode").is_some_and(|mode| !RESPONSE_MODES.contains(&mode)) {
        return Err(Fault::WrongResponseMode);
    }
    if !asked.is_smart() && client.smart_scopes.is_empty() {
        return Ok(None);
    }
    let by = offer::may_sign_in(client.scopes, client.user_types);
    let prompt = Prompt::of(params, asked.is_smart())?;
    let offer = SmartOffer {
        is_pure: asked.is_smart(),
        scopes: offer::offered(
            &asked.scopes,
            client.smart_scopes,
            &by,
            // By what the page's own form brings back, so that its lines are the same when they come.
            Manner {
                is_launched: launch.is_some(),
                by_sign_in: asked.is_smart() && (launch.is_some() || prompt.is_silent),
            },
        ),
        nonce: nonce(params)?,
        login_hint: params.get("login_hint").map(String::from),
        is_silent: prompt.is_silent,
        asks_to_sign_in: prompt.asks_to_sign_in,
        max_age: params.get("max_age").and_then(|seconds| seconds.parse().ok()),
        launch,
    };
    // Whoever asks for less than everything is never given everything.
    let asks_for_items = asked.scopes.iter().any(|scope| scope.resource().is_some());
    let gives_items = offer.scopes.iter().any(|scope| scope.resource().is_some());
    match offer.is_pure {
        true if !offer.is_something() => Err(Fault::NoScopeLeft),
        false if asks_for_items && !gives_items => Err(Fault::NoScopeLeft),
        _ => Ok(Some(offer)),
    }
}

fn nonce(params: &Params<'_>) -> Result<Option<String>, Fault> {
    match params.get("nonce") {
        Some(nonce) if nonce.len() > LONGEST_NONCE || nonce.chars().any(char::is_control) => Err(Fault::MalformedNonce),
        nonce => Ok(nonce.map(String::from)),
    }
}

/// What a request's `prompt` says.
#[derive(Default)]
struct Prompt {
    /// Nobody is to be asked anything.
    is_silent: bool,
    /// Whoever is signed in proves who they are once more.
    asks_to_sign_in: bool,
}

impl Prompt {
    /// Beside a word of the contract it is passed over.
    fn of(params: &Params<'_>, is_smart: bool) -> Result<Self, Fault> {
        let Some(text) = params.get("prompt").filter(|_| is_smart) else { return Ok(Self::default()) };
        let is_silent = text == NO_PROMPT;
        let is_known = text.split(' ').all(|word| PROMPTS.contains(&word) && (is_silent || word != NO_PROMPT));
        let asks_to_sign_in = text.split(' ').any(|word| word == SIGN_IN_PROMPT);
        is_known.then_some(Self { is_silent, asks_to_sign_in }).ok_or(Fault::WrongPrompt)
    }
}

/// Whether the page's own form brings this parameter back, to be checked anew: all that decides what is granted. The rest is
/// heeded once; kept, it could make the form too long to be sent back.
#[must_use]
pub fn is_kept(name: &str, request: &ValidRequest) -> bool {
    match name {
        "aud" | "nonce" | "launch" => request.smart.is_some(),
        "prompt" | "max_age" | "login_hint" | "response_mode" => false,
        _ => true,
    }
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

fn challenge(params: &Params<'_>, is_needed: bool) -> Result<Option<String>, Fault> {
    let Some(challenge) = params.get("code_challenge") else {
        let needed = is_needed || params.get("code_challenge_method").is_some();
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

fn key(params: &Params<'_>) -> Result<Option<KeyThumbprint>, Fault> {
    params.get(KEY_FIELD).map(|text| KeyThumbprint::read(text).ok_or(Fault::MalformedKey)).transpose()
}

/// RFC 7636 4.1: 43 to 128 unreserved characters.
#[must_use]
pub fn is_verifier(verifier: &str) -> bool {
    (43..=128).contains(&verifier.len())
        && verifier.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~'))
}
