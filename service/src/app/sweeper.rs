//! The sweeper: every so often removes what is long over, a bounded batch at a time.

use super::state::Shared;
use super::trouble::Trouble;
use std::time::Duration;
use store::sweep;
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(60);
/// Between two batches of one sweep others get their turn at the writer.
const BETWEEN_BATCHES: Duration = Duration::from_millis(100);

pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    loop {
        let mut pause = EVERY;
        match sweep::sweep(&app.store, app.clock.now()).await {
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
