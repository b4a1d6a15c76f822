//! Adding to the ledger: what waits in the outboxes, and what was spooled, is numbered, bound to what is there, and stored in
//! blocks. One process at a time does so, whoever it is, and each step is one transaction of bounded size.

use super::older;
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids;
use crate::lines::block::{Block, Head, Subject};
use crate::lines::month::Month;
use crate::sql::arg::{Arg, args};
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::rows::RowPut;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::moment::Moment;

/// Rows of the index of subjects that are made ready at a time.
const SUBJECTS: usize = 4_096;

statements! {
    pub(crate) HEAD = "SELECT number, hash, last_id, records_mark, sessions_mark, older_mark
    FROM ledger.head WHERE id = 1";
    BEGIN_HEAD = "INSERT INTO ledger.head (id, number, hash, last_id, records_mark, sessions_mark, older_mark)
    VALUES (1, $1, $2, $3, 0, 0, 0) ON CONFLICT DO NOTHING";
    MOVE_HEAD = "UPDATE ledger.head SET number = $1, hash = $2, last_id = $3, records_mark = $4, sessions_mark = $5,
        older_mark = $6 WHERE id = 1";
    ADD = "INSERT INTO ledger.blocks (id, number, count, hash, lines, checks) VALUES ($1, $2, $3, $4, $5, $6)";
    FIND_BY = "INSERT INTO ledger.subjects (subject, at, id) VALUES ($1, $2, $3)";
    FIND_BY_EACH = "INSERT INTO ledger.subjects (subject, at, id)
    SELECT CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT)
    FROM json_each($1, '$') v";
    SPOOLED = "SELECT taken FROM ledger.spools WHERE id = $1";
    PUT_SPOOLED = "INSERT INTO ledger.spools (id, taken) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET taken = excluded.taken";
    FORGET_SPOOL = "DELETE FROM ledger.spools WHERE id = $1";
}

/// Where the ledger ends, and how far what waits elsewhere has been added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LedgerEnd {
    pub(super) head: Head,
    records: i64,
    sessions: i64,
    older: i64,
}

/// What one step did.
struct AdditionStep {
    lines: u64,
    /// It took as much as a step may: more may be waiting.
    is_full: bool,
    end: LedgerEnd,
}

/// Adds all that waits in the outboxes; tells how many lines there were. What comes meanwhile is left for the next time: under
/// load something always does, and a step for a handful of lines costs as much as one for thousands.
pub async fn add(store: &Store, now: Moment) -> Result<u64> {
    let mut added = 0;
    loop {
        let AdditionStep { lines, is_full, end } = store.db.add_to_ledger(move |tx| Box::pin(step(tx, now))).await?;
        // What is in the ledger is on disk there: it need not wait any longer.
        if end.records > 0 || end.sessions > 0 {
            empty(store, end).await?;
        }
        older::remove(store, end.older).await?;
        added += lines;
        if !is_full {
            return Ok(added);
        }
    }
}

/// One step: the next of what older releases wrote; when there is nothing left of that, what waits in the outboxes.
async fn step(tx: &mut Tx<'_>, now: Moment) -> Result<AdditionStep> {
    let mut end = end(tx).await?;
    let mut written = Vec::new();
    let mut is_full = false;
    if let Some(mark) = older::take(tx, end.older, &mut written).await? {
        (end.older, is_full) = (mark, true);
    } else {
        for (outbox, mark) in [(Outbox::Records, &mut end.records), (Outbox::Sessions, &mut end.sessions)] {
            let taken = tx.take(outbox, *mark, outbox.most_rows(), now).await?;
            *mark = taken.mark.unwrap_or(*mark);
            is_full |= taken.is_full;
            taken.lines.iter().for_each(|lines| written.extend(lines));
        }
    }
    let lines = put(tx, &mut end, &written, now).await?;
    Ok(AdditionStep { lines, is_full, end })
}

/// Adds lines that were spooled: those of a spool from byte `from` on, up to byte `to`. Tells how far the spool is added now: where
/// that was not `from`, somebody was here before, and nothing is added.
pub(super) async fn add_spooled(
    store: &Store,
    spool: i64,
    (from, to): (i64, i64),
    written: Vec<u8>,
    now: Moment,
) -> Result<i64> {
    let write = store.db.add_to_ledger(move |tx| {
        Box::pin(async move {
            let mut end = end(tx).await?;
            let taken = tx.query_one(SPOOLED, args![spool], |row| row.int(0)).await?.unwrap_or(0);
            if taken != from {
                return Ok(taken);
            }
            put(tx, &mut end, &written, now).await?;
            tx.post(PUT_SPOOLED, args![spool, to]).await?;
            Ok(to)
        })
    });
    write.await
}

