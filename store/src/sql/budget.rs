//! What reading that can be long may take: time for each, readers for all, and how many may wait.

use std::time::Duration;

/// The bounds of long reads in one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The database's time that one read may take before it is interrupted.
    pub time: Duration,
    /// Reads that are done at the same time: threads, or connections where the database is a server.
    pub readers: usize,
    /// Reads that may wait; whoever comes on top of that is turned away at once.
    pub waiting: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: Duration::from_secs(5), readers: 2, waiting: 64 }
    }
}
