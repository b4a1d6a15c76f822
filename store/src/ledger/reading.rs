//! Reading the ledger: the lines that concern somebody, newest first by the moment at which it happened, and all lines of a
//! span of time.

use super::names::{NamedLine, PlacedLine, name};
use super::roots;
use crate::error::{Error, Result};
use crate::ids;
use crate::lines::block;
use crate::lines::line::{About, Concern, Line};
use crate::sql::arg::{Arg, args};
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::ids::{PatientId, UserId};
use rules::moment::Moment;
use std::collections::BTreeMap;

/// Blocks that are read at a time when all lines are.
const BLOCKS: i64 = 32;

statements! {
    ABOUT = "SELECT at, id FROM ledger.subjects WHERE subject = $1 AND (at, id) < ($2, $3)
    ORDER BY at DESC, id DESC LIMIT $4";
    /// The block that a line is in.
    AROUND = "SELECT id, number, lines FROM ledger.blocks WHERE id <= $1 ORDER BY id DESC LIMIT 1";
    LAST = "SELECT id, number, lines FROM ledger.blocks ORDER BY id DESC LIMIT 1";
    /// The last of what waits to be added, and of what releases before wrote.
    WAITING = "SELECT (SELECT lines FROM record_lines ORDER BY id DESC LIMIT 1),
        (SELECT lines FROM session_lines ORDER BY id DESC LIMIT 1), (SELECT max(id) FROM ledger)";
    FROM = "SELECT id, number, lines FROM ledger.blocks WHERE id >= $1 ORDER BY id LIMIT $2";
}

/// A place in somebody's list of lines, which are in the order of their moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LedgerPosition {
    pub at: Moment,
    pub id: i64,
}

impl LedgerPosition {
    /// Behind the newest line.
    pub const NEWEST: Self = Self { at: Moment(i64::MAX), id: i64::MAX };

    /// Of a line.
    #[must_use]
    pub const fn of(line: &NamedLine) -> Self {
        Self { at: line.at, id: line.id }
    }
}

/// Lines from a moment on, and before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerSpan {
    pub since: Moment,
    pub until: Moment,
}

impl LedgerSpan {
    pub const ALL: Self = Self { since: Moment(i64::MIN), until: Moment(i64::MAX) };

    pub(super) const fn holds(self, at: Moment) -> bool {
        self.since.0 <= at.0 && at.0 < self.until.0
    }
}

/// The newest lines before a place that concern a patient: who looked at the record, and what the patient's own account granted.
pub async fn of_patient(
    store: &Store,
    patient: PatientId,
    user: UserId,
    before: LedgerPosition,
    limit: i64,
) -> Result<Vec<NamedLine>> {
    about(store, &[patient.0, user.0], before, limit).await
}

/// Those of the newest lines before a place that concern a patient which are wanted, among as many as are looked at; and where those
/// after them begin.
pub async fn of_patient_alone(
    store: &Store,
    patient: PatientId,
    (before, looked_at): (LedgerPosition, i64),
    wanted: impl Fn(&Line) -> bool,
) -> Result<(Vec<NamedLine>, Option<LedgerPosition>)> {
    let mut places = places(store, ABOUT, patient.0, before, looked_at.saturating_add(1)).await?;
    let most = usize::try_from(looked_at).unwrap_or(usize::MAX);
    let is_more = places.len() > most;
    places.truncate(most);
    let next = places.last().copied().filter(|_| is_more);
    let mut lines = at(store, &places).await?;
    lines.retain(|placed| wanted(&placed.line));
    Ok((name(store, lines).await?, next))
}

/// The newest lines before a place that tell of what a user did, or of their account. Looks at the own record are the patient's.
pub async fn of_user(store: &Store, user: UserId, before: LedgerPosition, limit: i64) -> Result<Vec<NamedLine>> {
    about(store, &[user.0], before, limit).await
}

/// The line at a place, if it concerns this patient: with the names of those whom it concerns, and their numbers.
pub async fn line_of_patient(
    store: &Store,
    patient: PatientId,
    place: LedgerPosition,
) -> Result<Option<(NamedLine, About)>> {
    let mut blocks: Vec<BlockRow> = Vec::new();
    let keep = |block| {
        blocks.push(block);
        Ok(())
    };
    store.db.each_of_ledger(AROUND, &[args![place.id]], block_row, keep).await?;
    let found = blocks.first().map(|block| block.line(place.id)).transpose()?.flatten();
    let Some(found) = found.filter(|found| found.line.at == place.at && found.line.concerns(Concern::Patient(patient)))
    else {
        return Ok(None);
    };
    let about = found.line.about.clone();
    let named = name(store, vec![found]).await?;
    Ok(named.into_iter().next().map(|named| (named, about)))
}

