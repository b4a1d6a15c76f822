//! Checking a declared client against the registration rules of its kind.

use super::check::Check;
use super::declaration::ClientDeclaration;
use crate::formats::durations;
use crate::secrets::key_set;
use crate::secrets::secret::Secret;
use rules::clients::{ClientKind, Obtains};
use rules::key_urls::KeyUrl;
use rules::limits::{
    LONGEST_ACCESS_SECONDS, LONGEST_RETRY_SECONDS, SECRET_CHARACTERS, SESSION_SECONDS, SMART_SYSTEM_ACCESS_SECONDS,
    TOKEN_SCOPES_BYTES,
};
use rules::openid;
use rules::redirect;
use rules::scope::{Scope, ScopeEcho, UserType};
use rules::smart::request::{self, MOST_SCOPES};
use rules::smart::word::{ScopeContext, SmartScope};
use store::vocabulary::VOCABULARY;

/// The word for a client that is spared PKCE in SMART requests.
pub(crate) const WHEN_SENT: &str = "when-sent";

/// A client as a file or the command line spells it.
#[derive(Debug, Default)]
pub(crate) struct ClientFields {
    pub client_id: Option<String>,
    pub kind: Option<String>,
    pub owner: Option<String>,
    pub product: Option<String>,
    pub redirect_uris: Option<Vec<String>>,
    pub scopes: Option<Vec<String>>,
    pub secret: Option<Secret>,
    /// A JWK Set, as JSON.
    pub jwks: Option<String>,
    /// Where its JWK Set is.
    pub jwks_url: Option<String>,
    pub session: Option<String>,
    pub access_token: Option<String>,
    pub refresh_tokens: Option<bool>,
    pub require_pkce: Option<bool>,
    pub refresh_retry_seconds: Option<i64>,
    pub scope_echo: Option<String>,
    pub redirect_extra_query: Option<bool>,
    pub may_introspect: Option<bool>,
    pub user_types: Option<Vec<String>>,
    pub id_token_signed_response_alg: Option<String>,
    pub sector: Option<String>,
    pub default_organisation: Option<String>,
    pub require_par: Option<bool>,
    pub dpop_bound_access_tokens: Option<bool>,
    /// `when-sent`, or nothing.
    pub pkce: Option<String>,
    pub launch_url: Option<String>,
    pub post_logout_redirect_uris: Option<Vec<String>>,
}

