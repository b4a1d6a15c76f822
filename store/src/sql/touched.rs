//! What a write transaction touched: what is remembered of it must be forgotten before the commit is acknowledged.

use rules::ids::{ClientId, PatientId, RowId, SessionId, UserId};
use std::collections::{BTreeSet, HashSet};

/// By session, resource, patient, token, client and user; never everything because somebody edited a user. What is remembered rests on
/// nothing else: a team is in the memory of its members' sessions.
#[derive(Debug, Default)]
pub struct Touched {
    pub sessions: Vec<SessionId>,
    /// Resources, as another names them: `Patient/123`.
    pub resources: Vec<String>,
    /// The same by the numbers of their rows, but for those that are new: nothing is remembered of them.
    pub rows: Vec<RowId>,
    /// The numbers of the types of which a resource was stored or deleted.
    pub types: BTreeSet<i64>,
    /// Whether something else changed that decides what a search finds: who sees whom, or what the index holds of all.
    pub finding: bool,
    /// Patients of whom it changed who sees them.
    pub sight: Vec<PatientId>,
    /// Tokens of System Clients, by client and number.
    pub tokens: Vec<(ClientId, i64)>,
    pub clients: HashSet<ClientId>,
    pub users: HashSet<UserId>,
}

impl Touched {
    /// Notes that a resource of this type, which others name so, is stored or deleted.
    pub(crate) fn note_resource(&mut self, type_number: i64, reference: String) {
        self.types.insert(type_number);
        self.resources.push(reference);
    }

    /// Whether anything was touched on which entries rest that are not named by their own key.
    pub(crate) fn is_wide(&self) -> bool {
        !(self.clients.is_empty() && self.users.is_empty())
    }
}

/// What hears of every transaction that is committed.
pub(crate) trait Witness: Send {
    /// Before it may be seen by anyone.
    fn before(&self, touched: &Touched);

    /// When it can be seen, or never will be, and before anyone is answered: an acknowledged revocation is in force at once.
    fn after(&self, touched: &Touched);
}

/// Where nothing is remembered.
impl Witness for () {
    fn before(&self, _: &Touched) {}

    fn after(&self, _: &Touched) {}
}
