//! The sweeper: every so often removes what is long over, a bounded batch at a time, as of a moment that the clock alone
//! does not decide; also months of the ledger that the operator does not want to keep.

use super::months;
use super::state::Shared;
use super::trouble::Trouble;
use crate::formats::when;
use crate::preparation;
use rules::moment::Moment;
use std::sync::Arc;
use std::time::Duration;
use store::sweep::{self, Swept};
use store::{ledger, release};
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(60);
/// Between two batches of one sweep others get their turn at the writer.
const BETWEEN_BATCHES: Duration = Duration::from_millis(100);

/// The sweeper of one process.
#[derive(Debug)]
pub struct Sweeper {
    app: Shared,
    /// Whether the ledger could be asked what time it was.
    has_asked: bool,
    /// Whether it was told already that the clock is not believed.
    is_waiting: bool,
    /// As of when it swept last.
    believed: Option<Moment>,
}

impl Sweeper {
    /// Asks what time it was when somebody knew last. To be done before this process notes anything by its own clock.
    pub async fn begin(app: Shared) -> Self {
        let mut sweeper = Self { app, has_asked: false, is_waiting: false, believed: None };
        if let Err(error) = sweeper.ask_ledger().await {
            Trouble::from(error).report_work("asking the ledger what time it was");
        }
        sweeper
    }

    async fn ask_ledger(&mut self) -> store::Result<()> {
        if !self.has_asked {
            let newest = ledger::newest(&self.app.store).await?;
            self.app.belief.begin(newest, &self.app.clock);
            self.has_asked = true;
        }
        Ok(())
    }

    /// Removes one batch of each kind.
    pub async fn sweep(&mut self) -> store::Result<Swept> {
        self.ask_ledger().await?;
        let Some(reading) = self.app.belief.look(&self.app.clock) else { return Ok(Swept::default()) };
        if reading.is_doubtful() && !self.is_waiting {
            let seconds_ahead = reading.believed().seconds_until(reading.now);
            tracing::warn!(seconds_ahead, "the clock is ahead of the newest line of the ledger");
        }
        self.is_waiting = reading.is_doubtful();
        self.believed = Some(reading.believed());
        let kept_since = reading.believed().plus_seconds(-86_400 * self.app.settings.notice_days);
        let more = sweep::sweep_notices(&self.app.store, kept_since).await?;
        let swept = sweep::sweep(&self.app.store, reading.believed()).await?;
        Ok(Swept { more: swept.more || more, ..swept })
    }

    /// Takes one step towards keeping no more months of the ledger than the operator wants, as of the last sweep; tells
    /// whether there may be another.
    pub async fn expire(&self) -> store::Result<bool> {
        match self.believed {
            Some(believed) => months::expire(&self.app, believed).await,
            None => Ok(false),
        }
    }

    /// Releases some of what was held back from patients and carers; tells whether there may be more.
    pub async fn release(&self) -> store::Result<bool> {
        let (now, base) = (self.app.clock.now(), preparation::base(&self.app.settings.base_url));
        let reader = Arc::new(move |body: &str| preparation::prepare_stored(body, &base));
        Ok(release::step(&self.app.store, reader, now, &when::rfc3339(now)).await? > 0)
    }

    /// Sweeps until `stop` turns true.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        loop {
            let mut pause = EVERY;
            match self.sweep().await {
                Ok(swept) => {
                    if swept.sessions > 0 {
                        tracing::info!(sessions = swept.sessions, "swept sessions that are long over");
                    }
                    if swept.more {
                        pause = BETWEEN_BATCHES;
                    }
                }
                Err(error) => Trouble::from(error).report_work("sweeping"),
            }
            match self.release().await {
                Ok(true) => pause = BETWEEN_BATCHES,
                Ok(false) => {}
                Err(error) => Trouble::from(error).report_work("releasing what was held back"),
            }
            // An archive may take its time, and can be begun anew: a stop does not wait for it.
            let expired = tokio::select! {
                expired = self.expire() => expired,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            match expired {
                Ok(true) => pause = BETWEEN_BATCHES,
                Ok(false) => {}
                Err(error) => Trouble::from(error).report_work("dropping months of the ledger"),
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }
}
