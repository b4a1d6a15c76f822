//! What follows from the body of a resource, as it is stored beside it: its labels, the patients whose record it is in,
//! the index by which it is found, and whether its patient has died.

use super::examination::Examination;
use super::fault::Fault;
use super::index_table;
use super::own_values::OwnValues;
use super::span::{self, Span};
use crate::error::Result;
use crate::records::stored::{digest, packing};
use crate::records::write::staging;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use crate::upkeep::reindex::Reader;
use fhir::extraction::index_row::IndexRow;
use fhir::types::ResourceType;
use rules::consent::delay::{Delay, Hides};
use rules::labels::Needs;
use rules::moment::Moment;
use std::collections::{BTreeMap, BTreeSet};

statements! {
    ROWS = "SELECT r.id, r.type, r.fhir_id, r.needs, p.fhir_id, r.patients, p.deceased, r.body, r.deleted_at, d.until
        FROM resources r LEFT JOIN patients p ON p.id = r.patient_id LEFT JOIN delays d ON d.resource_id = r.id WHERE r.id > $1 AND r.id <= $2 ORDER BY r.id";
    TOKENS = "SELECT t.resource_id, t.type, p.word, t.value, s.word, t.system_id
        FROM tokens t LEFT JOIN words p ON p.id = t.parameter_id LEFT JOIN words s ON s.id = t.system_id
        WHERE t.resource_id > $1 AND t.resource_id <= $2";
    COMPARTMENTS = "SELECT k.resource_id, p.fhir_id
        FROM compartments k JOIN resources r ON r.id = k.resource_id AND r.version = k.version
            LEFT JOIN patients p ON p.id = k.patient_id
        WHERE k.resource_id > $1 AND k.resource_id <= $2";
    STRAY_COMPARTMENTS = "SELECT k.resource_id FROM compartments k LEFT JOIN resources r ON r.id = k.resource_id
        WHERE k.resource_id > $1 AND k.resource_id <= $2 AND r.id IS NULL";
    /// What tells for whom something is, and is of nothing.
    STRAY_AUDIENCES = "SELECT p.resource_id FROM participants p LEFT JOIN resources r ON r.id = p.resource_id
            WHERE p.resource_id > $1 AND p.resource_id <= $2 AND r.id IS NULL
        UNION SELECT d.resource_id FROM drafters d LEFT JOIN resources s ON s.id = d.resource_id
            WHERE d.resource_id > $1 AND d.resource_id <= $2 AND s.id IS NULL
        UNION SELECT c.resource_id FROM conversations c LEFT JOIN resources m ON m.id = c.resource_id
            WHERE c.resource_id > $1 AND c.resource_id <= $2 AND m.id IS NULL";
}

/// Type, parameter, value and system of one row of the index.
type IndexEntry = (i64, String, String, Option<String>);

/// What is stored of one resource beside its body.
struct StoredResource {
    id: i64,
    type_number: i64,
    fhir_id: String,
    needs: i64,
    patient: Option<String>,
    patients: i64,
    deceased: Option<bool>,
    body: String,
    is_deleted: bool,
    held_until: Option<i64>,
}

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    examination.all = span::count(store).await?;
    let mut after = i64::MIN;
    while let Some((span, rows)) = span::next(store, after).await? {
        let suspects: BTreeSet<i64> =
            faults(store, &examination.reader, span).await?.into_iter().map(|(row, _)| row).collect();
        for row in suspects {
            // A row that was written while it was read is right at the second look.
            for (_, fault) in faults(store, &examination.reader, Span::of(row)).await? {
                examination.tell(&fault);
            }
        }
        examination.advance(rows);
        after = span.until;
    }
    Ok(())
}

