//! The registered clients: one of every make that the contract and its decided gaps tell apart.

use super::DAY;
use rules::clients::ClientKind;
use rules::scope::{Scope, ScopeEcho};
use service::secrets::secret::Secret;
use store::clients::Client;

/// What a client knows of itself.
pub struct About {
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

const PLAIN: About = About {
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

const ALL: [About; 10] = [
    PLAIN,
    About {
        product: "Ward Round",
        client_id: "ward-round",
        secret: Some("rgs_ward-round-secret-5f0e2a7c9d1b4836"),
        redirect_uris: &["https://ward.example/back"],
        scopes: &[Scope::Clinician, Scope::TeamCoord],
        session_seconds: Some(30 * DAY),
        ..PLAIN
    },
    About {
        product: "Pill Box",
        client_id: "pill-box",
        redirect_uris: &["http://127.0.0.1:8123/back"],
        require_pkce: true,
        ..PLAIN
    },
    About {
        product: "Spotty Signal",
        client_id: "spotty-signal",
        redirect_uris: &["https://spotty.example/back"],
        retry_seconds: 30,
        ..PLAIN
    },
    About {
        product: "As You Say",
        client_id: "as-you-say",
        redirect_uris: &["https://say.example/back"],
        scope_echo: ScopeEcho::AsRequested,
        ..PLAIN
    },
    About {
        product: "Many Doors",
        client_id: "many-doors",
        redirect_uris: &["https://doors.example/back?door=1", "https://doors.example/other", "doors.app:/back"],
        scopes: &[Scope::Patient, Scope::Clinician, Scope::TeamCoord],
        ..PLAIN
    },
    About {
        product: "Evergreen",
        client_id: "evergreen",
        redirect_uris: &["https://evergreen.example/back"],
        session_seconds: None,
        ..PLAIN
    },
    About {
        product: "Lab Link",
        client_id: "lab-link",
        kind: ClientKind::System,
        secret: Some("rgs_lab-link-secret-0c7d5e91b2a64f38"),
        redirect_uris: &[],
        scopes: &[],
        session_seconds: None,
        ..PLAIN
    },
    About {
        product: "Post Room",
        client_id: "post-room",
        kind: ClientKind::System,
        secret: Some("rgs_post-room-secret-91b2a64f380c7d5e"),
        redirect_uris: &[],
        scopes: &[],
        session_seconds: None,
        ..PLAIN
    },
    About {
        product: "Old Bridge",
        client_id: "old-bridge",
        kind: ClientKind::Tethered,
        redirect_uris: &[],
        scopes: &[],
        session_seconds: Some(365 * DAY),
        ..PLAIN
    },
];

pub fn named(product: &str) -> &'static About {
    static NAMED: [About; 10] = ALL;
    NAMED.iter().find(|about| about.product == product).unwrap_or_else(|| panic!("no client is called {product}"))
}

/// The registrations as the operator declares them.
pub fn all() -> Vec<Client> {
    let client = |about: &About| Client {
        id: 0,
        client_id: about.client_id.into(),
        kind: about.kind,
        owner: OWNER.into(),
        product: about.product.into(),
        redirect_uris: about.redirect_uris.iter().map(|uri| (*uri).to_owned()).collect(),
        scopes: about.scopes.to_vec(),
        secret: about.secret.map(|secret| Secret::new(secret.to_owned()).fingerprint()),
        session_seconds: about.session_seconds,
        access_seconds: about.kind.access_seconds(),
        refresh_tokens: about.kind.may_hold_refresh_token(),
        require_pkce: about.require_pkce,
        retry_seconds: about.retry_seconds,
        scope_echo: about.scope_echo,
        redirect_extra_query: false,
        disabled_at: None,
    };
    ALL.iter().map(client).collect()
}