/// How far a spool has been added, in bytes.
pub(super) async fn spooled(store: &Store, spool: i64) -> Result<i64> {
    let read = store
        .db
        .add_to_ledger(move |tx| Box::pin(async move { tx.query_one(SPOOLED, args![spool], |row| row.int(0)).await }));
    Ok(read.await?.unwrap_or(0))
}

/// Forgets a spool of which nothing is left.
pub(super) async fn forget_spool(store: &Store, spool: i64) -> Result<()> {
    store.db.add_to_ledger(move |tx| Box::pin(async move { tx.post(FORGET_SPOOL, args![spool]).await })).await
}

/// Where the ledger ends.
pub(super) async fn head(store: &Store) -> Result<Head> {
    let mut head = Head::start();
    let keep = |end: LedgerEnd| {
        head = end.head;
        Ok(())
    };
    store.db.each_of_ledger(HEAD, &[&[]], read_end, keep).await?;
    Ok(head)
}

/// The end of the ledger, which is this transaction's own until it is over.
pub(super) async fn end(tx: &mut Tx<'_>) -> Result<LedgerEnd> {
    if let Some(end) = tx.lock_one(HEAD, &[], read_end).await? {
        return Ok(end);
    }
    let Head { number, hash, id } = Head::start();
    tx.execute(BEGIN_HEAD, args![number, hash.as_slice(), id]).await?;
    let end = tx.lock_one(HEAD, &[], read_end).await?;
    end.ok_or_else(|| Error::Impossible("the ledger has no end".into()))
}

fn read_end(row: &dyn Row) -> Result<LedgerEnd> {
    let hash = row.bytes(1)?.try_into().map_err(|_| Error::Impossible("a hash of another length".into()))?;
    let head = Head { number: row.int(0)?, hash, id: row.int(2)? };
    Ok(LedgerEnd { head, records: row.int(3)?, sessions: row.int(4)?, older: row.int(5)? })
}

/// Adds lines at the end, and moves it. Tells how many there were.
pub(super) async fn put(tx: &mut Tx<'_>, end: &mut LedgerEnd, written: &[u8], now: Moment) -> Result<u64> {
    let before = *end;
    let blocks = end.head.add(written, ids::least(now))?;
    for block in &blocks {
        put_block(tx, block).await?;
    }
    // Side by side in the index, they go to the same pages one after the other.
    let mut subjects: Vec<Subject> = blocks.iter().flat_map(|block| &block.subjects).copied().collect();
    subjects.sort_unstable();
    for some in subjects.chunks(SUBJECTS) {
        let rows: Vec<[Arg<'_>; 3]> = some.iter().map(|(subject, at, id)| [*subject, *at, *id].map(Arg::Int)).collect();
        tx.put_rows(RowPut { into: None, one: FIND_BY, many: FIND_BY_EACH }, &rows).await?;
    }
    if !blocks.is_empty() || *end != before {
        move_head(tx, *end).await?;
    }
    Ok(u64::try_from(end.head.number - before.head.number).unwrap_or_default())
}

/// Puts the end where it is from now on.
pub(super) async fn move_head(tx: &mut Tx<'_>, end: LedgerEnd) -> Result<()> {
    let LedgerEnd { head, records, sessions, older } = end;
    tx.post(MOVE_HEAD, args![head.number, head.hash.as_slice(), head.id, records, sessions, older]).await
}

async fn put_block(tx: &mut Tx<'_>, block: &Block) -> Result<()> {
    tx.make_month(Month::of_id(block.id)).await?;
    let Block { id, number, count, hash, lines, checks, .. } = block;
    tx.post(ADD, args![*id, *number, *count, hash.as_slice(), lines.as_slice(), checks.as_slice()]).await
}

async fn empty(store: &Store, end: LedgerEnd) -> Result<()> {
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            for (outbox, mark) in [(Outbox::Records, end.records), (Outbox::Sessions, end.sessions)] {
                tx.post(outbox.empty(), args![mark]).await?;
            }
            Ok(())
        })
    });
    write.await
}
