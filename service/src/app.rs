//! What every handler holds: the store, the clock, the keys and the settings, behind one `Arc`.

use crate::accesses::Accesses;
use crate::clock::Clock;
use crate::keys::Keys;
use crate::metrics::Metrics;
use crate::passwords::Passwords;
use crate::throttle::Throttle;
use std::sync::Arc;
use store::Store;

/// The running service.
#[derive(Debug)]
pub struct App {
    pub store: Store,
    pub clock: Clock,
    pub keys: Keys,
    pub passwords: Passwords,
    pub throttle: Throttle,
    pub metrics: Metrics,
    pub accesses: Accesses,
    pub settings: Settings,
}

pub type Shared = Arc<App>;

/// What the machine's configuration says that requests depend on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Without a slash at the end.
    pub base_url: String,
    /// Tries on the authorization page before a failed login is redirected.
    pub attempts: u32,
    pub api_body_bytes: usize,
    /// Whether a proxy in front may say who the client is (`X-Forwarded-For`).
    pub trust_forwarded_for: bool,
    pub sandbox: bool,
}

impl Settings {
    /// Whether browsers reach the service over TLS: then cookies are `Secure` and carry the `__Host-` prefix.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.base_url.starts_with("https://")
    }
}
