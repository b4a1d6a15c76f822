//! Rows of the index beside those of HL7's parameters that follow from a body alone: of users' own parameters, and of the source,
//! which only a store knows.

use crate::extraction::extract::{contained_by, extract_those};
use crate::extraction::index_row::{FACETS, IndexCells, IndexRow, rows_of, short};
use crate::parameters::parameter::Parameter;
use crate::pieces;
use crate::types::ResourceType;
use serde_json::Value;

/// What a resource that contains others has in its text.
const CONTAINED: &str = "\"contained\"";

/// A user's own parameter, the type that it is of, and the number under which an index keeps its values.
pub type OwnColumn = (u32, ResourceType, &'static Parameter);

/// The rows of users' own parameters in a resource, of this text as it is stored, and in all that it contains. A resource in which
/// they find nothing, or that cannot be read, has none.
#[must_use]
pub fn own_rows(of: ResourceType, stored: &str, base: &str, own: &[OwnColumn]) -> Vec<IndexRow> {
    if own.is_empty() || !(own.iter().any(|(_, owner, _)| *owner == of) || stored.contains(CONTAINED)) {
        return Vec::new();
    }
    let resource: Option<Value> = match of {
        ResourceType::Binary => serde_json::from_str(&pieces::apart(stored).0).ok(),
        _ => serde_json::from_str(stored).ok(),
    };
    let Some(resource) = resource else { return Vec::new() };
    own.iter().flat_map(|column| rows_of_one((of, &resource), base, *column)).collect()
}

fn rows_of_one(
    (resource_type, resource): (ResourceType, &Value),
    base: &str,
    (number, of, own): OwnColumn,
) -> Vec<IndexRow> {
    let own_of = |kind: ResourceType| (kind == of).then_some(own).into_iter();
    let inner = contained_by(resource, |kind, inner| extract_those(own_of(kind), inner, base));
    let entries = extract_those(own_of(resource_type), resource, base);
    let mut rows = rows_of((resource_type, resource), &entries, &inner);
    for row in &mut rows {
        row.parameter = row.parameter.rem_euclid(FACETS) + i64::from(number) * FACETS;
    }
    rows
}

/// The row of a value that only a store knows: who a resource is from.
#[must_use]
pub fn source_row(resource_type: ResourceType, parameter: u32, source: &str) -> IndexRow {
    let cells = IndexCells::Uri { uri: short(source), version: String::new() };
    IndexRow { type_number: resource_type.number(), parameter: i64::from(parameter) * FACETS, part: 0, cells }
}
