//! The word to stop.

use tokio::sync::watch;

/// Returns when `stop` turns true.
pub(super) async fn turned_true(stop: &mut watch::Receiver<bool>) {
    // An error means that nobody is left to say stop, which is the same.
    let _stopped = stop.wait_for(|stop| *stop).await;
}
