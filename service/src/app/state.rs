//! What every handler holds: the store, the clock, the keys and the settings, behind one `Arc`.

use super::accesses::Accesses;
use super::belief::SharedBelief;
use super::body_budget::BodyBudget;
use super::bounds::ConnectionBounds;
use super::clock::Clock;
use super::config::{Config, FactorSettings, LedgerTime, RequestLog, SettingLine};
use super::document_pace::DocumentPace;
use super::inquiries::Inquiries;
use super::ledger_lag::LedgerLag;
use super::line_budget::LineBudget;
use super::mail::settings::MailSettings;
use super::metrics::Metrics;
use super::opening::CannotOpen;
use super::remote_keys::RemoteKeys;
use super::representation::Representation;
use super::request_id::RequestIds;
use super::response_budget::ResponseBudget;
use super::sandbox_login::SandboxLogin;
use super::statement::StatementMemory;
use super::telemetry::{SpanQueue, TelemetrySettings};
use super::worker_pool::WorkerPool;
use super::{key_ring, records};
use crate::formats::zone::Zone;
use crate::secrets::dice;
use crate::secrets::keys::Keys;
use crate::secrets::passwords::Passwords;
use crate::secrets::throttle::{Allowance, Throttle};
use rules::key_urls::KeyEgress;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::ledger::{self, Leftovers, Retention, Spool};
use store::{Budget, Store, settings};

/// The running service.
#[derive(Debug)]
#[non_exhaustive]
pub struct App {
    pub store: Store,
    pub clock: Clock,
    /// What is believed of the clock.
    pub belief: SharedBelief,
    pub keys: Keys,
    /// Held while keys that sign are made: one at a time, because each takes a core for a while.
    pub signing: tokio::sync::Mutex<()>,
    pub passwords: Passwords,
    pub throttle: Throttle,
    /// Keys of clients that are elsewhere.
    pub remote_keys: RemoteKeys,
    pub metrics: Metrics,
    pub accesses: Accesses,
    /// What was asked and refused.
    pub inquiries: Inquiries,
    /// Where lines of the ledger are on their way.
    pub spool: Spool,
    pub response_budget: ResponseBudget,
    /// What was received of bodies and is not answered yet.
    pub bodies: BodyBudget,
    /// What was made of bodies to be stored, and is not stored yet.
    pub prepared: BodyBudget,
    /// For work that others would wait for.
    pub workers: WorkerPool,
    pub ledger_lag: LedgerLag,
    pub request_ids: RequestIds,
    /// Of documents that anybody may ask for.
    pub document_pace: DocumentPace,
    /// The documentation, each made once: for programs, and for people.
    pub openapi: OnceLock<Representation>,
    pub reference_page: OnceLock<Representation>,
    /// What the FHIR API is, as text.
    pub capability_statement: StatementMemory,
    /// The same as those read it who have no token, made when it is first asked for.
    pub open_statement: OnceLock<Representation>,
    /// Of lines about requests that failed.
    pub failed_requests: LineBudget,
    /// Of lines about failed sign-ins and client authentications.
    pub failed_authentications: LineBudget,
    /// Who can sign in to the sandbox, whose passwords are published.
    pub sandbox_logins: OnceLock<Vec<SandboxLogin>>,
    /// Where spans are exported.
    pub spans: Option<SpanQueue>,
    /// Every setting as it came out, where the service was opened by its configuration.
    pub configuration: OnceLock<Vec<SettingLine>>,
    pub settings: Settings,
}

/// The state, held together with others. Each request takes it and gives it back; if all of them counted at one place, that
/// place would wander from core to core with every request. So those of a connection count at one of their own.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Holder>);

/// One of those between whom the state is shared.
#[derive(Debug)]
struct Holder(Arc<App>);

impl Shared {
    fn new(app: App) -> Self {
        Self(Arc::new(Holder(Arc::new(app))))
    }

    /// The same, with a count of its own of those who hold it.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self(Arc::new(Holder(self.0.0.clone())))
    }
}

impl Deref for Shared {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0.0
    }
}

/// The setting in the database that keeps a sandbox's clock where it was moved to, in milliseconds.
pub const CLOCK_OFFSET: &str = "clock-offset-ms";

impl App {
    /// Opens the database and its key ring. Only a sandbox's clock can be moved.
    pub async fn open(config: &Config, sandbox: bool) -> Result<Shared, CannotOpen> {
        Self::open_with(config, sandbox, RingUse::Own).await
    }

    /// As `open`, whatever the key ring: for the commands that put a lost or refused one right.
    pub async fn open_with_any_ring(config: &Config) -> Result<Shared, CannotOpen> {
        Self::open_with(config, false, RingUse::Any).await
    }

