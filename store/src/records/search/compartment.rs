//! The compartment of a patient, page by page, the newest first: what is in it, and what that refers to that is in nobody's. All
//! within a caller's reach, the references too.

use super::page_builder::{Page, PageBuilder};
use crate::error::Result;
use crate::records::index::shared_key::key;
use crate::records::reach::condition::{Columns, ReachArgs, ReachCondition, Scoped};
use crate::records::stored::resource::{Resource, columns, resource};
use crate::sql::arg::Arg;
use crate::sql::statement::list;
use crate::store::Store;
use fhir::parameters::{care_date, table};
use fhir::types::{self, ResourceType};
use rules::ids::PatientId;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

/// A part of a compartment.
#[derive(Clone, Debug)]
pub struct Portion {
    pub patient: PatientId,
    /// Of these types; of any, where there are none.
    pub types: Vec<ResourceType>,
    /// Stored at this moment or later.
    pub since: Moment,
    /// Of care between these, in microseconds: what has no date of care is of any.
    pub care: (i64, i64),
    /// Before this row, in the order of pages.
    pub before: i64,
    pub limit: i64,
}

/// Which part of a compartment is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompartmentPart {
    /// What is in the compartment, but for the Patient.
    Members,
    /// What that refers to.
    Referred,
}

/// The numbers of what is in the compartment of the patient `$1`, in the version of now.
pub(super) const MEMBERS_OF: &str = "SELECT o.id FROM resources o WHERE o.patient_id = CAST($1 AS BIGINT)
    UNION ALL SELECT k.resource_id FROM compartments k JOIN resources o ON o.id = k.resource_id AND o.version = k.version
        WHERE k.patient_id = CAST($1 AS BIGINT)";

/// That the care that a row tells of was between `$2` and `$3`, by the parameters `$4`; or that it tells of none.
fn in_time(row: &str) -> String {
    let dates = format!(
        "index_dates d WHERE d.resource_id = {row}.id
            AND d.parameter IN (SELECT CAST(value AS BIGINT) FROM json_each($4)) AND d.type > 0"
    );
    format!(
        "(NOT EXISTS (SELECT 1 FROM {dates})
            OR EXISTS (SELECT 1 FROM {dates} AND d.high > CAST($2 AS BIGINT) AND d.low < CAST($3 AS BIGINT)))"
    )
}

/// The page of the rows `r` to which this leads that are of the types `$5`, stored since `$6`, and before the row `$7`, and of which
/// that is true. A plus keeps SQLite from walking all of those types.
fn page(reach: &ReachCondition, lead: &str, truth: &[String]) -> String {
    let (columns, right, viewer) = (columns("r", "r"), reach.right(Columns::of("r")), reach.viewer(Columns::of("r")));
    let of_types = "+r.type IN (SELECT CAST(value AS BIGINT) FROM json_each($5))".to_owned();
    let since = "r.updated_at >= CAST($6 AS BIGINT)".to_owned();
    format!(
        "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer FROM resources r WHERE {lead}
                AND r.id < CAST($7 AS BIGINT) AND {}) f ORDER BY f.id DESC LIMIT $8",
        reach.seen_and(Columns::of("r"), &[&[of_types, since], truth].concat())
    )
}

static MEMBERS: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::compartment::MEMBERS", 8, |reach| {
        let patient = ResourceType::Patient.number();
        page(reach, &format!("r.id IN ({MEMBERS_OF})"), &[format!("r.type <> {patient}"), in_time("r")])
    })
});

static REFERRED: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::compartment::REFERRED", 8, |reach| {
        let rows = format!(
            "SELECT t.id FROM resources m JOIN index_references c ON c.resource_id = m.id
                JOIN resources t ON t.type = c.target_type AND t.fhir_id = c.target
             WHERE m.id IN ({MEMBERS_OF}) AND c.type > 0 AND {}",
            reach.seen_and(Columns::of("m"), &[in_time("m")])
        );
        page(reach, &format!("r.id IN ({rows})"), &["r.patients = 0".to_owned()])
    })
});

