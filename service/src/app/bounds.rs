//! The bounds of what clients may hold of the process: connections, and answers that they have not taken.

use rules::limits::{CONNECTIONS, CONNECTIONS_PER_ADDRESS, DELIVERY_SECONDS, UNREAD_BYTES, UNREAD_BYTES_PER_CALLER};
use std::time::Duration;

/// The files that the process needs beside its connections, whatever its store is: logs, the control socket, commands.
const OTHER_FILES: usize = 64;

/// The numbers as the operator sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionBounds {
    /// Connections at once.
    pub in_all: usize,
    /// Connections at once from one address.
    pub per_address: usize,
    /// For how long a client may take nothing of its answer.
    pub delivery: Duration,
    /// Bytes of large answers that have not been taken, in all.
    pub unread: usize,
    /// The same, of one caller.
    pub unread_per_caller: usize,
    /// Files that are left to the rest of the process, beside those that are open when it begins to listen.
    pub other_files: usize,
}

impl Default for ConnectionBounds {
    fn default() -> Self {
        Self {
            in_all: CONNECTIONS,
            per_address: CONNECTIONS_PER_ADDRESS,
            delivery: Duration::from_secs(DELIVERY_SECONDS),
            unread: UNREAD_BYTES,
            unread_per_caller: UNREAD_BYTES_PER_CALLER,
            other_files: OTHER_FILES,
        }
    }
}
