//! Records: reading and searching resources, always within a caller's reach.

use crate::by_id::{binary_by_id, by_id, columns};
use crate::db::{Arg, Row};
use crate::error::Result;
use crate::store::Store;
use crate::within::{ReachArg, Within, within};
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::Arc;

/// A stored resource: bytes to splice, not a model to decode.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Our own number for the row.
    pub row: i64,
    pub version: i64,
    pub updated_at: Moment,
    pub deleted: bool,
    /// The patient whose record it is part of.
    pub patient_id: Option<String>,
    pub body: String,
}

/// A token to search for: `system|value`, `value` or `|value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAsked {
    pub system: SystemAsked,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemAsked {
    Any,
    /// `|value`: a token without system.
    None,
    Is(String),
}

impl SystemAsked {
    /// Null for any system, the empty text for none.
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Any => Arg::Null,
            Self::None => Arg::Text(""),
            Self::Is(system) => Arg::Text(system),
        }
    }
}

const READ: Within = by_id!(within, "$2", "$3");
const BINARY: Within = binary_by_id!(within, "'Binary'", "$2");
/// The index comes first: what has the token is few, what is in reach may be everything.
const BY_TOKEN: Within = within!(
    columns!("r", "r.patient_id"),
    "resources r",
    "",
    " AND r.deleted_at IS NULL AND r.id > $6 AND r.id IN (
        SELECT t.resource_id FROM tokens t JOIN words d ON d.id = t.type_id JOIN words p ON p.id = t.parameter_id
            LEFT JOIN words s ON s.id = t.system_id
        WHERE d.word = $2 AND p.word = $3 AND t.value = $4
            AND (CAST($5 AS TEXT) IS NULL OR coalesce(s.word, '') = $5))
      ORDER BY r.id LIMIT $7"
);

const HAS_TOKEN: &str = "SELECT 1 FROM tokens t JOIN words p ON p.id = t.parameter_id
        LEFT JOIN words s ON s.id = t.system_id
    WHERE t.resource_id = $1 AND p.word = $2 AND (CAST($3 AS TEXT) IS NULL OR coalesce(s.word, '') = $3)
        AND t.value = $4
    LIMIT 1";

/// Every statement of this file for every kind of reach.
#[must_use]
pub fn statements() -> Vec<&'static str> {
    let within = [READ, BY_TOKEN, BINARY];
    within.iter().flat_map(Within::all).chain([HAS_TOKEN]).collect()
}

/// A resource that was read, and the reach in which it was found.
#[derive(Debug)]
pub(crate) struct Found {
    reach: Reach,
    resource: Arc<Resource>,
}

impl Found {
    /// What it takes up in memory, about.
    pub(crate) fn bytes(&self) -> usize {
        self.resource.body.len() + 512
    }
}

/// How a resource is named in another: `Patient/123`.
pub(crate) fn reference(type_name: &str, fhir_id: &str) -> String {
    [type_name, "/", fhir_id].concat()
}

/// Reads one resource; `None` if it is not there or out of reach, which are the same to a caller.
pub async fn read(store: &Store, reach: &Reach, type_name: &str, fhir_id: &str) -> Result<Option<Arc<Resource>>> {
    let memory = store.db.remembered().map(|remembered| &remembered.records);
    let key = reference(type_name, fhir_id);
    let asked = match memory.map(|memory| memory.look(&key)) {
        Some(Ok(found)) if found.reach == *reach => return Ok(Some(found.resource.clone())),
        // Known to somebody else: whether it is in this caller's reach too is the database's to say.
        Some(Ok(_)) | None => None,
        Some(Err(asked)) => Some(asked),
    };
    let own = ReachArg::of(reach);
    let args = [own.arg(), Arg::Text(type_name), Arg::Text(fhir_id)];
    let resource = store.db.read_one(READ.sql(reach), &args, resource).await?;
    if let (Some(memory), Some(resource), Some(asked)) = (memory, &resource, asked) {
        memory.remember(key, &Arc::new(Found { reach: reach.clone(), resource: resource.clone() }), asked);
    }
    Ok(resource)
}

/// Reads a Binary that is in reach by itself or through a document.
pub async fn read_binary(store: &Store, reach: &Reach, fhir_id: &str) -> Result<Option<Arc<Resource>>> {
    let own = ReachArg::of(reach);
    store.db.read_one(BINARY.sql(reach), &[own.arg(), Arg::Text(fhir_id)], resource).await
}

/// Searches by a token, in the order of our own numbers, from after `after`, at most `limit`.
pub async fn search(
    store: &Store,
    reach: &Reach,
    (type_name, parameter): (&str, &str),
    token: &TokenAsked,
    after: i64,
    limit: i64,
) -> Result<Vec<Arc<Resource>>> {
    let own = ReachArg::of(reach);
    let args = [
        own.arg(),
        Arg::Text(type_name),
        Arg::Text(parameter),
        Arg::Text(&token.value),
        token.system.arg(),
        Arg::Int(after),
        Arg::Int(limit),
    ];
    store.db.read(BY_TOKEN.sql(reach), &args, resource).await
}

/// Whether a resource that was read within reach has a token.
pub async fn has_token(store: &Store, row: i64, parameter: &str, token: &TokenAsked) -> Result<bool> {
    let args = [Arg::Int(row), Arg::Text(parameter), token.system.arg(), Arg::Text(&token.value)];
    Ok(store.db.read_one(HAS_TOKEN, &args, |row| row.int(0)).await?.is_some())
}

fn resource(row: &Row<'_>) -> Result<Arc<Resource>> {
    resource_at(row, 0)
}

/// A resource whose columns begin at `first`.
pub(crate) fn resource_at(row: &Row<'_>, first: usize) -> Result<Arc<Resource>> {
    Ok(Arc::new(Resource {
        row: row.int(first)?,
        version: row.int(first + 1)?,
        updated_at: Moment(row.int(first + 2)?),
        deleted: row.opt_int(first + 3)?.is_some(),
        body: row.text(first + 4)?,
        patient_id: row.opt_text(first + 5)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Place;

    #[tokio::test]
    async fn a_search_begins_with_the_index_and_never_walks_through_all_that_is_in_reach() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        for sql in [BY_TOKEN.patient, BY_TOKEN.teams, BY_TOKEN.organisation] {
            let args = [Arg::Null; 7];
            let plan = store.db.read(&format!("EXPLAIN QUERY PLAN {sql}"), &args, |row| row.text(3)).await.unwrap();
            let resources = plan.iter().find(|step| step.contains(" r ")).unwrap();
            assert!(resources.ends_with("(rowid=?)") || resources.ends_with("(patient_id=?)"), "{plan:#?}");
            assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "{plan:#?}");
        }
    }
}
