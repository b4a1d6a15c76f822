//! Proof of a commit: lines that wait for the ledger, by which a transaction, once committed, can be told from one that was
//! not.

use super::outbox::Outbox;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub outbox: Outbox,
    /// Under which they wait. Nobody else makes the same.
    pub id: i64,
    /// As they are written.
    pub lines: Vec<u8>,
}
