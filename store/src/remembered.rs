//! What is remembered of the database, and what a transaction makes untrue of it.

use crate::clients::Client;
use crate::memory::Memory;
use crate::records::Found;
use crate::seen::Seen;

/// About 20 MiB.
const MOST_SESSIONS: usize = 65_536;
const MOST_CLIENTS: usize = 4096;
const MOST_RECORD_BYTES: usize = 32 * 1024 * 1024;

/// What an API call or a token request asks of the database every time, and what rarely changes between two of them.
///
/// Beside durable refreshes, a second read of the busy sessions file costs more than all the rest of a request; a read
/// of a record or a client that did not change costs about as much as the whole of HTTP.
#[derive(Debug)]
pub struct Remembered {
    pub(crate) sessions: Memory<i64, Seen>,
    pub(crate) clients: Memory<String, Client>,
    pub(crate) records: Memory<String, Found>,
}

impl Default for Remembered {
    fn default() -> Self {
        Self {
            sessions: Memory::new(MOST_SESSIONS, |_| 1),
            clients: Memory::new(MOST_CLIENTS, |_| 1),
            records: Memory::new(MOST_RECORD_BYTES, Found::bytes),
        }
    }
}

/// What a write transaction touched, and must be forgotten once it is committed.
#[derive(Debug, Default)]
pub struct Touched {
    pub(crate) sessions: Vec<i64>,
    /// References: `Patient/123`.
    pub(crate) records: Vec<String>,
    pub(crate) everything: bool,
}

impl Remembered {
    pub(crate) fn forget(&self, touched: &Touched) {
        if touched.everything {
            self.sessions.forget_all();
            self.clients.forget_all();
            self.records.forget_all();
        }
        for id in &touched.sessions {
            self.sessions.forget(id);
        }
        for reference in &touched.records {
            self.records.forget(reference.as_str());
        }
    }
}
