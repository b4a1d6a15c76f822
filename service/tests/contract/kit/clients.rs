//! The registered clients: one of every make that the contract and its decided gaps tell apart.

use super::calendar::DAY;
use rules::clients::ClientKind;
use rules::ids::ClientId;
use rules::scope::{Scope, ScopeEcho};
use service::secrets::secret::Secret;
use store::clients::Client;

/// A client's registration, with the secret that only the client knows.
pub struct Registration {
    pub product: &'static str,
    pub client_id: &'static str,
    pub kind: ClientKind,
    pub secret: Option<&'static str>,
    pub redirect_uris: &'static [&'static str],
    pub scopes: &'static [Scope],
    /// `None`: its sessions never expire.
    pub session_seconds: Option<i64>,
    pub require_pkce: bool,
    pub retry_seconds: i64,
    pub scope_echo: ScopeEcho,
}

/// A PKCE verifier, and the S256 challenge of it.
pub const VERIFIER: &str = "a-verifier-of-at-least-43-unreserved-characters";
pub const CHALLENGE: &str = "pHmZ5IsAqqERMYgY9uzj8ISHHG-FApj48qXM5i6RW_Y";

/// Owner of every client here.
pub const OWNER: &str = "Dream Ltd";

const PLAIN: Registration = Registration {
    product: "Sleep Diary",
    client_id: "sleep-diary",
    kind: ClientKind::User,
    secret: None,
    redirect_uris: &["https://sleep.example/back"],
    scopes: &[Scope::Patient],
    session_seconds: Some(90 * DAY),
    require_pkce: false,
    retry_seconds: 0,
    scope_echo: ScopeEcho::Lower,
};

const ALL: [Registration; 10] = [
    PLAIN,
    Registration {
        product: "Ward Round",
        client_id: "ward-round",
        secret: Some("rgs_ward-round-secret-5f0e2a7c9d1b4836"),
        redirect_uris: &["https://ward.example/back"],
        scopes: &[Scope::Clinician, Scope::TeamCoord],
        session_seconds: Some(30 * DAY),
        ..PLAIN
    },
    Registration {
        product: "Pill Box",
        client_id: "pill-box",
        redirect_uris: &["http://127.0.0.1:8123/back"],
        require_pkce: true,
        ..PLAIN
    },
    Registration {
        product: "Spotty Signal",
        client_id: "spotty-signal",
        redirect_uris: &["https://spotty.example/back"],
        retry_seconds: 30,
        ..PLAIN
    },
    Registration {
        product: "As You Say",
        client_id: "as-you-say",
        redirect_uris: &["https://say.example/back"],
        scope_echo: ScopeEcho::AsRequested,
        ..PLAIN
    },
    Registration {
        product: "Many Doors",
        client_id: "many-doors",
        redirect_uris: &["https://doors.example/back?door=1", "https://doors.example/other", "doors.app:/back"],
        scopes: &[Scope::Patient, Scope::Clinician, Scope::TeamCoord],
        ..PLAIN
    },
    Registration {
        product: "Evergreen",
        client_id: "evergreen",
        redirect_uris: &["https://evergreen.example/back"],
        session_seconds: None,
        ..PLAIN
    },
    Registration {
        product: "Lab Link",
        client_id: "lab-link",
        kind: ClientKind::System,
        secret: Some("rgs_lab-link-secret-0c7d5e91b2a64f38"),
        redirect_uris: &[],
        scopes: &[],
        session_seconds: None,
        ..PLAIN
    },
    Registration {
        product: "Post Room",
        client_id: "post-room",
        kind: ClientKind::System,
        secret: Some("rgs_post-room-secret-91b2a64f380c7d5e"),
        redirect_uris: &[],
        scopes: &[],
        session_seconds: None,
        ..PLAIN
    },
    Registration {
        product: "Old Bridge",
        client_id: "old-bridge",
        kind: ClientKind::Tethered,
        redirect_uris: &[],
        scopes: &[],
        session_seconds: Some(365 * DAY),
        ..PLAIN
    },
];

pub fn named(product: &str) -> &'static Registration {
    static NAMED: [Registration; 10] = ALL;
    NAMED.iter().find(|known| known.product == product).unwrap_or_else(|| panic!("no client is called {product}"))
}

/// The registrations as the operator declares them.
pub fn all() -> Vec<Client> {
    let client = |known: &Registration| Client {
        id: ClientId::default(),
        client_id: known.client_id.into(),
        kind: known.kind,
        owner: OWNER.into(),
        product: known.product.into(),
        redirect_uris: known.redirect_uris.iter().map(|uri| (*uri).to_owned()).collect(),
        scopes: known.scopes.to_vec(),
        secret: known.secret.map(|secret| Secret::new(secret.to_owned()).fingerprint()),
        keys: Vec::new(),
        jwks_url: None,
        session_seconds: known.session_seconds,
        access_seconds: known.kind.access_seconds(),
        refresh_tokens: known.kind.may_hold_refresh_token(),
        require_pkce: known.require_pkce,
        retry_seconds: known.retry_seconds,
        scope_echo: known.scope_echo,
        redirect_extra_query: false,
        may_introspect: false,
        smart_scopes: Vec::new(),
        user_types: Vec::new(),
        id_token_algorithm: None,
        sector: None,
        default_organisation: None,
        require_par: false,
        dpop_bound: false,
        pkce_when_sent: false,
        launch_url: None,
        post_logout_redirect_uris: Vec::new(),
        registration: None,
        unchecked: false,
        disabled_at: None,
    };
    ALL.iter().map(client).collect()
}
