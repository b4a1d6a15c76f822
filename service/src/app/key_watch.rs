//! Watches the key ring's file, which all nodes share: a key that was retired by one opens nothing on the others either.

use super::state::Shared;
use std::time::Duration;
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(1);

pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    let mut is_logged = false;
    loop {
        match app.keys.reread() {
            Ok(changed) => {
                is_logged = false;
                if changed {
                    tracing::info!(keys = ?app.keys.ids(), "the key ring has changed");
                }
            }
            // Said once, not every second.
            Err(error) if !is_logged => {
                is_logged = true;
                tracing::error!(%error, "the key ring cannot be read again; its keys stay as they were");
            }
            Err(_) => {}
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}
