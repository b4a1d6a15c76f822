//! Whose records ids and identifiers lead to, whatever the asker may see, and who knows those patients: for the lines of the
//! ledger alone. Nothing of it may be in an answer.

use super::documents::binary::SAME_SOURCE;
use super::index::shared_key;
use super::index::tokens::carriers;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, quote, statements};
use crate::store::Store;
use fhir::extraction::index_row::{short, system_number};
use fhir::parameters::table;
use fhir::search::criterion::SystemTest;
use fhir::search::naming::PatientName;
use fhir::types::ResourceType;
use rules::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What leads to a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RecordName {
    Patient(PatientName),
    /// A resource, whose record it is in: a Binary is in that of the documents that carry it.
    Resource(ResourceType, String),
}

statements! {
    /// The list `$1` is of a place, and what is looked up: here, an id.
    PATIENTS = "SELECT CAST((v.value ->> 0) AS BIGINT), p.id FROM json_each($1, '$') v
        JOIN patients p ON p.fhir_id = (v.value ->> 1)";
    RESOURCES = "SELECT CAST((v.value ->> 0) AS BIGINT), r.patient_id FROM json_each($1, '$') v
        JOIN resources r ON r.type = CAST((v.value ->> 1) AS BIGINT) AND r.fhir_id = (v.value ->> 2)
        WHERE r.patient_id IS NOT NULL
        UNION SELECT CAST((w.value ->> 0) AS BIGINT), k.patient_id FROM json_each($1, '$') w
        JOIN resources o ON o.type = CAST((w.value ->> 1) AS BIGINT) AND o.fhir_id = (w.value ->> 2)
        JOIN compartments k ON k.resource_id = o.id AND k.version = o.version";
    SIGHT = "SELECT s.patient_id, s.viewer_id FROM json_each($1) l JOIN sight s ON s.patient_id = CAST(l.value AS BIGINT)";
    ORGANISATIONS = "SELECT t.id, t.organisation_id FROM json_each($1) l JOIN teams t ON t.id = CAST(l.value AS BIGINT)";
}

/// A value of an identifier, and the number of its system where that has to be one.
static IDENTIFIERS: LazyLock<String> = LazyLock::new(|| {
    let of = ResourceType::Patient;
    let places = table::find(of, "identifier").map(shared_key::places).unwrap_or_default();
    let keys: Vec<String> = places.iter().flatten().map(ToString::to_string).collect();
    format!(
        "SELECT CAST((v.value ->> 0) AS BIGINT), r.patient_id FROM json_each($1, '$') v
         JOIN index_tokens i ON i.type = {} AND i.parameter IN ({}) AND i.code = (v.value ->> 1)
         JOIN resources r ON r.id = i.resource_id
         WHERE r.patient_id IS NOT NULL AND r.deleted_at IS NULL AND i.system = coalesce(CAST((v.value ->> 2) AS BIGINT), i.system)",
        of.number(),
        keys.join(",")
    )
});

/// The documents that carry a Binary and have its source, and all patients in whose records they are.
static BINARIES: LazyLock<String> = LazyLock::new(|| {
    let binary = ResourceType::Binary.number();
    let carried = |list: &str| {
        let id = format!("({list}.value ->> 1)");
        format!(
            "JOIN resources b ON b.type = {binary} AND b.fhir_id = {id} JOIN resources r ON r.id IN ({})",
            carriers(&id)
        )
    };
    format!(
        "SELECT CAST((v.value ->> 0) AS BIGINT), r.patient_id FROM json_each($1, '$') v {}
         WHERE r.patient_id IS NOT NULL AND r.deleted_at IS NULL AND {SAME_SOURCE}
         UNION SELECT CAST((w.value ->> 0) AS BIGINT), k.patient_id FROM json_each($1, '$') w {}
         JOIN compartments k ON k.resource_id = r.id AND k.version = r.version
         WHERE r.deleted_at IS NULL AND {SAME_SOURCE}",
        carried("v"),
        carried("w")
    )
});

pub(crate) fn longer_statements() -> Vec<String> {
    vec![IDENTIFIERS.clone(), BINARIES.clone()]
}

/// All of them, for the tests that hold them to an index.
#[doc(hidden)]
#[must_use]
pub fn lookups() -> Vec<String> {
    STATEMENTS.iter().map(|statement| statement.sql.to_owned()).chain(longer_statements()).collect()
}

/// Rows of a list, as the argument of a statement.
#[derive(Default)]
struct List(String);