/// When the newest line was noted, also of those that wait to be added: the last time of day that somebody knew.
pub async fn newest(store: &Store) -> Result<Option<Moment>> {
    let last = |row: &dyn Row| Ok(([row.opt_bytes(0)?, row.opt_bytes(1)?], row.opt_int(2)?));
    let waiting = store.db.read_one(WAITING, &[], last).await?;
    let (outboxes, older) = waiting.unwrap_or_default();
    let mut waiting = older.map(ids::made_at);
    for lines in outboxes.iter().flatten() {
        for line in block::lines(lines) {
            waiting = waiting.max(Some(line?.1.at));
        }
    }
    let mut newest = None;
    let keep = |block: BlockRow| {
        let moments: Vec<Moment> = block.lines().map(|line| Ok(line?.line.at)).collect::<Result<_>>()?;
        newest = moments.into_iter().max();
        Ok(())
    };
    store.db.each_of_ledger(LAST, &[&[]], block_row, keep).await?;
    Ok(newest.max(waiting))
}

/// The newest lines before a place that concern any of these.
async fn about(store: &Store, subjects: &[i64], before: LedgerPosition, limit: i64) -> Result<Vec<NamedLine>> {
    let mut found: Vec<LedgerPosition> = Vec::new();
    for subject in subjects {
        found.extend(places(store, ABOUT, *subject, before, limit).await?);
    }
    let mut places = found;
    places.sort_unstable_by(|one, other| other.cmp(one));
    places.dedup();
    places.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let lines = at(store, &places).await?;
    name(store, lines).await
}

/// The lines at these places.
pub(super) async fn at(store: &Store, places: &[LedgerPosition]) -> Result<Vec<PlacedLine>> {
    let mut blocks: BTreeMap<i64, BlockRow> = BTreeMap::new();
    let lists: Vec<[Arg<'_>; 1]> = places.iter().map(|place| [place.id.into()]).collect();
    let lists: Vec<&[Arg<'_>]> = lists.iter().map(|list| list.as_slice()).collect();
    let keep = |block: BlockRow| {
        blocks.entry(block.id).or_insert(block);
        Ok(())
    };
    store.db.each_of_ledger(AROUND, &lists, block_row, keep).await?;
    let mut lines = Vec::new();
    let mut beginning = None;
    for place in places {
        let around = blocks.range(..=place.id).next_back();
        let line = around.map(|(_, block)| block.line(place.id)).transpose()?.flatten();
        if line.is_none() {
            // Between two reads its month may have been dropped.
            if beginning.is_none() {
                beginning = roots::beginning(store).await?.map(|root| root.month.ids().1);
            }
            if beginning.is_none_or(|beginning| place.id >= beginning) {
                return Err(Error::Impossible(format!("the ledger has no line {} where it should be", place.id)));
            }
        }
        lines.extend(line);
    }
    Ok(lines)
}

/// Gives every line of a span, in the order in which they were added, as long as `line` says yes to more. `wanted` says
/// which lines are worth their names.
pub async fn each(
    store: &Store,
    span: LedgerSpan,
    wanted: impl Fn(&Line) -> bool,
    mut line: impl FnMut(NamedLine) -> bool,
) -> Result<()> {
    let mut from = 0;
    loop {
        let mut blocks: Vec<BlockRow> = Vec::new();
        let keep = |block| {
            blocks.push(block);
            Ok(())
        };
        store.db.each_of_ledger(FROM, &[args![from, BLOCKS]], block_row, keep).await?;
        let Some(last) = blocks.last() else { return Ok(()) };
        from = last.id.saturating_add(1);
        let mut lines = Vec::new();
        for block in &blocks {
            for found in block.lines() {
                let found = found?;
                if span.holds(found.line.at) && wanted(&found.line) {
                    lines.push(found);
                }
            }
        }
        for named in name(store, lines).await? {
            if !line(named) {
                return Ok(());
            }
        }
    }
}

/// Where lines that concern somebody are.
pub(super) async fn places(
    store: &Store,
    statement: Statement<'static>,
    subject: i64,
    from: LedgerPosition,
    limit: i64,
) -> Result<Vec<LedgerPosition>> {
    let mut places = Vec::new();
    let place = |row: &dyn Row| Ok(LedgerPosition { at: Moment(row.int(0)?), id: row.int(1)? });
    let keep = |place| {
        places.push(place);
        Ok(())
    };
    store.db.each_of_ledger(statement, &[args![subject, from.at.0, from.id, limit]], place, keep).await?;
    Ok(places)
}

/// A block as it is stored.
struct BlockRow {
    id: i64,
    number: i64,
    lines: Vec<u8>,
}

fn block_row(row: &dyn Row) -> Result<BlockRow> {
    Ok(BlockRow { id: row.int(0)?, number: row.int(1)?, lines: row.bytes(2)? })
}

impl BlockRow {
    fn lines(&self) -> impl Iterator<Item = Result<PlacedLine>> {
        block::lines(&self.lines).map(|line| {
            let (at, line) = line?;
            Ok(PlacedLine { id: self.id + at, number: self.number + at, line })
        })
    }

    fn line(&self, id: i64) -> Result<Option<PlacedLine>> {
        self.lines().find(|line| line.as_ref().map_or(true, |line| line.id == id)).transpose()
    }
}