    async fn open_with(config: &Config, sandbox: bool, ring: RingUse) -> Result<Shared, CannotOpen> {
        let budget = Budget { time: Duration::from_secs(config.search_seconds), ..Budget::default() };
        let store = Store::open_within(&config.database, u16::from_le_bytes(dice::bytes()?), budget).await?;
        store.keep_free(config.least_free_bytes);
        let clock = Clock::running(0);
        records::read_anew(&store, &config.base_url, clock.now()).await?;
        let keys = match ring {
            RingUse::Own => key_ring::open(&store, &config.keys, clock.now()).await?,
            RingUse::Any => Keys::open_if_there(&config.keys)?,
        };
        let moved_by = match sandbox {
            true => settings::get(&store, CLOCK_OFFSET).await?.and_then(|offset| offset.parse().ok()).unwrap_or(0),
            false => 0,
        };
        let settings = Settings {
            base_url: config.base_url.clone(),
            attempts: config.attempts,
            mail: config.mail.clone(),
            api_body_bytes: config.api_body_bytes,
            trust_forwarded_for: config.trust_forwarded_for,
            throttle: config.throttle,
            time_zone: config.time_zone.clone(),
            ledger: config.ledger,
            retention: config.retention.clone(),
            notice_days: config.notice_days,
            glass_needs_reason: config.glass_needs_reason,
            second_factor: config.second_factor,
            jwks_allow_private: config.jwks_allow_private,
            dpop_nonce: config.dpop_nonce,
            client_registration: config.client_registration,
            connections: config.connections,
            log_requests: config.log_requests,
            telemetry: config.telemetry.clone(),
            sandbox,
        };
        let clock = Clock::running(moved_by);
        let seconds_behind = clock.now().seconds_until(store.newest_version());
        if seconds_behind > 0 {
            tracing::warn!(seconds_behind, "the clock is behind the newest version of a resource");
        }
        let belief = SharedBelief::default();
        belief.begin(ledger::newest(&store).await?, &clock);
        let (spool, left) = Spool::start(&store, &config.spool, belief.moment(&clock)).await?;
        if left != Leftovers::default() {
            let Leftovers { files, torn } = left;
            tracing::warn!(files, torn, "took up lines of the ledger that a process had left behind when it ended");
        }
        let app = Self::of(AppParts { store, clock, belief, keys, spool, settings })?;
        // Nobody else has it yet, so that it is there for the first time.
        drop(app.configuration.set(config.lines.clone()));
        Ok(app)
    }

    /// The one way to build a service, for the binary and for tests: what is not given it makes itself.
    pub fn of(parts: AppParts) -> Result<Shared, CannotOpen> {
        let AppParts { store, clock, belief, keys, spool, settings } = parts;
        Ok(Shared::new(Self {
            store,
            clock,
            belief,
            keys,
            signing: tokio::sync::Mutex::default(),
            passwords: Passwords::new()?,
            throttle: Throttle::new(&settings.throttle)?,
            remote_keys: RemoteKeys::new(settings.key_egress()),
            metrics: Metrics::default(),
            accesses: Accesses::default(),
            inquiries: Inquiries::default(),
            spool,
            response_budget: ResponseBudget::new(&settings.connections),
            bodies: BodyBudget::new(settings.api_body_bytes),
            prepared: BodyBudget::of_prepared(settings.api_body_bytes),
            workers: WorkerPool::default(),
            ledger_lag: LedgerLag::default(),
            request_ids: RequestIds::new()?,
            document_pace: DocumentPace::default(),
            openapi: OnceLock::new(),
            reference_page: OnceLock::new(),
            capability_statement: StatementMemory::default(),
            open_statement: OnceLock::new(),
            failed_requests: LineBudget::default(),
            failed_authentications: LineBudget::default(),
            sandbox_logins: OnceLock::new(),
            spans: settings.telemetry.clone().map(SpanQueue::new),
            configuration: OnceLock::new(),
            settings,
        }))
    }
}

/// What becomes of a key ring that is not the database's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RingUse {
    Own,
    Any,
}

/// What a service is built from.
#[derive(Debug)]
pub struct AppParts {
    pub store: Store,
    pub clock: Clock,
    pub belief: SharedBelief,
    pub keys: Keys,
    pub spool: Spool,
    pub settings: Settings,
}

/// What the machine's configuration says that requests depend on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Without a slash at the end.
    pub base_url: String,
    /// Tries on the authorization page before a failed login is redirected.
    pub attempts: u32,
    /// Where mail goes; none: nobody is written to. A sandbox shows it instead.
    pub mail: Option<MailSettings>,
    pub api_body_bytes: usize,
    /// Whether a proxy in front may say who the client is (`X-Forwarded-For`).
    pub trust_forwarded_for: bool,
    pub throttle: Allowance,
    /// In which pages tell the time.
    pub time_zone: Zone,
    pub ledger: LedgerTime,
    /// How long lines of the ledger are kept; none: for ever.
    pub retention: Option<Retention>,
    /// For how many days notices are kept.
    pub notice_days: i64,
    /// Whether a glass is broken with a reason only.
    pub glass_needs_reason: bool,
    /// Of whom a second factor is asked.
    pub second_factor: FactorSettings,
    /// Whether keys of clients are fetched from private addresses too.
    pub jwks_allow_private: bool,
    /// Whether proofs of keys need a nonce of ours.
    pub dpop_nonce: bool,
    /// Whether clients register themselves, with a token that an operator made.
    pub client_registration: bool,
    pub connections: ConnectionBounds,
    pub log_requests: RequestLog,
    pub telemetry: Option<TelemetrySettings>,
    pub sandbox: bool,
}

impl Settings {
    /// Whether browsers reach the service over TLS: then cookies are `Secure` and carry the `__Host-` prefix.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.base_url.starts_with("https://")
    }

    /// Where the service goes for the keys of clients.
    #[must_use]
    pub const fn key_egress(&self) -> KeyEgress {
        KeyEgress { sandbox: self.sandbox, private: self.jwks_allow_private }
    }

    /// Whether people can be written to, or in a sandbox: whether it is shown what would be.
    #[must_use]
    pub fn writes_mail(&self) -> bool {
        self.sandbox || self.mail.is_some()
    }
}
