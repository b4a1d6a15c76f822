//! Records: reading resources, always within a caller's reach.

use crate::by_id::{binary_by_id, by_id};
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

const READ: Within = by_id!(within, "$2", "$3");
const BINARY: Within = binary_by_id!(within, "'Binary'", "$2");

/// Every statement of this file for every kind of reach.
#[must_use]
pub fn statements() -> Vec<&'static str> {
    [READ, BINARY].iter().flat_map(Within::all).collect()
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

pub(crate) fn resource(row: &Row<'_>) -> Result<Arc<Resource>> {
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
