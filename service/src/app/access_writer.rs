//! Writes the counted accesses to the ledger.

use super::state::Shared;
use std::sync::Arc;
use std::time::Duration;
use store::ledger;
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(5);

/// Writes what was counted, every few seconds and once more at the end.
pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    loop {
        let over = tokio::select! {
            () = tokio::time::sleep(EVERY) => false,
            _ = stop.wait_for(|stop| *stop) => true,
        };
        flush(&app).await;
        if over {
            return;
        }
    }
}

/// Writes what was counted so far.
pub async fn flush(app: &Shared) {
    let lines: Arc<[ledger::Accesses]> = app.accesses.take().into();
    if lines.is_empty() {
        return;
    }
    if let Err(error) = ledger::record(&app.store, lines.clone()).await {
        let lost = app.accesses.put_back(&lines);
        let work = "writing accesses to the ledger";
        tracing::error!(work, %error, lines = lines.len(), lost, "accesses could not be written to the ledger yet");
    }
}
