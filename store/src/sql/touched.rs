//! What a write transaction touched: what is remembered of it must be forgotten before the commit is acknowledged.

use rules::ids::{ClientId, PatientId, SessionId, TeamId, UserId};
use std::collections::HashSet;

/// By session, client, user, team and patient; never everything because somebody edited a user.
#[derive(Debug, Default)]
pub struct Touched {
    pub sessions: Vec<SessionId>,
    /// Resources, as another names them: `Patient/123`.
    pub resources: Vec<String>,
    pub clients: HashSet<ClientId>,
    pub users: HashSet<UserId>,
    pub teams: HashSet<TeamId>,
    /// Patients whose sight changed.
    pub patients: HashSet<PatientId>,
}

impl Touched {
    /// Whether anything was touched on which entries rest that are not named by their own key.
    pub(crate) fn is_wide(&self) -> bool {
        !(self.clients.is_empty() && self.users.is_empty() && self.teams.is_empty() && self.patients.is_empty())
    }
}
