//! Watches the key ring's file, which all nodes share: a key that was retired by one opens nothing on the others either.

use super::key_ring;
use super::opening::CannotOpen;
use super::state::Shared;
use super::trouble::Trouble;
use std::time::Duration;
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(1);

pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    let mut noted = None;
    let mut said = None;
    loop {
        said = look(&app, said).await;
        if let Err(error) = key_ring::note_sealing(&app.store, &app.keys, &mut noted, app.clock.now()).await {
            Trouble::from(error).report_work("noting which key seals");
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Looks once. What is wrong with the file is said when it becomes so, not every second.
async fn look(app: &Shared, said: Option<String>) -> Option<String> {
    match key_ring::reread(&app.store, &app.keys, app.clock.now()).await {
        Ok(true) => {
            tracing::info!(keys = ?app.keys.ids(), "the key ring has changed");
            None
        }
        Ok(false) => None,
        Err(CannotOpen::Store(error)) => {
            tracing::debug!(%error, "the key ring has changed, and the database cannot be asked about it yet");
            said
        }
        Err(error) => {
            let now = error.to_string();
            if said.as_ref() != Some(&now) {
                tracing::error!(%error, "the key ring cannot be read again; its keys stay as they were");
            }
            Some(now)
        }
    }
}
