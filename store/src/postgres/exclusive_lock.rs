//! Work that one node at a time does.

use super::tx::PostgresTx;
use crate::error::Result;
use crate::sql::arg::Arg;

/// Given up when the transaction ends, however it ends.
const ONE_AT_A_TIME: &str = "SELECT CAST(pg_try_advisory_xact_lock($1) AS INTEGER)";

/// The same for whoever can wait for their turn.
const ONE_AFTER_ANOTHER: &str = "SELECT 1 FROM (SELECT pg_advisory_xact_lock($1)) l";

/// For whoever can do it beside others, but beside nobody who is alone in it.
const TOGETHER: &str = "SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared($1)) l";

pub(crate) const STATEMENTS: &[&str] = &[ONE_AT_A_TIME, ONE_AFTER_ANOTHER, TOGETHER];

impl PostgresTx {
    /// Whether this transaction, until it ends, is the only one of all nodes that does `what`.
    pub(crate) async fn is_alone(&mut self, what: i64) -> Result<bool> {
        let got = self.query(ONE_AT_A_TIME, &[Arg::Int(what)], |row| row.flag(0)).await?;
        Ok(got == [true])
    }

    /// Waits until this transaction, until it ends, is the only one of all nodes that does `what`. Whoever waits for several
    /// things waits for them in the order of their numbers, and before it locks any row.
    pub(crate) async fn take_exclusive_lock(&mut self, what: i64) -> Result<()> {
        self.query(ONE_AFTER_ANOTHER, &[Arg::Int(what)], |_| Ok(())).await.map(|_| ())
    }

    /// Waits until nobody is alone in doing `what`, and lets nobody be until this transaction has ended. The answer is read with
    /// that of the next statement, which begins when this one has ended.
    pub(crate) async fn take_shared_lock(&mut self, what: i64) -> Result<()> {
        self.post_lock(TOGETHER, &[Arg::Int(what)]).await
    }
}
