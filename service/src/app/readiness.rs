//! Whether the service can do its work, and the word on it in the log: once for each change.

use super::state::{App, Shared};
use std::time::Duration;
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(1);

/// What stands in the way of the service's work, in words for everybody: they name no directory, host or key.
pub async fn obstacle(app: &App) -> Option<String> {
    if let Some(obstacle) = app.store.obstacle() {
        return Some(obstacle.to_string());
    }
    if app.keys.is_refused() {
        return Some(
            "the file of the key ring is not this database's ring, and the keys of before are in force".into(),
        );
    }
    if app.accesses.are_stuck() || app.spool.hold().is_err() {
        return Some("it cannot be written down who looks at records".into());
    }
    app.store.is_ready().await.err().map(|_| "the database does not answer".into())
}

/// Looks every second: this is how it is noticed while nobody asks that a file is gone, and that a disk has room again.
pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    let mut known = None;
    loop {
        app.store.probe().await;
        let found = obstacle(&app).await;
        if found != known {
            match &found {
                Some(why) => tracing::error!(why, "the service is not ready"),
                None => tracing::info!("the service is ready again"),
            }
            known = found;
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}