/// The newest moment at which something in the compartment of the patient `$1` was stored, but for the types `$2` and for what has
/// the reference `$3`.
static NEWEST: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::compartment::NEWEST", 3, |reach| {
        let others = [
            "r.type NOT IN (SELECT CAST(value AS BIGINT) FROM json_each($2))".to_owned(),
            "NOT EXISTS (SELECT 1 FROM index_references c WHERE c.resource_id = r.id
                AND c.parameter = CAST($3 AS BIGINT))"
                .to_owned(),
        ];
        let seen = reach.seen_and(Columns::of("r"), &others);
        format!("SELECT max(r.updated_at) FROM resources r WHERE r.id IN ({MEMBERS_OF}) AND {seen}")
    })
});

pub(crate) fn statements() -> Vec<String> {
    [&MEMBERS, &REFERRED, &NEWEST].into_iter().flat_map(|scoped| scoped.all()).collect()
}

/// The numbers of the parameters that say when care was.
static CARE_DATES: LazyLock<String> = LazyLock::new(|| list(types::all().filter_map(|of| care_date::of(of).map(key))));

/// A page of a part of a compartment, the newest first.
pub async fn read(
    store: &Store,
    reach: &Reach,
    part: CompartmentPart,
    portion: &Portion,
    now: Moment,
) -> Result<Page<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let types = match portion.types.as_slice() {
        [] => list(types::all().map(ResourceType::number)),
        types => list(types.iter().map(|of| of.number())),
    };
    let args = own.behind(&[
        Arg::from(portion.patient),
        Arg::Int(portion.care.0),
        Arg::Int(portion.care.1),
        Arg::Text(&CARE_DATES),
        Arg::Text(&types),
        Arg::Int(portion.since.0),
        Arg::Int(portion.before),
        Arg::Int(portion.limit),
    ]);
    let scoped = match part {
        CompartmentPart::Members => &MEMBERS,
        CompartmentPart::Referred => &REFERRED,
    };
    let mut builder = PageBuilder::of(portion.limit);
    let each = |found: Arc<Resource>| {
        builder.add(-found.row.0, found.body.len(), found);
        Ok(())
    };
    store.db.each(scoped.statement(reach), &[&args], resource, each).await?;
    Ok(builder.page())
}

/// When something in a compartment was last stored, leaving out these types and what a device measured.
pub async fn newest(
    store: &Store,
    reach: &Reach,
    patient: PatientId,
    except: &[ResourceType],
    now: Moment,
) -> Result<Option<Moment>> {
    let own = ReachArgs::of(reach, now);
    let except = list(except.iter().map(|of| of.number()));
    let device = table::find(ResourceType::Observation, "device").map(key).unwrap_or_default();
    let args = own.behind(&[Arg::from(patient), Arg::Text(&except), Arg::Int(device)]);
    let found = store.db.page(NEWEST.statement(reach), &args, |row| row.opt_int(0)).await?;
    Ok(found.into_iter().flatten().next().map(Moment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::sql::statement::Statement;

    #[tokio::test]
    async fn only_what_is_in_the_compartment_is_looked_at() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        for sql in statements() {
            let explain = format!("EXPLAIN QUERY PLAN {sql}");
            let statement = Statement::new("explain", &explain);
            let args = vec![Arg::Null; (1..).take_while(|n| sql.contains(&format!("${n}"))).count()];
            let plan = store.db.read(statement, &args, |row| row.text(3)).await.unwrap();
            let step = |alias: &str| plan.iter().find(|step| step.split(' ').nth(1) == Some(alias)).unwrap();
            assert!(step("r").contains("(rowid=?"), "{sql}\n{plan:#?}");
            assert!(step("o").contains("resources_by_patient (patient_id=?"), "{sql}\n{plan:#?}");
            let scans = plan.iter().filter(|step| step.starts_with("SCAN") && !step.contains("json_each"));
            assert_eq!(scans.count(), 0, "{sql}\n{plan:#?}");
        }
    }
}
