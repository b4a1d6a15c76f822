//! Index rows of what a large plan creates, written ahead of it, and of what it deletes, taken away behind it. Nobody finds a resource
//! by them while it is not there, so that is done in small transactions, between which others' writes have their turn; the plan's own
//! transaction has the resources alone.

use super::draft::Drafts;
use super::plan::{Act, Plan};
use super::predecessor::FIRST;
use crate::engine::{Db, Rollback, Tx};
use crate::error::{Error, Result};
use crate::ids;
use crate::records::index::index_rows::{self, IndexSheet};
use crate::records::index::{own_parameters, tokens};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::RowId;
use rules::moment::Moment;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Index rows of one small transaction. A plan with no more than these is made at once.
pub(crate) const PART_ROWS: usize = 3_000;

/// What was not taken away for so long was left by a write that came to nothing.
const LEFT_SECONDS: i64 = 3600;

statements! {
    PUT = "INSERT INTO stagings (id, part, resources) VALUES ($1, $2, $3)";
    TAKE = "DELETE FROM stagings WHERE id = $1";
    /// Those that are there keep their rows.
    OF_PART = "SELECT CAST(v.value AS BIGINT) FROM stagings s, json_each(s.resources) v WHERE s.id = $1 AND s.part = $2
        AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.id = CAST(v.value AS BIGINT) AND r.deleted_at IS NULL)";
    DISCARD = "DELETE FROM stagings WHERE id = $1 AND part = $2";
    LEFT = "SELECT id, part FROM stagings WHERE id <= $1 ORDER BY id, part LIMIT 1";
    RESOURCES = "SELECT CAST(v.value AS BIGINT) FROM stagings s, json_each(s.resources) v";
}

/// What was written ahead, as the last transaction has to find it.
#[derive(Debug)]
pub(crate) struct Staging {
    id: i64,
    parts: Vec<StagedPart>,
    /// The users' own parameters of which values were written.
    own: Vec<u32>,
}

/// The rows of one small transaction.
#[derive(Debug, Default)]
struct StagedPart {
    pieces: Vec<PartPiece>,
    rows: usize,
}

/// Some of the index rows of what an act stores.
#[derive(Debug)]
struct PartPiece {
    act: usize,
    rows: Range<usize>,
}

