//! A caller of one of the two APIs.

use crate::app::accesses::Viewer;
use rules::clients::ClientKind;
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;

/// Who calls, and what they may see.
#[derive(Debug)]
pub struct Caller {
    pub kind: ClientKind,
    /// The session's scope; a System Client has none.
    pub scope: Option<Scope>,
    pub reach: Reach,
    /// `None` for a System Client.
    pub session: Option<i64>,
    /// The user behind the session; `None` for a team's session and for a System Client.
    pub user: Option<i64>,
    /// Our own number of the client.
    pub client: i64,
    /// The moment of this request, read once.
    pub now: Moment,
}

impl Caller {
    /// As the count of accesses knows the caller.
    #[must_use]
    pub const fn viewer(&self) -> Viewer<'_> {
        Viewer { client: self.client, user: self.user, reach: &self.reach, now: self.now }
    }
}