impl List {
    fn add(&mut self, place: usize, number: Option<i64>, text: &str, last: Option<i64>) {
        self.0.push_str(if self.0.is_empty() { "[[" } else { ",[" });
        self.0.push_str(&place.to_string());
        self.0.extend(number.map(|number| format!(",{number}")));
        self.0.push(',');
        quote(text, &mut self.0);
        self.0.extend(last.map(|last| format!(",{last}")));
        self.0.push(']');
    }

    fn json(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0 + "]")
    }
}

/// The patients to whose records each of these leads, in their order.
pub async fn patients(store: &Store, names: &[RecordName]) -> Result<Vec<Vec<PatientId>>> {
    let (mut ids, mut identifiers, mut resources, mut binaries) =
        (List::default(), List::default(), List::default(), List::default());
    for (at, name) in names.iter().enumerate() {
        match name {
            RecordName::Patient(PatientName::Id(id)) | RecordName::Resource(ResourceType::Patient, id) => {
                ids.add(at, None, id, None);
            }
            RecordName::Patient(PatientName::Identifier { system, value }) => {
                let system = match system {
                    SystemTest::Any => None,
                    SystemTest::None => Some(0),
                    SystemTest::Is(system) => Some(system_number(Some(system))),
                };
                identifiers.add(at, None, &short(value), system);
            }
            RecordName::Resource(ResourceType::Binary, id) => binaries.add(at, None, id, None),
            RecordName::Resource(of, id) => resources.add(at, Some(of.number()), id, None),
        }
    }
    let lookups = [
        (PATIENTS, ids),
        (RESOURCES, resources),
        (Statement::new("store::records::ownership::IDENTIFIERS", &IDENTIFIERS), identifiers),
        (Statement::new("store::records::ownership::BINARIES", &BINARIES), binaries),
    ];
    let mut found: Vec<Vec<PatientId>> = vec![Vec::new(); names.len()];
    for (statement, list) in lookups {
        let Some(list) = list.json() else { continue };
        let row = |row: &dyn Row| Ok((row.int(0)?, row.id(1)?));
        for (at, patient) in store.db.page(statement, args![&list], row).await? {
            let patients = usize::try_from(at).ok().and_then(|at| found.get_mut(at));
            if let Some(patients) = patients.filter(|patients| !patients.contains(&patient)) {
                patients.push(patient);
            }
        }
    }
    Ok(found)
}

/// The teams and organisations that know each of these patients.
pub async fn viewers(
    store: &Store,
    patients: impl IntoIterator<Item = PatientId>,
) -> Result<HashMap<PatientId, Vec<ViewerId>>> {
    let list = list(patients.into_iter().map(|patient| patient.0));
    let mut known: HashMap<PatientId, Vec<ViewerId>> = HashMap::new();
    let rows: Vec<(PatientId, ViewerId)> =
        store.db.page(SIGHT, args![&list], |row: &dyn Row| Ok((row.id(0)?, row.id(1)?))).await?;
    rows.into_iter().for_each(|(patient, viewer)| known.entry(patient).or_default().push(viewer));
    Ok(known)
}

/// The organisation of each of these teams.
pub async fn organisations(
    store: &Store,
    teams: impl IntoIterator<Item = TeamId>,
) -> Result<HashMap<TeamId, OrganisationId>> {
    let list = list(teams.into_iter().map(|team| team.0));
    let rows = store.db.page(ORGANISATIONS, args![&list], |row: &dyn Row| Ok((row.id(0)?, row.id(1)?))).await?;
    Ok(rows.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;

    /// SQLite believes that a list is long; it must not walk a table beside it all the same.
    #[tokio::test]
    async fn each_name_is_looked_up_by_an_index_and_nothing_is_walked() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        for sql in lookups() {
            let explain = format!("EXPLAIN QUERY PLAN {sql}");
            let plan: Vec<String> =
                store.db.read(Statement::new("explain", &explain), args!["[]"], |row| row.text(3)).await.unwrap();
            let is_walk = |step: &&String| {
                step.starts_with("SCAN") && !["SCAN v", "SCAN w", "SCAN l"].iter().any(|list| step.starts_with(list))
            };
            assert_eq!(plan.iter().filter(is_walk).count(), 0, "{sql}\n{plan:#?}");
            assert!(plan.iter().any(|step| step.contains("USING")), "{sql}\n{plan:#?}");
        }
    }
}
