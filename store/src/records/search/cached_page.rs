//! A page of what is remembered. Where one clause or a timeline leads, the index alone says which rows are on it and in which order;
//! if all of them are remembered, and seen by what they say themselves, none is read.

use super::code_timeline::{self, TimelineWalk};
use super::criteria::Cell;
use super::form::Form;
use super::request::{Match, Search};
use super::sort::{Cursor, CursorKey};
use super::walk::walk;
use crate::cache::Rows;
use crate::engine::Db;
use crate::error::Result;
use crate::records::stored::resource::Resource;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::statement::{Statement, statements};
use fhir::extraction::timeline_rows::NO_DATE;
use fhir::search::query::Clause;
use fhir::types::ResourceType;
use rules::ids::RowId;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::Arc;

statements! {
    TOKEN = "SELECT w.resource_id FROM index_tokens w
        WHERE w.type = $1 AND w.parameter = $2 AND w.code = CAST($3 AS TEXT)
            AND (CAST($4 AS BIGINT) IS NULL OR w.system = CAST($4 AS BIGINT))
            AND w.resource_id < $5 AND w.resource_id > $6 ORDER BY w.resource_id DESC LIMIT $7";
    TARGET = "SELECT w.resource_id FROM index_references w
        WHERE w.type = $1 AND w.parameter = $2 AND w.target_type = CAST($3 AS BIGINT) AND w.target = CAST($4 AS TEXT)
            AND (CAST($5 AS TEXT) IS NULL OR w.version = CAST($5 AS TEXT))
            AND w.resource_id < $6 AND w.resource_id > $7 ORDER BY w.resource_id DESC LIMIT $8";
    COURSE = "SELECT w.resource_id, w.moment FROM index_courses w
        WHERE w.patient_id = (SELECT p.id FROM patients p WHERE p.fhir_id = $1) AND w.parameter = $2 AND w.code = $3
            AND w.system = $4 AND (w.moment, w.resource_id) < ($5, $6)
        ORDER BY w.moment DESC, w.resource_id DESC LIMIT $7";
}

/// The page, if all of it is remembered.
pub(crate) fn find(
    db: &Db,
    rows: &Rows,
    reach: &Reach,
    search: &Search<'_>,
    now: Moment,
) -> Result<Option<Vec<Match>>> {
    let Some(epoch) = rows.epoch() else { return Ok(None) };
    let known = |id: RowId| rows.look::<Resource>(id).ok()?.seen_from(reach, now);
    let page = match search.sort {
        [] => newest(db, search, known)?,
        _ => latest(db, search, known)?,
    };
    Ok(page.filter(|_| rows.holds(epoch)))
}

/// Along the values of the only clause.
fn newest(db: &Db, search: &Search<'_>, known: impl Fn(RowId) -> Option<Arc<Resource>>) -> Result<Option<Vec<Match>>> {
    let [clause] = &search.query.clauses[..] else { return Ok(None) };
    let before = search.after.as_ref().map_or(i64::MAX, |after| after.row);
    let part = [before, search.floor.unwrap_or(i64::MIN), search.limit];
    let Some(steps) = Steps::along(clause, search.query.resource_type.number(), part) else { return Ok(None) };
    let mut last = None;
    db.glance(steps.statement, &steps.args(), |row| {
        let id: RowId = row.id(0)?;
        // One that has the value more than once would fill the page more than once.
        let is_again = last.replace(id) == Some(id);
        let place = Cursor { row: id.0, keys: Vec::new() };
        Ok(known(id).filter(|_| !is_again).map(|resource| Match { resource, place }))
    })
}

/// Whether a resource of this type that is inside of another has the value of a clause, of those with one value; `None` for any
/// other, or where the index does not say so at once.
pub(crate) fn is_inside_another(db: &Db, of: ResourceType, clause: &Clause) -> Result<Option<bool>> {
    let Some(steps) = Steps::along(clause, -of.number(), [i64::MAX, i64::MIN, 1]) else { return Ok(None) };
    let found = db.glance(steps.statement, &steps.args(), |_| Ok(Some(())))?;
    Ok(found.map(|rows| !rows.is_empty()))
}

/// The rows that have the value of a clause, from the newest on.
struct Steps {
    statement: Statement<'static>,
    args: Vec<OwnedArg>,
}

impl Steps {
    /// Of a type as the index has it, if the clause has one value: those before a row and behind another, and no more than so many.
    fn along(clause: &Clause, of: i64, part: [i64; 3]) -> Option<Self> {
        let (parameter, group) = walk(clause)?;
        let ([leaf], [cells]) = (&group.leaves[..], &group.rows[..]) else { return None };
        let statement = if leaf.form == Form::Target { TARGET } else { TOKEN };
        let mut args = vec![OwnedArg::Int(of), OwnedArg::Int(parameter)];
        args.extend(cells.iter().map(Cell::arg));
        args.extend(part.map(OwnedArg::Int));
        Some(Self { statement: statement.brief(), args })
    }

    fn args(&self) -> Vec<Arg<'_>> {
        self.args.iter().map(OwnedArg::arg).collect()
    }
}

/// Along a timeline.
fn latest(db: &Db, search: &Search<'_>, known: impl Fn(RowId) -> Option<Arc<Resource>>) -> Result<Option<Vec<Match>>> {
    let Some(timeline) = TimelineWalk::of(search.query, search.sort) else { return Ok(None) };
    if timeline.answered() != search.query.clauses.len() {
        return Ok(None);
    }
    let after = search.after.as_ref().map_or((i64::MAX, i64::MAX), |last| (code_timeline::moment_of(last), last.row));
    let mut args = timeline.args().to_vec();
    args.extend([after.0, after.1, search.limit].map(Arg::Int));
    db.glance(COURSE.brief(), &args, |row| {
        let (id, moment): (RowId, i64) = (row.id(0)?, row.int(1)?);
        let key = (moment != NO_DATE).then_some(CursorKey::Number(moment));
        Ok(known(id).map(|resource| Match { resource, place: Cursor { row: id.0, keys: vec![key] } }))
    })
}
