//! Records as they were at one moment, walked in the order of their rows, within a caller's reach: what an export counts and
//! gives. A row never changes its number, so that nothing is skipped or told twice whatever is written meanwhile.
//!
//! What has been changed since then is given as it was, to those who may see it now and might have seen it then; what has been
//! deleted since is not given at all. Each step looks at so many rows, however few of them are in reach; those of a few patients
//! are looked up by the patients.

use crate::error::{Error, Result};
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, Scoped};
use crate::records::search::page_builder::{Page, PageBuilder};
use crate::records::stored::resource::{Resource, columns, resource};
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use fhir::types::ResourceType;
use rules::ids::RowId;
use rules::labels::Needs;
use rules::limits::{EXPORT_FEW_MEMBERS, EXPORT_STEP_BYTES};
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Which records, as of when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub at: Moment,
    /// Stored at this moment or later, in milliseconds.
    pub since: i64,
    /// In the record of so many patients at the least: 0 is of nobody's too.
    pub patients: i64,
    /// Of these patients alone: their numbers, as a JSON array.
    pub members: Option<String>,
}

/// Rows of a type behind one, up to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub of: ResourceType,
    pub after: RowId,
    pub until: RowId,
}

statements! {
    /// Rows to look at; which of them are seen, the statements below say.
    ROWS = "SELECT id FROM resources WHERE type = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT $4";
    /// The same of a few patients, who come first: all the others of their type are not passed by.
    ROWS_OF_PATIENTS = "SELECT o.id FROM (SELECT a.id FROM json_each($5) l CROSS JOIN resources a
            WHERE a.patient_id = CAST(l.value AS BIGINT) AND a.type = $1 AND a.id > $2 AND a.id <= $3
        UNION SELECT k.resource_id FROM json_each($5) m CROSS JOIN compartments k CROSS JOIN resources b
            WHERE k.patient_id = CAST(m.value AS BIGINT) AND k.resource_id > $2 AND k.resource_id <= $3
                AND b.id = k.resource_id AND b.version = k.version AND b.type = $1) o
        ORDER BY o.id LIMIT $4";
}

/// That the row whose compartments count is of whom it must be: in the record of `$4` patients at the least, and of one of `$5`.
fn whose(c: &str, row: &str) -> String {
    let members = "(SELECT CAST(value AS BIGINT) FROM json_each($5))";
    format!(
        "{c}.patients >= $4 AND (CAST($5 AS TEXT) IS NULL OR {c}.patient_id IN {members}
            OR ({c}.patients > 1 AND EXISTS (SELECT 1 FROM compartments m WHERE m.resource_id = {c}.{row}
                AND m.version = {c}.version AND m.patient_id IN {members})))"
    )
}

/// Drafts and private messages are not exported, whoever sees them.
const IS_FOR_ALL: &str = "(r.needs & 96) = 0";
const _: () = assert!(Needs::DRAFT_BIT | Needs::PRIVATE_BIT == 96, "the text names them");

/// What there is of the rows `$1`, as of `$2`, stored since `$3`: where it is still as it was.
fn of_now(reach: &ReachCondition, what: &str) -> String {
    let (right, viewer, whose) = (reach.right(Columns::of("r")), reach.viewer(Columns::of("r")), whose("r", "id"));
    format!(
        "SELECT * FROM (SELECT {what}, {right} AS by_right, {viewer} AS by_viewer
            FROM json_each($1) l JOIN resources r ON r.id = CAST(l.value AS BIGINT)
            WHERE r.updated_at <= $2 AND r.updated_at >= $3 AND {IS_FOR_ALL} AND {whose}) f
        WHERE f.by_right IS NOT NULL"
    )
}

/// The same where it has been changed since. What is no longer of whom it must be is not given either.
fn of_past(reach: &ReachCondition, what: &str) -> String {
    let past = Columns { resource: "r", compartments: "v", row: "resource_id", deleted: false };
    let (now, then) = (reach.right(Columns::of("r")), reach.right(past));
    let (viewer, still, whose) = (reach.viewer(Columns::of("r")), whose("r", "id"), whose("v", "resource_id"));
    format!(
        "SELECT * FROM (SELECT {what}, CASE WHEN {then} IS NOT NULL THEN {now} END AS by_right, {viewer} AS by_viewer
            FROM json_each($1) l JOIN resources r ON r.id = CAST(l.value AS BIGINT)
            JOIN versions v ON v.resource_id = r.id AND v.version = (SELECT max(n.version) FROM versions n
                WHERE n.resource_id = r.id AND n.updated_at <= $2)
            WHERE r.updated_at > $2 AND v.updated_at >= $3 AND v.deleted_at IS NULL AND v.draft = 0 AND {IS_FOR_ALL}
                AND {still} AND {whose}) f
        WHERE f.by_right IS NOT NULL"
    )
}

static OF_NOW: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::export::snapshot::OF_NOW", 5, |reach| of_now(reach, &columns("r", "r")))
});
static OF_PAST: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::export::snapshot::OF_PAST", 5, |reach| of_past(reach, &columns("r", "v")))
});

pub(crate) fn statements() -> Vec<String> {
    [&OF_NOW, &OF_PAST].into_iter().flat_map(|scoped| scoped.all()).collect()
}

