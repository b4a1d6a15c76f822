//! What every handler holds: the store, the clock, the keys and the settings, behind one `Arc`.

use super::accesses::Accesses;
use super::clock::Clock;
use super::config::Config;
use super::metrics::Metrics;
use super::records;
use crate::formats::zone::Zone;
use crate::secrets::dice::{self, NoRandomness};
use crate::secrets::keys::{KeyTrouble, Keys};
use crate::secrets::passwords::{CannotHash, Passwords};
use crate::secrets::throttle::{Allowance, Throttle};
use std::sync::Arc;
use std::time::Duration;
use store::{Budget, Store, settings};

/// The running service.
#[derive(Debug)]
#[non_exhaustive]
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

/// The setting in the database that keeps a sandbox's clock where it was moved to, in milliseconds.
pub const CLOCK_OFFSET: &str = "clock-offset-ms";

/// Why the service cannot open its data; each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Keys(#[from] KeyTrouble),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    #[error(transparent)]
    Passwords(#[from] CannotHash),
}

impl App {
    /// Opens the database and the key ring. Only a sandbox's clock can be moved.
    pub async fn open(config: &Config, sandbox: bool) -> Result<Shared, CannotOpen> {
        let budget = Budget { time: Duration::from_secs(config.search_seconds), ..Budget::default() };
        let store = Store::open_within(&config.database, u16::from_le_bytes(dice::bytes()?), budget).await?;
        let clock = Clock::running(0);
        records::read_anew(&store, &config.base_url, clock.now()).await?;
        let keys = Keys::open(&config.keys, settings::has_sessions(&store).await?)?;
        let moved_by = match sandbox {
            true => settings::get(&store, CLOCK_OFFSET).await?.and_then(|offset| offset.parse().ok()).unwrap_or(0),
            false => 0,
        };
        let settings = Settings {
            base_url: config.base_url.clone(),
            attempts: config.attempts,
            api_body_bytes: config.api_body_bytes,
            trust_forwarded_for: config.trust_forwarded_for,
            throttle: config.throttle,
            time_zone: config.time_zone.clone(),
            sandbox,
        };
        Self::new(AppParts { store, clock: Clock::running(moved_by), keys, settings })
    }

    /// The one way to build a service, for the binary and for tests: what is not given it makes itself.
    pub fn new(parts: AppParts) -> Result<Shared, CannotOpen> {
        let AppParts { store, clock, keys, settings } = parts;
        Ok(Arc::new(Self {
            store,
            clock,
            keys,
            passwords: Passwords::new()?,
            throttle: Throttle::new(&settings.throttle)?,
            metrics: Metrics::default(),
            accesses: Accesses::default(),
            settings,
        }))
    }
}

/// What a service is built from.
#[derive(Debug)]
pub struct AppParts {
    pub store: Store,
    pub clock: Clock,
    pub keys: Keys,
    pub settings: Settings,
}

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
    pub throttle: Allowance,
    /// In which pages tell the time.
    pub time_zone: Zone,
    pub sandbox: bool,
}

impl Settings {
    /// Whether browsers reach the service over TLS: then cookies are `Secure` and carry the `__Host-` prefix.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.base_url.starts_with("https://")
    }
}
