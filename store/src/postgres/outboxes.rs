//! Taking what waits for the ledger out of its outboxes. Transactions of many nodes are committed in no order of their ids, so
//! what was taken is removed at once; for a while its id is kept, as proof of the commit that brought it.

use super::tx::PostgresTx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::outbox::{Outbox, Taking};

/// `$1`: at most so many rows, `$2`: now. Lines that were moved here from an embedded store have small ids, which both outboxes
/// may have; they prove nothing.
const TAKE_RECORDS: &str = "WITH gone AS (
        DELETE FROM record_lines WHERE id IN (SELECT id FROM record_lines ORDER BY id LIMIT $1)
        RETURNING id, lines, given_up),
    kept AS (INSERT INTO ledger.taken (id, given_up, taken_at) SELECT id, given_up, $2 FROM gone ON CONFLICT DO NOTHING)
    SELECT lines FROM gone ORDER BY id";
const TAKE_SESSIONS: &str = "WITH gone AS (
        DELETE FROM session_lines WHERE id IN (SELECT id FROM session_lines ORDER BY id LIMIT $1)
        RETURNING id, lines, given_up),
    kept AS (INSERT INTO ledger.taken (id, given_up, taken_at) SELECT id, given_up, $2 FROM gone ON CONFLICT DO NOTHING)
    SELECT lines FROM gone ORDER BY id";
const FORGET: &str = "DELETE FROM ledger.taken WHERE taken_at < $1";

/// How long an id is kept: much longer than a commit can be on its way.
const KEPT_MS: i64 = 3_600_000;

pub(crate) const STATEMENTS: &[&str] = &[TAKE_RECORDS, TAKE_SESSIONS, FORGET];

impl PostgresTx {
    /// Takes the lines of at most so many rows.
    pub(crate) async fn take(&mut self, outbox: Outbox, most: i64, now: i64) -> Result<Taking> {
        let take = match outbox {
            Outbox::Records => TAKE_RECORDS,
            Outbox::Sessions => TAKE_SESSIONS,
        };
        self.post(FORGET, args![now.saturating_sub(KEPT_MS)]).await?;
        let lines = self.query(take, args![most, now], |row| row.bytes(0)).await?;
        Ok(Taking { is_full: lines.len() as i64 >= most, lines, mark: None })
    }
}
