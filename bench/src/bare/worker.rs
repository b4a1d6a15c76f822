//! Whoever does one piece of work again and again, and a round of many such at once.

use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use std::time::Instant;
use tokio::task::JoinSet;

pub(crate) trait Worker: Send + Sync + 'static {
    /// Does it once, and returns when it is done for good.
    fn work(&self) -> impl Future<Output = Result<(), Trouble>> + Send;
}

/// Each worker works as fast as it can until the window closes.
pub(crate) async fn round(window: Window, workers: impl IntoIterator<Item: Worker>) -> Result<Tally, Trouble> {
    let mut tasks = JoinSet::new();
    for worker in workers {
        tasks.spawn(work(worker, window));
    }
    let mut whole = Tally::default();
    while let Some(ended) = tasks.join_next().await {
        whole.absorb(ended??);
    }
    Ok(whole)
}

async fn work(worker: impl Worker, window: Window) -> Result<Tally, Trouble> {
    let mut tally = Tally::of(window.length(), 1 << 13);
    let mut began = Instant::now();
    while !window.is_over_at(began) {
        worker.work().await?;
        let now = Instant::now();
        tally.answered();
        if window.holds(began) {
            tally.add(now - began);
        }
        began = now;
    }
    Ok(tally)
}
