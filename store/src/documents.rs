//! Documents: which their patient has opened, and when first.

use crate::db::args;
use crate::db::{Arg, Row};
use crate::error::Result;
use crate::ledger::{self, About, Event};
use crate::store::Store;
use rules::moment::Moment;

/// What a read-receipt query finds of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The identifier, as it was asked for.
    pub identifier: String,
    pub read_at: Option<Moment>,
}

/// Identifiers per statement: few statements for thousands, one text to prepare.
const AT_ONCE: usize = 50;

/// By business identifier and by our own resource id; an organisation's documents only. `$1` is the organisation,
/// `$2`… the identifiers.
fn receipts_sql() -> String {
    let marks: Vec<String> = (2..AT_ONCE + 2).map(|n| format!("${n}")).collect();
    let marks = marks.join(", ");
    format!(
        "SELECT t.value, e.read_at FROM tokens t
            JOIN words d ON d.id = t.type_id AND d.word = 'DocumentReference'
            JOIN words p ON p.id = t.parameter_id AND p.word = 'identifier'
            JOIN resources r ON r.id = t.resource_id
            LEFT JOIN read_receipts e ON e.resource_id = r.id
         WHERE r.source_organisation_id = $1 AND r.deleted_at IS NULL AND t.value IN ({marks})
         UNION ALL
         SELECT r.fhir_id, e.read_at FROM resources r
            JOIN words d ON d.id = r.type_id AND d.word = 'DocumentReference'
            LEFT JOIN read_receipts e ON e.resource_id = r.id
         WHERE r.source_organisation_id = $1 AND r.deleted_at IS NULL AND r.fhir_id IN ({marks})"
    )
}

const OF_BINARY: &str = "SELECT r.id FROM tokens t
        JOIN words d ON d.id = t.type_id AND d.word = 'DocumentReference'
        JOIN words p ON p.id = t.parameter_id AND p.word = 'content'
        JOIN resources r ON r.id = t.resource_id
    WHERE t.value = $1 AND r.patient_id = $2 AND r.deleted_at IS NULL";
const WAS_READ: &str = "SELECT read_at FROM read_receipts WHERE resource_id = $1";
const MARK_READ: &str = "INSERT INTO read_receipts (resource_id, read_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";

#[must_use]
pub fn statements() -> Vec<String> {
    [OF_BINARY, WAS_READ, MARK_READ].map(String::from).into_iter().chain([receipts_sql()]).collect()
}

/// What is known of an organisation's documents; unknown and foreign ones yield nothing. In the order asked for.
pub async fn receipts(store: &Store, organisation: i64, identifiers: &[String]) -> Result<Vec<Receipt>> {
    let sql = receipts_sql();
    let mut found = std::collections::HashMap::new();
    for chunk in identifiers.chunks(AT_ONCE) {
        let last = chunk.last().map_or("", String::as_str);
        let asked = chunk.iter().map(String::as_str).chain(std::iter::repeat(last)).take(AT_ONCE);
        let args: Vec<Arg<'_>> = std::iter::once(Arg::Int(organisation)).chain(asked.map(Arg::Text)).collect();
        let receipt = |row: &Row<'_>| Ok((row.text(0)?, row.opt_int(1)?.map(Moment)));
        for (identifier, read_at) in store.db.read(&sql, &args, receipt).await? {
            // Two documents under one identifier: read when the first of them was.
            let known: &mut Option<Moment> = found.entry(identifier).or_default();
            *known = [*known, read_at].into_iter().flatten().min();
        }
        tokio::task::yield_now().await;
    }
    let mut told = std::collections::HashSet::new();
    let in_order = identifiers.iter().filter(|identifier| told.insert(identifier.as_str()));
    Ok(in_order
        .filter_map(|identifier| {
            let read_at = *found.get(identifier)?;
            Some(Receipt { identifier: identifier.clone(), read_at })
        })
        .collect())
}

/// The documents of a patient that carry a Binary.
pub async fn carrying(store: &Store, binary: &str, patient: &str) -> Result<Vec<i64>> {
    store.db.read(OF_BINARY, args![binary, patient], |row| row.int(0)).await
}

/// Notes that a patient opened the content of a document; only the first time counts, and only that is written.
pub async fn opened(store: &Store, document: i64, patient: &str, now: Moment) -> Result<()> {
    if store.db.read_one(WAS_READ, args![document], |row| row.int(0)).await?.is_some() {
        return Ok(());
    }
    let ids = store.ids.clone();
    let patient = patient.to_owned();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            if tx.execute(MARK_READ, args![document, now.0]).await? == 1 {
                let about = About { patient: Some(patient), ..Default::default() };
                ledger::note(tx, &ids, now, Event::DocumentRead, None, &about, Some(&document.to_string())).await?;
            }
            Ok(())
        })
    });
    write.await
}
