//! The sweeper: every so often removes what is long over, a bounded batch at a time, as of a moment that the clock alone
//! does not decide.

use super::state::Shared;
use super::trouble::Trouble;
use rules::belief::ClockBelief;
use std::time::Duration;
use store::ledger;
use store::sweep::{self, Swept};
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(60);
/// Between two batches of one sweep others get their turn at the writer.
const BETWEEN_BATCHES: Duration = Duration::from_millis(100);

/// The sweeper of one process.
#[derive(Debug)]
pub struct Sweeper {
    app: Shared,
    /// None until the ledger could be asked.
    belief: Option<ClockBelief>,
    /// Whether it was told already that the clock is not believed.
    is_waiting: bool,
}

impl Sweeper {
    /// Asks what time it was when somebody knew last. To be done before this process notes anything by its own clock.
    pub async fn begin(app: Shared) -> Self {
        let mut sweeper = Self { app, belief: None, is_waiting: false };
        if let Err(error) = sweeper.ask_ledger().await {
            Trouble::from(error).report_work("asking the ledger what time it was");
        }
        sweeper
    }

    async fn ask_ledger(&mut self) -> store::Result<()> {
        if self.belief.is_none() {
            let newest = ledger::newest(&self.app.store).await?;
            self.belief = Some(ClockBelief::new(newest, self.app.clock.uptime()));
        }
        Ok(())
    }

    /// Removes one batch of each kind.
    pub async fn sweep(&mut self) -> store::Result<Swept> {
        self.ask_ledger().await?;
        let Some(belief) = &mut self.belief else { return Ok(Swept::default()) };
        let reading = belief.look(self.app.clock.now(), self.app.clock.uptime());
        if reading.is_doubtful() && !self.is_waiting {
            let seconds_ahead = reading.believed().seconds_until(reading.now);
            tracing::warn!(seconds_ahead, "the clock is ahead of the newest line of the ledger");
        }
        self.is_waiting = reading.is_doubtful();
        sweep::sweep(&self.app.store, reading.believed()).await
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
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }
}
