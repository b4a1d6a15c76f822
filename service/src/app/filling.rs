//! Brings the index of users' own search parameters to what was there before they were defined, a piece at a time, in the background.

use super::state::Shared;
use super::trouble::Trouble;
use crate::preparation::base;
use std::time::{Duration, Instant};
use store::filling::{self, FillingStep};
use tokio::sync::watch;

/// Between two looks at whether there is anything to do.
const EVERY: Duration = Duration::from_secs(1);
/// After trouble, which the next piece would have too.
const AFTER_TROUBLE: Duration = Duration::from_secs(15);
/// Where another node is about it, or writes what is next.
const IN_A_MOMENT: Duration = Duration::from_millis(100);
/// Others get at least so long a turn between two pieces.
const SHORTEST_TURN: Duration = Duration::from_millis(5);

/// Works until `stop` turns true. What was begun goes on where it ended, here or on another node.
pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    let base = base(&app.settings.base_url);
    loop {
        let began = Instant::now();
        let pause = match filling::step(&app.store, &base).await {
            Ok(FillingStep::Idle) => EVERY,
            // Half of the time is for others.
            Ok(FillingStep::Done) => began.elapsed().max(SHORTEST_TURN),
            Ok(FillingStep::Waiting) => IN_A_MOMENT,
            Err(error) => {
                Trouble::from(error).report_work("indexing what users' own search parameters find");
                AFTER_TROUBLE
            }
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}
