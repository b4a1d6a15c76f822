//! A page of what is remembered. Where one clause or a timeline leads, the index alone says which rows are on it and in which order;
//! if all of them that are in reach are remembered, and seen by what they say themselves, none is read.

use super::code_timeline::{self, TimelineWalk};
use super::criteria::Cell;
use super::form::Form;
use super::request::{Match, Search};
use super::sort::{Cursor, CursorKey};
use super::walk::walk;
use crate::cache::Rows;
use crate::engine::Db;
use crate::error::Result;
use crate::records::index::shared_key;
use crate::records::reach::condition::{Columns, ReachArgs, Scoped};
use crate::records::stored::resource::Resource;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::statement::{Statement, list, statements};
use fhir::extraction::timeline_rows::NO_DATE;
use fhir::search::query::Clause;
use fhir::types::ResourceType;
use rules::ids::RowId;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::LazyLock;

statements! {
    TOKEN = "SELECT w.resource_id FROM index_tokens w
        WHERE w.type = $1 AND w.parameter = $2 AND w.code = CAST($3 AS TEXT)
            AND (CAST($4 AS BIGINT) IS NULL OR w.system = CAST($4 AS BIGINT))
            AND w.resource_id < $5 AND w.resource_id > $6 ORDER BY w.resource_id DESC LIMIT $7";
    TARGET = "SELECT w.resource_id FROM index_references w
        WHERE w.type = $1 AND w.parameter = $2 AND w.target_type = CAST($3 AS BIGINT) AND w.target = CAST($4 AS TEXT)
            AND (CAST($5 AS TEXT) IS NULL OR w.version = CAST($5 AS TEXT))
            AND w.resource_id < $6 AND w.resource_id > $7 ORDER BY w.resource_id DESC LIMIT $8";
}

/// The same as `TARGET` in the record of a patient, who is in reach.
static RECORD: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::cached_page::RECORD", 8, |reach| {
        TARGET.sql.replace("CAST($4 AS TEXT)", &reach.patient_id("CAST($4 AS TEXT)"))
    })
});

static COURSE: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::cached_page::COURSE", 7, |reach| {
        format!(
            "SELECT w.resource_id, w.moment FROM index_courses w
                WHERE w.patient_id = {} AND w.parameter = $2 AND w.code = $3
                    AND w.system = $4 AND (w.moment, w.resource_id) < ($5, $6)
                ORDER BY w.moment DESC, w.resource_id DESC LIMIT $7",
            reach.patient_number("CAST($1 AS TEXT)")
        )
    })
});

/// One of the rows `$1` that is in reach.
static IN_REACH: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::cached_page::IN_REACH", 1, |reach| {
        let seen = reach.seen_and(Columns::of("r"), &[]);
        format!(
            "SELECT r.id FROM json_each($1) v CROSS JOIN resources r WHERE r.id = CAST(v.value AS BIGINT) AND {seen} LIMIT 1"
        )
    })
});

pub(crate) fn statements() -> Vec<String> {
    [&RECORD, &COURSE, &IN_REACH].into_iter().flat_map(|scoped| scoped.all()).collect()
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
    let (own, of_patients) = (ReachArgs::of(reach, now), ReachArgs::of_patients(reach, now));
    let places = match search.sort {
        [] => newest(db, reach, &of_patients, search)?,
        _ => latest(db, reach, &of_patients, search)?,
    };
    let Some(places) = places else { return Ok(None) };
    let steps = places.len();
    let is_cut = i64::try_from(steps).is_ok_and(|read| read >= search.limit);
    let (mut page, mut unknown) = (Vec::with_capacity(places.len()), Vec::new());
    for place in places {
        let known = rows.look::<Resource>(RowId(place.row)).ok().and_then(|known| known.seen_from(reach, now));
        match known {
            // One that has the value more than once would fill the page more than once.
            Some(_) if page.last().is_some_and(|last: &Match| last.place.row == place.row) => {}
            Some(resource) => page.push(Match { resource, place }),
            None => unknown.push(place.row),
        }
    }
    // The steps to one row again were room for others.
    if is_cut && page.len() + unknown.len() < steps {
        return Ok(None);
    }
    // What is out of reach changes nothing: it is asked about as if nothing had been found.
    if !unknown.is_empty() || page.is_empty() {
        let among = list(unknown.iter().copied());
        let found =
            db.glance(IN_REACH.statement(reach).brief(), &own.behind(&[Arg::Text(&among)]), |_| Ok(Some(())))?;
        let are_all_hidden = found.is_some_and(|found| found.is_empty());
        if !are_all_hidden || (is_cut && !unknown.is_empty()) {
            return Ok(None);
        }
    }
    Ok(Some(page).filter(|_| rows.holds(epoch)))
}

