//! Looks of a transaction, while others wait for their turn behind it: all of them together have a bound of time.

use super::answers::StatementFailure;
use super::trouble::is_canceled;
use super::tx::PostgresTx;
use crate::error::{Error, Result};
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use std::time::Duration;
use tokio::time::Instant;

/// What all looks of a transaction may take, and so the last of them, too.
const LOOKS: Duration = Duration::from_secs(2);

/// Until the transaction ends, or the other says otherwise.
const BOUND: &str = "SET LOCAL statement_timeout = 2000";
const UNBOUND: &str = "SET LOCAL statement_timeout TO DEFAULT";

pub(crate) const STATEMENTS: &[&str] = &[BOUND, UNBOUND];

impl PostgresTx {
    pub(crate) async fn begin_looks(&mut self) -> Result<()> {
        self.looks_until = Some(Instant::now() + LOOKS);
        self.post_lock(BOUND, &[]).await
    }

    /// One of them. What is over its time is too costly, and its transaction with it.
    pub(crate) async fn look<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        mut map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        if self.looks_until.is_some_and(|until| Instant::now() >= until) {
            return Err(Error::TooCostly);
        }
        let loan = self.loan();
        let asked = async {
            match loan.connection()?.query_prepared(sql, args).await {
                Err(error) if is_canceled(&error) => Err(StatementFailure::Refused(Error::TooCostly)),
                answered => Ok(answered?),
            }
        };
        let rows = self.behind_posted(asked).await?;
        rows.iter().map(|row| map(row)).collect()
    }

    pub(crate) async fn end_looks(&mut self) -> Result<()> {
        self.looks_until = None;
        self.post_lock(UNBOUND, &[]).await
    }
}
