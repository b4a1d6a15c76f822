//! What is remembered of the database, and what a transaction makes untrue of it.

mod bound;
mod changes;
mod memory;
mod rows;
mod sight_changes;

pub(crate) use changes::RecordChanges;
pub use changes::WriteMark;
pub(crate) use memory::{Entry, Memory, through};
pub(crate) use rows::{CommitEpoch, Rows};
pub(crate) use sight_changes::{SightChanges, SightMark};

use crate::figures::Looks;
use crate::sql::touched::{Touched, Witness};
use rules::ids::{ClientId, PatientId, SessionId};
use std::sync::Arc;

/// About 20 MiB.
const MOST_SESSIONS: usize = 65_536;
/// A System Client has a token for an hour or so.
const MOST_STANDINGS: usize = 16_384;
const MOST_CLIENTS: usize = 4096;
const MOST_CIRCLES: usize = 8192;
const MOST_RESOURCE_BYTES: usize = 32 * 1024 * 1024;

/// What an API call or a token request asks of the database every time, and what rarely changes between two of them.
///
/// Beside durable refreshes, a second read of the busy sessions file costs more than all the rest of a request; a read
/// of a record or a client that did not change costs about as much as the whole of HTTP.
#[derive(Debug)]
pub(crate) struct Cache {
    /// What an API call asks about its session.
    pub(crate) sessions: Memory<SessionId>,
    /// What an API call asks about a System Client, by its token: the client and the number of the token.
    pub(crate) standings: Memory<(ClientId, i64)>,
    /// By Client ID.
    pub(crate) clients: Memory<String>,
    /// By how another resource names it: `Patient/123`.
    pub(crate) resources: Memory<String>,
    /// Who may see a patient, and how far.
    pub(crate) circles: Memory<PatientId>,
    /// What searches found, by the number of its row.
    pub(crate) rows: Rows,
    /// When what searches find was last changed.
    pub(crate) changes: RecordChanges,
    /// When it was last changed who sees a patient.
    pub(crate) sight: SightChanges,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            sessions: Memory::new(MOST_SESSIONS),
            standings: Memory::new(MOST_STANDINGS),
            clients: Memory::new(MOST_CLIENTS),
            resources: Memory::new(MOST_RESOURCE_BYTES),
            circles: Memory::new(MOST_CIRCLES),
            rows: Rows::new(bound::row_bytes()),
            changes: RecordChanges::default(),
            sight: SightChanges::default(),
        }
    }
}

impl Cache {
    /// How often each memory was looked into.
    pub(crate) fn looks(&self) -> [(&'static str, Looks); 6] {
        [
            ("sessions", self.sessions.looks()),
            ("standings", self.standings.looks()),
            ("clients", self.clients.looks()),
            ("resources", self.resources.looks()),
            ("circles", self.circles.looks()),
            ("rows", self.rows.looks()),
        ]
    }

    /// Forgets what was touched, and nothing else.
    fn forget(&self, touched: &Touched) {
        for id in &touched.sessions {
            self.sessions.forget(id);
        }
        for token in &touched.tokens {
            self.standings.forget(token);
        }
        for patient in &touched.sight {
            self.circles.forget(patient);
        }
        for reference in &touched.resources {
            self.resources.forget(reference.as_str());
        }
        // Operators change clients, users and teams a few times a day: then one walk through all that is remembered is
        // cheaper than a list, for each of them, of what rests on it.
        if touched.is_wide() {
            self.sessions.forget_resting_on(touched);
            self.standings.forget_resting_on(touched);
            self.clients.forget_resting_on(touched);
            self.resources.forget_resting_on(touched);
        }
    }
}

impl Witness for Arc<Cache> {
    fn before(&self, touched: &Touched) {
        self.rows.begin(&touched.rows);
    }

    fn after(&self, touched: &Touched) {
        self.sight.note(touched);
        self.forget(touched);
        self.rows.end(&touched.rows);
        self.changes.note(touched);
    }
}
