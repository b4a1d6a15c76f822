//! Proof of a commit: lines that wait for the ledger, by which a transaction, once committed, can be told from one that was
//! not.

use super::tray::Tray;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub tray: Tray,
    /// Under which they wait. Nobody else makes the same.
    pub id: i64,
    /// As they are written.
    pub lines: Vec<u8>,
}