/// Divides what a plan creates, where it is much and all writers wait for one; gives what is created its rows.
pub(crate) async fn divide(store: &Store, plan: &Plan, drafts: &mut Drafts, now: Moment) -> Result<Option<Staging>> {
    let all: usize = plan.contents().iter().map(|content| content.index.len()).sum();
    if all <= PART_ROWS || plan.defines() || !store.db.has_one_writer() {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for (at, act) in plan.acts.iter().enumerate() {
        let Some(content) = act.content() else { continue };
        let Some(draft) = drafts.get_mut(at).filter(|draft| draft.version == FIRST) else { continue };
        draft.staged = Some(RowId(store.ids.next(now)));
        cut(&mut parts, at, content.index.len().max(1));
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let own = own_parameters::all(store).await?;
    let own = own.into_iter().filter(|own| own.is_written()).map(|own| own.number).collect();
    Ok(Some(Staging { id: store.ids.next(now), parts, own }))
}

/// Adds the rows of an act to parts, none of which becomes larger than it may be.
fn cut(parts: &mut Vec<StagedPart>, act: usize, rows: usize) {
    let mut from = 0;
    while from < rows {
        if parts.last().is_none_or(|part| part.rows >= PART_ROWS) {
            parts.push(StagedPart::default());
        }
        let Some(part) = parts.last_mut() else { return };
        let until = rows.min(from + PART_ROWS - part.rows);
        part.rows += until - from;
        // Behind those that are counted here are the source's and those of users' own parameters.
        part.pieces.push(PartPiece { act, rows: from..if until == rows { usize::MAX } else { until } });
        from = until;
    }
}

impl Staging {
    /// By what number its notes are told from others'.
    pub(crate) const fn id(&self) -> i64 {
        self.id
    }

    pub(crate) const fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Takes away the note of what was written ahead, which from now on is the plan's own. It is written anew where something of
    /// it is gone, or where other parameters are defined by now.
    pub(crate) async fn take(&self, tx: &mut Tx<'_>) -> Result<()> {
        let taken = tx.execute(TAKE, args![self.id]).await?;
        self.must_fit(&IndexSheet::of(tx).await?)?;
        if usize::try_from(taken).is_ok_and(|taken| taken == self.parts.len()) { Ok(()) } else { Err(moved()) }
    }

    fn must_fit(&self, sheet: &IndexSheet) -> Result<()> {
        if sheet.own_numbers().eq(self.own.iter().copied()) { Ok(()) } else { Err(moved()) }
    }

    /// Writes one part.
    pub(crate) async fn put(&self, tx: &mut Tx<'_>, number: usize, acts: &[Act], drafts: &Drafts) -> Result<()> {
        let Some(part) = self.parts.get(number) else { return Ok(()) };
        let (mut sheet, mut resources) = (IndexSheet::of(tx).await?, Vec::new());
        self.must_fit(&sheet)?;
        for PartPiece { act, rows } in &part.pieces {
            let (Some(content), Some(draft)) = (acts.get(*act).and_then(Act::content), drafts.get(*act)) else {
                continue;
            };
            let Some(row) = draft.staged else { continue };
            let patients = drafts.patients(content);
            sheet.add_some((row, rows.clone()), (content, &draft.body), &patients, &draft.origin);
            if rows.start == 0 {
                tokens::put(tx, row, content.resource_type, &content.tokens).await?;
            }
            resources.push(row.0);
        }
        sheet.put(tx).await?;
        tx.post(PUT, args![self.id, i64::try_from(number).unwrap_or(i64::MAX), &list(resources)]).await
    }
}

/// What the plan's attempt was divided by does not hold any more: it is attempted anew.
pub(crate) fn moved() -> Error {
    Error::Taken("what was written ahead of a large write".into())
}

/// What was written ahead, until it is the plan's own: should that come to nothing, it is taken away again.
pub(crate) struct StagingGuard {
    db: Arc<Db>,
    id: i64,
    /// How many parts may be there.
    parts: i64,
}

impl StagingGuard {
    /// Of parts that are there already, and are to be taken away.
    pub(crate) fn of(store: &Store, (id, parts): (i64, i64)) -> Self {
        Self { db: store.db.clone(), id, parts }
    }

    /// One part more may be there.
    pub(crate) const fn add(&mut self) {
        self.parts += 1;
    }

    /// Leaves what is there now to the plan.
    pub(crate) const fn keep(&mut self) {
        self.parts = 0;
    }
}

impl Drop for StagingGuard {
    fn drop(&mut self) {
        let id = self.id;
        for part in 0..self.parts {
            // It is queued behind what its caller wrote before, and is done whether or not anybody waits for it.
            drop(self.db.run(Rollback::Alone, move |tx| Box::pin(discard(tx, id, part))));
        }
    }
}

/// Notes rows of the index that are to be taken away, part by part: those of resources that are deleted with the note.
pub(crate) async fn leave(tx: &mut Tx<'_>, id: i64, parts: &[Vec<i64>]) -> Result<()> {
    for (number, resources) in (0_i64..).zip(parts) {
        tx.post(PUT, args![id, number, &list(resources.iter().copied())]).await?;
    }
    Ok(())
}

/// Takes away one part, if it is still there.
async fn discard(tx: &mut Tx<'_>, id: i64, part: i64) -> Result<()> {
    for row in tx.query(OF_PART, args![id, part], |row| row.id(0)).await? {
        index_rows::forget(tx, row).await?;
        tokens::forget(tx, row).await?;
    }
    tx.post(DISCARD, args![id, part]).await
}

/// Takes away one part that was left; tells whether there was any.
pub(crate) async fn sweep(tx: &mut Tx<'_>, now: Moment) -> Result<bool> {
    let before = ids::least(now.plus_seconds(-LEFT_SECONDS));
    let left = |row: &dyn Row| Ok((row.int(0)?, row.int(1)?));
    let Some((id, part)) = tx.query_one(LEFT, args![before], left).await? else { return Ok(false) };
    discard(tx, id, part).await.map(|()| true)
}

/// The rows of all resources that the index has and that are not there yet, or not any more.
pub(crate) async fn resources(store: &Store) -> Result<BTreeSet<i64>> {
    Ok(store.db.page(RESOURCES, &[], |row| row.int(0)).await?.into_iter().collect())
}