async fn faults(store: &Store, reader: &Reader, span: Span) -> Result<Vec<(i64, Fault)>> {
    let args = args![span.after, span.until];
    let own = OwnValues::of(store).await?;
    let rows = store.db.page(ROWS, args, stored).await?;
    let mut entries: BTreeMap<i64, BTreeSet<IndexEntry>> = BTreeMap::new();
    for (row, entry) in store.db.page(TOKENS, args, entry).await? {
        entries.entry(row).or_default().insert(entry);
    }
    let mut compartments: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
    let compartment = |row: &dyn Row| Ok((row.int(0)?, row.opt_text(1)?.unwrap_or_default()));
    for (row, patient) in store.db.page(COMPARTMENTS, args, compartment).await? {
        compartments.entry(row).or_default().insert(patient);
    }
    let mut index = index_table::rows(store, span).await?;
    let mut found = Vec::new();
    // What a large write has written ahead is not there yet, and what it deleted is to lose its rows: both are as they should be.
    let staged = staging::resources(store).await?;
    for row in rows {
        let entries = entries.remove(&row.id).unwrap_or_default();
        let index = index.remove(&row.id).unwrap_or_default();
        let compartments = compartments.remove(&row.id).unwrap_or_default();
        let at = digest::name(row.type_number, &row.fhir_id);
        if row.is_deleted && staged.contains(&row.id) {
            continue;
        }
        let problems = problems((reader, &own), &row, (&entries, &index), &compartments);
        found.extend(problems.into_iter().map(|problem| (row.id, Fault::new(&at, problem))));
    }
    let mut stray: BTreeSet<i64> = entries.into_keys().chain(index.into_keys()).collect();
    stray.retain(|row| !staged.contains(row));
    stray.extend(store.db.page(STRAY_COMPARTMENTS, args, |row| row.int(0)).await?);
    stray.extend(store.db.page(STRAY_AUDIENCES, args, |row| row.int(0)).await?);
    let not_there = |row| (row, Fault::new(format!("row {row}"), "it is indexed, and not there"));
    found.extend(stray.into_iter().map(not_there));
    Ok(found)
}

/// What of one resource does not follow from its body. One that waits to be read anew, or can no longer be read, is
/// passed over: nothing follows from it.
fn problems(
    (reader, own): (&Reader, &OwnValues),
    row: &StoredResource,
    (entries, index): (&BTreeSet<IndexEntry>, &BTreeSet<IndexRow>),
    compartments: &BTreeSet<String>,
) -> Vec<&'static str> {
    let mut problems = Vec::new();
    // What is deleted keeps its labels and compartments, and is found by nothing.
    if row.is_deleted && !(entries.is_empty() && index.is_empty()) {
        problems.push("it is deleted, and still found");
    }
    let Some(new) = (row.needs >= 0 && !row.is_deleted).then(|| reader(&row.body)).flatten() else { return problems };
    let content = &new.content;
    if (content.resource_type.number(), &content.id) != (row.type_number, &row.fhir_id) {
        problems.push("its body is of another type or id");
    }
    let needs = Needs(row.needs);
    let until = row.held_until.map(|until| Delay::of(content.resource_type.name(), Moment(until)));
    if until.is_some_and(|delay| delay.hides == Hides::Item) != needs.is_held_back() {
        problems.push("it is held back, or is not, and should be otherwise");
    }
    if new.needs != needs.of_held_back(false) {
        problems.push("its labels are not those that its body says");
    }
    let patients: BTreeSet<String> = content.patients.iter().cloned().collect();
    let several = if patients.len() > 1 { patients } else { BTreeSet::new() };
    let count = i64::try_from(content.patients.len()).unwrap_or(i64::MAX);
    if (content.patients.first(), count) != (row.patient.as_ref(), row.patients) || several != *compartments {
        problems.push("it is not in the records of the patients that its body names");
    }
    let expected: BTreeSet<IndexEntry> = content
        .tokens
        .iter()
        .map(|token| (row.type_number, token.parameter.to_owned(), token.value.clone(), token.system.clone()))
        .collect();
    let is_own_right = own.are_right(row.id, (content, &row.body), index);
    if expected != *entries || !index_table::is_of(&new.content, &row.body, index) || !is_own_right {
        problems.push("it is not found by what its body says");
    }
    if content.resource_type == ResourceType::Patient && row.deceased != Some(content.deceased) {
        problems.push("whether the patient has died is not noted as its body says");
    }
    problems
}

fn stored(row: &dyn Row) -> Result<StoredResource> {
    Ok(StoredResource {
        id: row.int(0)?,
        type_number: row.int(1)?,
        fhir_id: row.text(2)?,
        needs: row.int(3)?,
        patient: row.opt_text(4)?,
        patients: row.int(5)?,
        deceased: row.opt_int(6)?.map(|deceased| deceased != 0),
        body: packing::unpack(row.text(7)?),
        is_deleted: row.opt_int(8)?.is_some(),
        held_until: row.opt_int(9)?,
    })
}

fn entry(row: &dyn Row) -> Result<(i64, IndexEntry)> {
    let parameter = row.opt_text(2)?.unwrap_or_default();
    // A system without its word is no system that a body says.
    let system = if row.int(5)? == 0 { None } else { Some(row.opt_text(4)?.unwrap_or_default()) };
    Ok((row.int(0)?, (row.int(1)?, parameter, row.text(3)?, system)))
}
