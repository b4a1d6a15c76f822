//! A connection that is attended to until it ends, its client is too slow, or the service stops.

use super::connection_limits::ConnectionSlot;
use super::core_workers::WorkerPlace;
use super::stop::turned_true;
use super::wake_guard::WakeGuard;
use crate::http::patience::{Slowness, Watched};
use std::pin::{Pin, pin};
use std::sync::Arc;
use tokio::sync::watch;

/// A connection over which requests come and answers go.
pub(super) trait Conversation: Future<Output = hyper::Result<()>> {
    /// Takes no further request, and ends when what has come is answered.
    fn finish(self: Pin<&mut Self>);
}

/// Keeps a connection going until it ends, its client is too slow, or the service stops and what came over it is answered.
pub(super) async fn attend<W: Watched>(
    connection: impl Conversation,
    patience: Arc<W>,
    mut stop: watch::Receiver<bool>,
    _until_it_ends: (ConnectionSlot, WorkerPlace),
) {
    let mut connection = pin!(connection);
    let mut lost = WakeGuard::new(patience.is_lost());
    let mut stopped = WakeGuard::new(turned_true(&mut stop));
    let (mut is_stopping, mut is_idle) = (false, false);
    loop {
        tokio::select! {
            biased;
            ended = &mut connection => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                }
                return;
            }
            slowness = &mut lost => {
                match slowness {
                    Slowness::Sending => tracing::debug!("a client was too slow to send its request"),
                    Slowness::Taking => tracing::debug!("a client was too slow to take its answer"),
                    // It is told, so that a request which is just on its way is sent again and not lost.
                    Slowness::Idle if !is_idle => {
                        is_idle = true;
                        connection.as_mut().finish();
                        lost = WakeGuard::new(patience.is_lost());
                        continue;
                    }
                    Slowness::Idle => {}
                }
                return;
            }
            () = &mut stopped, if !is_stopping => {
                is_stopping = true;
                connection.as_mut().finish();
            }
        }
    }
}
