//! The rows of the index, as they are stored, beside those that follow from a body.

use super::own_values::is_own;
use super::span::Span;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::extraction::index_row::{BaseUnits, FACETS, IndexCells, IndexRow};
use fhir::parameters::table;
use fhir::preparation::Preparation;
use std::collections::{BTreeMap, BTreeSet};

statements! {
    TOKENS = "SELECT resource_id, type, parameter, part, code, system FROM index_tokens
        WHERE resource_id > $1 AND resource_id <= $2";
    TEXTS = "SELECT resource_id, type, parameter, part, folded, whole, written FROM index_texts
        WHERE resource_id > $1 AND resource_id <= $2";
    REFERENCES = "SELECT resource_id, type, parameter, part, target_type, target, version FROM index_references
        WHERE resource_id > $1 AND resource_id <= $2";
    DATES = "SELECT resource_id, type, parameter, part, low, high FROM index_dates
        WHERE resource_id > $1 AND resource_id <= $2";
    AMOUNTS = "SELECT resource_id, type, parameter, part, low, high, system, code, unit, base, base_low, base_high
        FROM index_amounts WHERE resource_id > $1 AND resource_id <= $2";
    URIS = "SELECT resource_id, type, parameter, part, uri, version FROM index_uris
        WHERE resource_id > $1 AND resource_id <= $2";
    COURSES = "SELECT c.resource_id, coalesce(r.type, 0), c.parameter, 0, p.fhir_id, c.code, c.moment, c.system
        FROM index_courses c LEFT JOIN resources r ON r.id = c.resource_id LEFT JOIN patients p ON p.id = c.patient_id
        WHERE c.resource_id > $1 AND c.resource_id <= $2";
}

/// What of a row comes behind its resource, type, parameter and part.
const CELLS: usize = 4;

/// The index rows of the resources of a span.
pub(super) async fn rows(store: &Store, span: Span) -> Result<BTreeMap<i64, BTreeSet<IndexRow>>> {
    type Read = fn(&dyn Row) -> Result<IndexCells>;
    let tables: [(_, Read); 7] = [
        (TOKENS, token),
        (TEXTS, text),
        (REFERENCES, reference),
        (DATES, |row| Ok(IndexCells::Date { low: row.int(CELLS)?, high: row.int(CELLS + 1)? })),
        (AMOUNTS, amount),
        (URIS, |row| Ok(IndexCells::Uri { uri: row.text(CELLS)?, version: row.text(CELLS + 1)? })),
        (COURSES, timeline),
    ];
    let mut found: BTreeMap<i64, BTreeSet<IndexRow>> = BTreeMap::new();
    for (statement, cells) in tables {
        let read = move |row: &dyn Row| {
            let (type_number, parameter, part) = (row.int(1)?, row.int(2)?, row.int(3)?);
            Ok((row.int(0)?, IndexRow { type_number, parameter, part, cells: cells(row)? }))
        };
        for (resource, row) in store.db.page(statement, args![span.after, span.until], read).await? {
            found.entry(resource).or_default().insert(row);
        }
    }
    Ok(found)
}

/// Whether these are the rows of a resource with this content and this body, from which its source is read, but for those of
/// users' own parameters.
pub(super) fn is_of(content: &Preparation, body: &str, stored: &BTreeSet<IndexRow>) -> bool {
    let source = table::find(content.resource_type, "_source").map(|parameter| i64::from(parameter.number) * FACETS);
    let is_source = |row: &&IndexRow| Some(row.parameter) == source && row.type_number > 0;
    let (sources, others): (Vec<&IndexRow>, Vec<&IndexRow>) =
        stored.iter().filter(|row| !is_own(row)).partition(is_source);
    let says = |row: &IndexRow| match &row.cells {
        IndexCells::Uri { uri, .. } => body.contains(&format!("\"source\":\"{uri}\"")),
        _ => false,
    };
    matches!(sources[..], [source] if says(source)) && others.into_iter().eq(&content.index)
}

fn token(row: &dyn Row) -> Result<IndexCells> {
    Ok(IndexCells::Token { code: row.text(CELLS)?, system: row.int(CELLS + 1)? })
}

fn text(row: &dyn Row) -> Result<IndexCells> {
    let (folded, whole, written) = (row.text(CELLS)?, row.opt_text(CELLS + 1)?, row.text(CELLS + 2)?);
    Ok(IndexCells::Text { folded, whole, written })
}

fn reference(row: &dyn Row) -> Result<IndexCells> {
    let (target_type, target, version) = (row.int(CELLS)?, row.text(CELLS + 1)?, row.text(CELLS + 2)?);
    Ok(IndexCells::Reference { target_type, target, version })
}

fn timeline(row: &dyn Row) -> Result<IndexCells> {
    // A number without a patient is nobody whom a body names.
    let patient = row.opt_text(CELLS)?.unwrap_or_default();
    let (code, moment, system) = (row.text(CELLS + 1)?, row.int(CELLS + 2)?, row.int(CELLS + 3)?);
    Ok(IndexCells::CodeTimeline { patient, code, moment, system })
}

fn amount(row: &dyn Row) -> Result<IndexCells> {
    let base = match row.opt_text(CELLS + 5)? {
        Some(code) => Some(BaseUnits { low: row.int(CELLS + 6)?, high: row.int(CELLS + 7)?, code }),
        None => None,
    };
    Ok(IndexCells::Amount {
        low: row.int(CELLS)?,
        high: row.int(CELLS + 1)?,
        system: row.int(CELLS + 2)?,
        code: row.text(CELLS + 3)?,
        unit: row.text(CELLS + 4)?,
        base,
    })
}