/// The places along the values of the only clause.
fn newest(db: &Db, reach: &Reach, own: &ReachArgs, search: &Search<'_>) -> Result<Option<Vec<Cursor>>> {
    let [clause] = &search.query.clauses[..] else { return Ok(None) };
    let before = search.after.as_ref().map_or(i64::MAX, |after| after.row);
    let part = [before, search.floor.unwrap_or(i64::MIN), search.limit];
    let Some(steps) = Steps::along(clause, search.query.resource_type.number(), part) else { return Ok(None) };
    let place = |row: i64| Cursor { row, keys: Vec::new() };
    if steps.is_in_record {
        let args = own.behind(&steps.args());
        return db.glance(RECORD.statement(reach).brief(), &args, |row| Ok(Some(place(row.int(0)?))));
    }
    db.glance(steps.statement(), &steps.args(), |row| Ok(Some(place(row.int(0)?))))
}

/// Whether a resource of this type that is inside of another has the value of a clause, of those with one value; `None` for any
/// other, or where the index does not say so at once.
pub(crate) fn is_inside_another(db: &Db, of: ResourceType, clause: &Clause) -> Result<Option<bool>> {
    let Some(steps) = Steps::along(clause, -of.number(), [i64::MAX, i64::MIN, 1]) else { return Ok(None) };
    let found = db.glance(steps.statement(), &steps.args(), |_| Ok(Some(())))?;
    Ok(found.map(|rows| !rows.is_empty()))
}

/// The rows that have the value of a clause, from the newest on.
struct Steps {
    form: Form,
    /// Whether they are in the record of the patient who is the value.
    is_in_record: bool,
    args: Vec<OwnedArg>,
}

impl Steps {
    /// Of a type as the index has it, if the clause has one value: those before a row and behind another, and no more than so many.
    fn along(clause: &Clause, of: i64, part: [i64; 3]) -> Option<Self> {
        let (parameter, group) = walk(clause)?;
        let ([leaf], [cells]) = (&group.leaves[..], &group.rows[..]) else { return None };
        let is_patient = cells.first() == Some(&Cell::Number(ResourceType::Patient.number()));
        let is_in_record = leaf.form == Form::Target && is_patient && shared_key::makes_record(of, leaf.key);
        let mut args = vec![OwnedArg::Int(of), OwnedArg::Int(parameter)];
        args.extend(cells.iter().map(Cell::arg));
        args.extend(part.map(OwnedArg::Int));
        Some(Self { form: leaf.form, is_in_record, args })
    }

    /// Anywhere, not only in a record.
    fn statement(&self) -> Statement<'static> {
        if self.form == Form::Target { TARGET.brief() } else { TOKEN.brief() }
    }

    fn args(&self) -> Vec<Arg<'_>> {
        self.args.iter().map(OwnedArg::arg).collect()
    }
}

/// The places along a timeline.
fn latest(db: &Db, reach: &Reach, own: &ReachArgs, search: &Search<'_>) -> Result<Option<Vec<Cursor>>> {
    let Some(timeline) = TimelineWalk::of(search.query, search.sort) else { return Ok(None) };
    if timeline.answered() != search.query.clauses.len() {
        return Ok(None);
    }
    let after = search.after.as_ref().map_or((i64::MAX, i64::MAX), |last| (code_timeline::moment_of(last), last.row));
    let mut args = timeline.args().to_vec();
    args.extend([after.0, after.1, search.limit].map(Arg::Int));
    db.glance(COURSE.statement(reach).brief(), &own.behind(&args), |row| {
        let (id, moment) = (row.int(0)?, row.int(1)?);
        let key = (moment != NO_DATE).then_some(CursorKey::Number(moment));
        Ok(Some(Cursor { row: id, keys: vec![key] }))
    })
}
