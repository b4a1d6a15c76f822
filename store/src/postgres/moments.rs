//! From which moments on transactions are writing that have said so, whichever node they are on.

use super::database::Postgres;
use crate::error::Result;
use crate::sql::advisory_locks::MOMENTS;
use crate::sql::arg::Arg;

/// More moments than a calendar has.
const RANGE: i64 = 1 << 56;

/// The locks of a transaction are there until others see what it wrote.
const OLDEST: &str = "SELECT min(l.number) FROM (
        SELECT (CAST(classid AS BIGINT) << 32) | CAST(objid AS BIGINT) AS number FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) l
    WHERE l.number >= $1 AND l.number < $2";

pub(super) const STATEMENTS: &[&str] = &[OLDEST];

impl Postgres {
    /// The oldest moment that a transaction under way has announced.
    pub(crate) async fn oldest_announced(&self) -> Result<Option<i64>> {
        let range = [Arg::Int(MOMENTS), Arg::Int(MOMENTS + RANGE)];
        let oldest = self.read(OLDEST, &range, |row| row.opt_int(0)).await?;
        Ok(oldest.into_iter().flatten().next().map(|number| number - MOMENTS))
    }
}