/// The client, if everything about it will do.
pub(crate) fn client(fields: ClientFields, at: String, problems: &mut Vec<String>) -> Option<ClientDeclaration> {
    let mut check = Check::new(&at, "client", fields.client_id.as_deref(), problems);
    let client_id = check.id("client_id", fields.client_id.as_deref());
    let kind = check.must("kind", fields.kind.as_deref(), "user, system or tethered", ClientKind::named);
    let owner = check.name("owner", fields.owner.as_deref());
    let product = check.name("product", fields.product.as_deref());
    let scope_echo = check.may("scope_echo", fields.scope_echo.as_deref(), "lower or as-requested", ScopeEcho::named);
    let pkce =
        check.may("pkce", fields.pkce.as_deref(), "when-sent, or left out", |text| (text == WHEN_SENT).then_some(()));
    if pkce.is_some() && fields.require_pkce == Some(true) {
        check.note("pkce = \"when-sent\" and require_pkce contradict each other; leave one of them out");
    }
    let access = access_seconds(&mut check, fields.access_token.as_deref());
    let retry_seconds = fields.refresh_retry_seconds.unwrap_or(0);
    if !(0..=LONGEST_RETRY_SECONDS).contains(&retry_seconds) {
        check.note(&format!("refresh_retry_seconds must be from 0 to {LONGEST_RETRY_SECONDS}"));
    }
    let session = session_seconds(&mut check, fields.session.as_deref());
    let (scopes, smart_scopes) = scopes(&mut check, fields.scopes.as_deref().unwrap_or_default());
    let user_types = user_types(&mut check, fields.user_types.as_deref().unwrap_or_default());
    let id_token_algorithm = check.may(
        "id_token_signed_response_alg",
        fields.id_token_signed_response_alg.as_deref(),
        "RS256 or ES256",
        openid::id_token_algorithm,
    );
    let sector = fields.sector.as_deref().and_then(|sector| check.name("sector", Some(sector)));
    let default_organisation = fields.default_organisation.as_deref().and_then(|named| {
        check.must("default_organisation", Some(named), "the public id of an organisation, a UUID", public_id)
    });
    redirect_uris(&mut check, fields.redirect_uris.as_deref().unwrap_or_default());
    page_uris(&mut check, "launch_url", fields.launch_url.as_slice());
    page_uris(&mut check, "post_logout_redirect_uris", fields.post_logout_redirect_uris.as_deref().unwrap_or_default());
    if fields.launch_url.is_some() && !smart_scopes.contains(&SmartScope::Launch) {
        check.note(
            "launch_url needs the scope launch, by which the app is told whom it was opened for; add it to scopes",
        );
    }
    secret(&mut check, fields.secret.as_ref());
    let jwks = jwks(&mut check, fields.jwks.as_deref());
    let jwks_url = jwks_url(&mut check, fields.jwks_url.as_deref());
    if fields.secret.is_some() && (fields.jwks.is_some() || fields.jwks_url.is_some()) {
        let keys = if fields.jwks.is_some() { "jwks" } else { "jwks_url" };
        check.note(&format!("secret and {keys} are two ways to prove who it is; give one of them"));
    }
    if fields.jwks.is_some() && fields.jwks_url.is_some() {
        check.note("jwks and jwks_url are two places of its keys; give one of them");
    }
    if let Some(kind) = kind {
        of_kind(&mut check, kind, &fields);
        of_smart(&mut check, kind, (&scopes, &smart_scopes), &user_types);
        of_system(&mut check, kind, &smart_scopes, fields.default_organisation.is_some());
    }
    let declared = || {
        let kind = kind?;
        Some(ClientDeclaration {
            at,
            client_id: client_id?,
            kind,
            owner: owner?,
            product: product?,
            redirect_uris: fields.redirect_uris.unwrap_or_default(),
            scopes,
            secret: fields.secret,
            jwks,
            jwks_url,
            session_seconds: if kind.has_session() { session } else { None },
            access_seconds: access.unwrap_or_else(|| match kind.obtains() {
                Obtains::ClientCredentials if !smart_scopes.is_empty() => SMART_SYSTEM_ACCESS_SECONDS,
                _ => kind.access_seconds(),
            }),
            refresh_tokens: fields.refresh_tokens.unwrap_or_else(|| kind.may_hold_refresh_token()),
            require_pkce: fields.require_pkce.unwrap_or(false),
            retry_seconds,
            scope_echo: scope_echo.unwrap_or(ScopeEcho::Lower),
            redirect_extra_query: fields.redirect_extra_query.unwrap_or(false),
            may_introspect: fields.may_introspect.unwrap_or(false),
            smart_scopes,
            user_types,
            id_token_algorithm: id_token_algorithm.map(|algorithm| algorithm.word().to_owned()),
            sector,
            default_organisation,
            require_par: fields.require_par.unwrap_or(false),
            dpop_bound: fields.dpop_bound_access_tokens.unwrap_or(false),
            pkce_when_sent: pkce.is_some(),
            launch_url: fields.launch_url,
            post_logout_redirect_uris: fields.post_logout_redirect_uris.unwrap_or_default(),
        })
    };
    let declared = declared();
    check.sound(declared)
}

fn access_seconds(check: &mut Check<'_>, text: Option<&str>) -> Option<i64> {
    let longest = durations::duration(LONGEST_ACCESS_SECONDS);
    check.may("access_token", text, &format!("a duration such as 10m or 1h, at most {longest}"), |text| {
        durations::seconds(text).filter(|seconds| *seconds <= LONGEST_ACCESS_SECONDS)
    })
}

/// `None` is a session that never expires.
fn session_seconds(check: &mut Check<'_>, text: Option<&str>) -> Option<i64> {
    let read = |text: &str| if text == "never" { Some(None) } else { durations::seconds(text).map(Some) };
    match text {
        None => Some(SESSION_SECONDS),
        Some(text) => check.must("session", Some(text), "a duration such as 90d, 12h or 30m, or never", read).flatten(),
    }
}

