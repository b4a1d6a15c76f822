//! How many connections there may be: so many in all, and so many for one address.

use super::notice::Notice;
use crate::app::bounds::ConnectionBounds;
use crate::secrets::throttle::network;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// With fewer places nobody is served at all; then the files may run out, which is said where it happens.
const FEWEST: usize = 16;

/// How many connections each network has.
type NetworkTally = Arc<Mutex<HashMap<u128, usize>>>;

pub(crate) struct ConnectionLimits {
    free: Arc<Semaphore>,
    tally: NetworkTally,
    /// `None` where all connections are a proxy's.
    per_address: Option<usize>,
    all_taken: Notice,
    many_of_one: Notice,
}

/// A place that is free.
pub(crate) struct FreeSlot {
    _until_dropped: Option<OwnedSemaphorePermit>,
}

/// A connection's place, until it is dropped.
pub(crate) struct ConnectionSlot {
    _one_of_all: FreeSlot,
    of_address: Option<(NetworkTally, u128)>,
}

impl ConnectionLimits {
    /// The limits that these bounds set, as far as there are files for them.
    pub(crate) fn new(bounds: &ConnectionBounds, files: usize, behind_proxy: bool) -> Self {
        let in_all = bounds.in_all.min(files).clamp(FEWEST, Semaphore::MAX_PERMITS);
        let per_address = (!behind_proxy).then(|| bounds.per_address.min(in_all / 2));
        tracing::info!(in_all, per_address, "connections are bounded");
        Self {
            free: Arc::new(Semaphore::new(in_all)),
            tally: NetworkTally::default(),
            per_address,
            all_taken: Notice::default(),
            many_of_one: Notice::default(),
        }
    }

    /// A free place, when there is one. Until then nobody is let in; the system has a queue for them.
    pub(crate) async fn free(&self) -> FreeSlot {
        if let Ok(permit) = self.free.clone().try_acquire_owned() {
            return FreeSlot { _until_dropped: Some(permit) };
        }
        if self.all_taken.is_due() {
            tracing::warn!("all places for connections are taken");
        }
        FreeSlot { _until_dropped: self.free.clone().acquire_owned().await.ok() }
    }

    /// Gives the free place to a connection from this address, unless that has as many as it may have.
    pub(crate) fn take(&self, free: FreeSlot, address: IpAddr) -> Option<ConnectionSlot> {
        let Some(most) = self.per_address else { return Some(ConnectionSlot { _one_of_all: free, of_address: None }) };
        let network = network(address);
        {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            let count = tally.entry(network).or_default();
            if *count < most {
                *count += 1;
                return Some(ConnectionSlot { _one_of_all: free, of_address: Some((self.tally.clone(), network)) });
            }
        }
        if self.many_of_one.is_due() {
            tracing::warn!(%address, most, "an address has as many connections as it may have");
        }
        None
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let Some((tally, network)) = self.of_address.take() else { return };
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut count) = tally.entry(network) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

#[cfg(test)]
#[path = "connection_limits_tests.rs"]
mod tests;
