//! Proof of a commit: a line of the ledger by which a transaction, once committed, can be told from one that was not.

use rules::ids::SessionId;
use rules::moment::Moment;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub id: i64,
    pub at: Moment,
    pub event: &'static str,
    pub session: Option<SessionId>,
}