/// The contract's words, and SMART's.
fn scopes(check: &mut Check<'_>, words: &[String]) -> (Vec<Scope>, Vec<SmartScope>) {
    const EXPECTED: &str = "PATIENT, CLINICIAN or TEAMCOORD, or a scope of SMART as docs/smart.md has them";
    let (mut scopes, mut smart) = (Vec::new(), Vec::new());
    if words.len() > MOST_SCOPES {
        check.note(&format!("scopes has more than {MOST_SCOPES} of them"));
    }
    for word in words {
        let known = SmartScope::read(word).filter(|scope| VOCABULARY.knows(scope));
        let is_twice = match (known, Scope::named(word).filter(|scope| scope.is_for_user_clients())) {
            (Some(scope), _) => once(&mut smart, scope),
            (None, Some(scope)) => once(&mut scopes, scope),
            (None, None) => {
                check.must("scopes", Some(word), EXPECTED, |_| None::<Scope>);
                false
            }
        };
        if is_twice {
            check.note(&format!("scopes names {word} twice"));
        }
    }
    (scopes, smart)
}

fn user_types(check: &mut Check<'_>, words: &[String]) -> Vec<UserType> {
    let mut types = Vec::new();
    for word in words {
        let of = check.must("user_types", Some(word), "PATIENT, CLINICIAN or TEAMCOORD", |word| {
            UserType::named(word).filter(|of| of.scope().is_some())
        });
        if of.is_some_and(|of| once(&mut types, of)) {
            check.note(&format!("user_types names {word} twice"));
        }
    }
    types
}

/// Adds what is not there yet; tells whether it was.
fn once<T: PartialEq>(all: &mut Vec<T>, one: T) -> bool {
    let is_there = all.contains(&one);
    if !is_there {
        all.push(one);
    }
    is_there
}

/// What SMART's scopes need: of a System Client those of an organisation alone, of a User Client somebody who may sign in.
fn of_smart(
    check: &mut Check<'_>,
    kind: ClientKind,
    (scopes, smart): (&[Scope], &[SmartScope]),
    user_types: &[UserType],
) {
    let is_user = kind.obtains() == Obtains::AuthorizationCode;
    let is_system = |scope: &SmartScope| scope.resource().is_some_and(|of| of.context == ScopeContext::System);
    if let Some(unfit) = smart.iter().find(|scope| is_system(scope) == is_user) {
        check.note(&format!("the scope {unfit} is not for a {}; leave it out", kind.contract_name()));
    }
    if !is_user && !user_types.is_empty() {
        check.note(&format!("user_types is not for a {}; leave it out", kind.contract_name()));
    }
    if is_user && scopes.is_empty() && !smart.is_empty() && user_types.is_empty() {
        check.note("user_types is missing; where all scopes are SMART's, it says who may sign in");
    }
    if !scopes.is_empty() && !user_types.is_empty() {
        check.note("user_types is not for a client with PATIENT, CLINICIAN or TEAMCOORD, which say who may sign in");
    }
}

/// What a System Client with scopes of SMART needs.
fn of_system(check: &mut Check<'_>, kind: ClientKind, smart: &[SmartScope], has_default: bool) {
    let is_system = kind.obtains() == Obtains::ClientCredentials;
    let bytes = request::spelt(smart).len();
    if is_system && bytes > TOKEN_SCOPES_BYTES {
        check.note(&format!(
            "scopes are {bytes} bytes together, and a token of a System Client says at most {TOKEN_SCOPES_BYTES}; name fewer, \
             or system/* of what it needs"
        ));
    }
    if has_default && (!is_system || smart.is_empty()) {
        check.note("default_organisation is for a System Client with scopes such as system/*.rs; leave it out");
    }
}

/// The public id of an organisation, in the spelling of the database.
fn public_id(text: &str) -> Option<String> {
    uuid::Uuid::try_parse(text).ok().filter(|_| text.len() == 36).map(|uuid| uuid.to_string())
}

fn redirect_uris(check: &mut Check<'_>, uris: &[String]) {
    for (at, uri) in uris.iter().enumerate() {
        if let Err(fault) = redirect::registrable(uri) {
            check.note(&format!("the redirect URI {uri:?} {}", fault.words()));
        }
        if uris.iter().take(at).any(|earlier| earlier == uri) {
            check.note(&format!("the redirect URI {uri:?} is there twice"));
        }
    }
}

