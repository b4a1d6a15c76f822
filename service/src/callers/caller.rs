//! A caller of one of the two APIs.

use crate::app::accesses::Viewer;
use crate::app::response_budget::Taker;
use rules::clients::ClientKind;
use rules::ids::{ClientId, SessionId, UserId};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;
use store::CallerKey;
use store::ledger::Author;

/// Who calls, and what they may see.
#[derive(Clone, Debug)]
pub struct Caller {
    pub kind: ClientKind,
    /// The session's scope; a System Client has none.
    pub scope: Option<Scope>,
    pub reach: Reach,
    /// The FHIR id of the patient that a PATIENT session is about.
    pub patient: Option<String>,
    /// `None` for a System Client.
    pub session: Option<SessionId>,
    /// The user behind the session; `None` for a team's session and for a System Client.
    pub user: Option<UserId>,
    /// Our own number of the client.
    pub client: ClientId,
    /// The moment of this request, read once.
    pub now: Moment,
}

impl Caller {
    /// As the count of accesses knows the caller.
    #[must_use]
    pub const fn viewer(&self) -> Viewer<'_> {
        Viewer { client: self.client, user: self.user, reach: &self.reach, now: self.now }
    }

    /// As the ledger names who wrote something.
    #[must_use]
    pub const fn author(&self) -> Author {
        Author { session: self.session, client: Some(self.client), user: self.user, operator: None }
    }

    /// As the store's queues know the caller: whoever has several sessions is one.
    #[must_use]
    pub fn key(&self) -> CallerKey {
        self.user.map_or_else(|| self.taker(), Taker::User).key()
    }

    /// As the bound on answers that were not taken knows the caller.
    #[must_use]
    pub const fn taker(&self) -> Taker {
        match self.session {
            Some(session) => Taker::Session(session),
            None => Taker::Client(self.client),
        }
    }
}
