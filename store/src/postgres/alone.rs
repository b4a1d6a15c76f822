//! Work that one node at a time does.

use super::tx::PostgresTx;
use crate::error::Result;
use crate::sql::arg::Arg;

/// Given up when the transaction ends, however it ends. Never on a path that requests take.
const ONE_AT_A_TIME: &str = "SELECT CAST(pg_try_advisory_xact_lock($1) AS INTEGER)";

pub(super) const STATEMENTS: &[&str] = &[ONE_AT_A_TIME];

impl PostgresTx {
    /// Whether this transaction, until it ends, is the only one of all nodes that does `what`.
    pub(crate) async fn is_alone(&mut self, what: i64) -> Result<bool> {
        let got = self.query(ONE_AT_A_TIME, &[Arg::Int(what)], |row| row.flag(0)).await?;
        Ok(got == [true])
    }
}