/// Addresses to which browsers are led without a code.
fn page_uris(check: &mut Check<'_>, field: &str, uris: &[String]) {
    for uri in uris {
        if let Err(fault) = redirect::registrable_page(uri) {
            check.note(&format!("{field} {uri:?} {}", fault.words()));
        }
    }
}

fn secret(check: &mut Check<'_>, secret: Option<&Secret>) {
    if let Some(secret) = secret {
        if secret.reveal().chars().count() < SECRET_CHARACTERS {
            check.note(&format!(
                "secret is shorter than {SECRET_CHARACTERS} characters, so it could be guessed; leave it out of a System \
                 Client to have one made"
            ));
        }
        if !secret.reveal().bytes().all(|byte| byte.is_ascii_graphic()) {
            check.note("secret must be printable ASCII characters without spaces");
        }
    }
}

/// The public keys, each as a JWK on one line.
fn jwks(check: &mut Check<'_>, set: Option<&str>) -> Vec<String> {
    match set.map(key_set::read) {
        None => Vec::new(),
        Some(Ok(keys)) => keys.into_iter().map(|key| key.jwk).collect(),
        Some(Err(faults)) => {
            faults.iter().for_each(|fault| check.note(fault));
            Vec::new()
        }
    }
}

/// Where the keys are. Whether the service goes there is for it to say.
fn jwks_url(check: &mut Check<'_>, url: Option<&str>) -> Option<String> {
    match url.map(|url| KeyUrl::read(url).map(|_| url.to_owned()))? {
        Ok(url) => Some(url),
        Err(fault) => {
            check.note(&format!("jwks_url {}", fault.words()));
            None
        }
    }
}

/// What each kind needs, and what it has no use for: a setting without effect would be a promise not kept.
fn of_kind(check: &mut Check<'_>, kind: ClientKind, fields: &ClientFields) {
    let has = |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
    let is_user = kind.obtains() == Obtains::AuthorizationCode;
    let mut refuse = |unfit: bool, field: &str| {
        if unfit {
            check.note(&format!("{field} is not for a {}; leave it out", kind.contract_name()));
        }
    };
    refuse(!is_user && has(&fields.redirect_uris), "redirect_uris");
    let mut of_contract = fields.scopes.iter().flatten().filter(|word| Scope::named(word).is_some());
    let is_unfit = !is_user && of_contract.next().is_some();
    refuse(is_unfit || kind.obtains() == Obtains::CoordinatorGrant && has(&fields.scopes), "scopes");
    refuse(!is_user && fields.id_token_signed_response_alg.is_some(), "id_token_signed_response_alg");
    refuse(!is_user && fields.sector.is_some(), "sector");
    refuse(!is_user && fields.require_pkce == Some(true), "require_pkce");
    refuse(!is_user && fields.require_par == Some(true), "require_par");
    refuse(!is_user && fields.pkce.is_some(), "pkce");
    refuse(!is_user && fields.redirect_extra_query == Some(true), "redirect_extra_query");
    refuse(!is_user && fields.launch_url.is_some(), "launch_url");
    refuse(!is_user && has(&fields.post_logout_redirect_uris), "post_logout_redirect_uris");
    refuse(kind.obtains() == Obtains::CoordinatorGrant && fields.secret.is_some(), "secret");
    refuse(kind.obtains() == Obtains::CoordinatorGrant && fields.may_introspect == Some(true), "may_introspect");
    let is_bound = fields.dpop_bound_access_tokens == Some(true);
    refuse(!kind.may_bind_tokens() && is_bound, "dpop_bound_access_tokens");
    refuse(!kind.may_hold_keys() && fields.jwks.is_some(), "jwks");
    refuse(!kind.may_hold_keys() && fields.jwks_url.is_some(), "jwks_url");
    refuse(!kind.has_session() && fields.session.is_some(), "session");
    refuse(!kind.may_hold_refresh_token() && fields.refresh_tokens == Some(true), "refresh_tokens");
    refuse(!kind.may_hold_refresh_token() && fields.refresh_retry_seconds.unwrap_or(0) != 0, "refresh_retry_seconds");
    if is_user && !has(&fields.redirect_uris) {
        check.note("redirect_uris is missing; a User Client needs at least one");
    }
    if is_user && !has(&fields.scopes) {
        check.note(
            "scopes is missing; a User Client needs at least one of PATIENT, CLINICIAN and TEAMCOORD, or of SMART's",
        );
    }
}