/// The next so many rows of a run; none where it is at its end. Not all of them need be seen.
pub async fn rows(store: &Store, reach: &Reach, snapshot: &Snapshot, run: &Run, limit: i64) -> Result<Vec<RowId>> {
    let first = [Arg::Int(run.of.number()), Arg::from(run.after), Arg::from(run.until), Arg::Int(limit)];
    match few(reach, snapshot, run.of) {
        None => store.db.page(ROWS, &first, |row| row.id(0)).await,
        Some(patients) => {
            let args = [&first[..], &[Arg::from(&patients)]].concat();
            store.db.page(ROWS_OF_PATIENTS, &args, |row| row.id(0)).await
        }
    }
}

/// The few patients in whose records all is that can be seen of a type; where they are not few, all of the type is walked.
fn few(reach: &Reach, snapshot: &Snapshot, of: ResourceType) -> Option<String> {
    match (reach.own(), &snapshot.members) {
        // A directory is everybody's.
        (Some(_), _) if of.is_public() && snapshot.patients == 0 => None,
        (Some(own), _) => Some(list([own.0])),
        (None, Some(members)) if members.matches(',').count() < EXPORT_FEW_MEMBERS => Some(members.clone()),
        (None, _) => None,
    }
}

/// What there is to see of some rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenRows {
    /// How many of them are what was written.
    pub whole: i64,
    pub damaged: Vec<DamagedRow>,
}

/// A row that is not what was written, so that nobody can be given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedRow {
    pub row: RowId,
    /// The version and the resource: `version 2 of Patient/amina`.
    pub name: String,
}

/// How many of these rows there are to see, and which of them are damaged: each is read as it will be when it is given.
pub async fn count(store: &Store, reach: &Reach, snapshot: &Snapshot, rows: &[RowId], now: Moment) -> Result<SeenRows> {
    let (own, rows) = (ReachArgs::of(reach, now), list(rows.iter().map(|row| row.0)));
    let args = own.behind(&arguments(snapshot, &rows));
    let mut seen = BTreeMap::new();
    // Those of now first: what is replaced between the two is found again, and counts once.
    for text in [&OF_NOW, &OF_PAST] {
        let each = |(row, damage): (RowId, Option<String>)| {
            seen.entry(row).or_insert(damage);
            Ok(())
        };
        store.db.each(text.statement(reach), &[&args], damage, each).await?;
    }
    let whole = seen.values().filter(|damage| damage.is_none()).count();
    let damaged = seen.into_iter().filter_map(|(row, name)| Some(DamagedRow { row, name: name? })).collect();
    Ok(SeenRows { whole: i64::try_from(whole).unwrap_or(i64::MAX), damaged })
}

/// A row, and the name of what is stored there if that is damaged.
fn damage(row: &dyn Row) -> Result<(RowId, Option<String>)> {
    match resource(row) {
        Ok(found) => Ok((found.row, None)),
        Err(error) => match error.kind() {
            Error::Damaged(name) => Ok((row.id(0)?, Some(name.clone()))),
            _ => Err(error),
        },
    }
}

/// What there is to see of these rows, in their order; where that is large, its first part.
pub async fn read(
    store: &Store,
    reach: &Reach,
    snapshot: &Snapshot,
    rows: &[RowId],
    now: Moment,
) -> Result<Page<Arc<Resource>>> {
    let (own, rows) = (ReachArgs::of(reach, now), list(rows.iter().map(|row| row.0)));
    let args = own.behind(&arguments(snapshot, &rows));
    let mut builder = PageBuilder::of(i64::MAX).within(EXPORT_STEP_BYTES);
    for text in [&OF_NOW, &OF_PAST] {
        let each = |found: Arc<Resource>| {
            builder.add(found.row, found.body.len(), found);
            Ok(())
        };
        store.db.each(text.statement(reach), &[&args], resource, each).await?;
    }
    Ok(builder.page())
}

fn arguments<'a>(snapshot: &'a Snapshot, rows: &'a str) -> [Arg<'a>; 5] {
    [
        Arg::Text(rows),
        Arg::Int(snapshot.at.0),
        Arg::Int(snapshot.since),
        Arg::Int(snapshot.patients),
        Arg::from(snapshot.members.as_ref()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::sql::statement::Statement;

    async fn plan(sql: &str) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let args = vec![Arg::Null; (1..).take_while(|n| sql.contains(&format!("${n}"))).count()];
        store.db.read(Statement::new("explain", &explain), &args, |row| row.text(3)).await.unwrap()
    }

    #[tokio::test]
    async fn a_step_looks_at_its_rows_alone() {
        for sql in statements() {
            let plan = plan(&sql).await;
            let step = plan.iter().find(|step| step.split(' ').nth(1) == Some("r")).unwrap();
            assert!(step.contains("(rowid=?)"), "{sql}\n{plan:#?}");
            let scans = plan
                .iter()
                .filter(|step| step.starts_with("SCAN") && !step.contains(" l ") && !step.contains("json_each"));
            assert_eq!(scans.count(), 0, "{sql}\n{plan:#?}");
        }
    }

    #[tokio::test]
    async fn a_walk_goes_along_an_index_of_a_type_or_of_a_few_patients() {
        let of_type = plan(ROWS.sql).await;
        assert!(of_type[0].contains("resources_by_type (type=? AND id>? AND id<?)"), "{of_type:#?}");
        let of_patients = plan(ROWS_OF_PATIENTS.sql).await;
        let has = |step: &str| of_patients.iter().any(|known| known.contains(step));
        assert!(has("resources_by_patient (patient_id=? AND type=? AND id>? AND id<?)"), "{of_patients:#?}");
        assert!(has("compartments_by_patient (patient_id=?"), "{of_patients:#?}");
    }
}
