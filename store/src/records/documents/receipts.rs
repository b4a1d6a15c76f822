//! Documents: which their patient has opened, and when first.

use super::binary::SAME_SOURCE;
use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::records::index::tokens::carriers;
use crate::records::read::read;
use crate::sql::arg::{Arg, args};
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, list_of_texts, statements};
use crate::store::Store;
use fhir::tokens::IDENTIFIER;
use fhir::types::ResourceType;
use rules::ids::{OrganisationId, PatientId, RowId};
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// What a read-receipt query finds of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The identifier, as it was asked for.
    pub identifier: String,
    pub read_at: Option<Moment>,
    /// In whose record the documents of this identifier are.
    pub patients: Vec<PatientId>,
}

/// Stands for the moment at which nobody has read a document yet.
const UNREAD: i64 = i64::MAX;

/// By business identifier and by our own resource id; an organisation's documents only. `$1` is the organisation,
/// `$2` the identifiers. Receipts go by source organisation, not through reach. Each identifier is looked up by itself: left to
/// choose, a PostgreSQL that has not counted its rows yet compares each with every document.
static RECEIPTS: LazyLock<String> = LazyLock::new(|| {
    let document = ResourceType::DocumentReference.number();
    // When it was read and whose it is, of each document: `moment:patient:patient`.
    let told = format!(
        "string_agg(coalesce(CAST(e.read_at AS TEXT), '{UNREAD}') || ':' || coalesce(CASE WHEN r.patients > 1
            THEN (SELECT string_agg(CAST(k.patient_id AS TEXT), ':') FROM compartments k
                WHERE k.resource_id = r.id AND k.version = r.version)
            ELSE CAST(r.patient_id AS TEXT) END, ''), ',')"
    );
    format!(
        "SELECT q.value,
            (SELECT {told} FROM tokens t JOIN resources r ON r.id = t.resource_id
                LEFT JOIN read_receipts e ON e.resource_id = r.id
             WHERE t.type = {document} AND t.value = q.value
                AND t.parameter_id = (SELECT w.id FROM words w WHERE w.word = '{IDENTIFIER}')
                AND r.source_organisation_id = $1 AND r.deleted_at IS NULL),
            (SELECT {told} FROM resources r
                LEFT JOIN read_receipts e ON e.resource_id = r.id
             WHERE r.type = {document} AND r.fhir_id = q.value AND r.source_organisation_id = $1
                AND r.deleted_at IS NULL)
         FROM json_each($2) q"
    )
});

/// The documents of the patient `$2` that carry the Binary `$1` and have its source.
static CARRYING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT r.id FROM resources b JOIN resources r ON r.id IN ({})
         WHERE b.type = {} AND b.fhir_id = $1 AND r.deleted_at IS NULL AND {SAME_SOURCE}
            AND (r.patient_id = $2 OR (r.patients > 1 AND EXISTS (SELECT 1 FROM compartments k
                WHERE k.resource_id = r.id AND k.version = r.version AND k.patient_id = $2)))",
        carriers("$1"),
        ResourceType::Binary.number()
    )
});

statements! {
    FHIR_ID = "SELECT fhir_id FROM resources WHERE id = $1 AND type = $2";
    IS_THERE = "SELECT id FROM resources WHERE type = $1 AND fhir_id = $2 AND deleted_at IS NULL";
    READ_AT = "SELECT resource_id, read_at FROM read_receipts
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    WAS_READ = "SELECT read_at FROM read_receipts WHERE resource_id = $1";
    MARK_READ = "INSERT INTO read_receipts (resource_id, read_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
}

pub(crate) fn longer_statements() -> Vec<String> {
    vec![RECEIPTS.clone(), CARRYING.clone()]
}

/// What is known of an organisation's documents; unknown and foreign ones yield nothing. In the order asked for.
pub async fn receipts(store: &Store, organisation: OrganisationId, identifiers: &[String]) -> Result<Vec<Receipt>> {
    let mut found: HashMap<String, Receipt> = HashMap::new();
    let list = list_of_texts(identifiers.iter().map(String::as_str));
    let statement = Statement::new("store::records::documents::receipts::RECEIPTS", &RECEIPTS);
    let told = |row: &dyn Row| Ok((row.text(0)?, [row.opt_text(1)?, row.opt_text(2)?]));
    let each = |(identifier, told): (String, [Option<String>; 2])| {
        if let Some(receipt) = receipt(&identifier, told) {
            found.insert(identifier, receipt);
        }
        Ok(())
    };
    store.db.each(statement, &[args![organisation, &list]], told, each).await?;
    let mut listed = HashSet::new();
    let in_order = identifiers.iter().filter(|identifier| listed.insert(identifier.as_str()));
    Ok(in_order.filter_map(|identifier| found.remove(identifier)).collect())
}

/// What the documents under one identifier tell together: two of them are read when the first was.
fn receipt(identifier: &str, told: [Option<String>; 2]) -> Option<Receipt> {
    let (mut read_at, mut patients) = (UNREAD, BTreeSet::new());
    let mut is_known = false;
    for document in told.iter().flatten().flat_map(|told| told.split(',')) {
        let mut numbers = document.split(':').map(|number| number.parse::<i64>().ok());
        is_known = true;
        read_at = read_at.min(numbers.next().flatten().unwrap_or(UNREAD));
        patients.extend(numbers.flatten().map(PatientId));
    }
    is_known.then(|| Receipt {
        identifier: identifier.to_owned(),
        read_at: (read_at != UNREAD).then_some(Moment(read_at)),
        patients: patients.into_iter().collect(),
    })
}

/// The public id of a document, by our own number for it.
pub async fn fhir_id(store: &Store, document: RowId) -> Result<Option<String>> {
    store.db.read_one(FHIR_ID, args![document, ResourceType::DocumentReference.number()], |row| row.text(0)).await
}

/// When each of these documents was first read, of those that were. Whoever asks has read them within a reach.
pub async fn read_at(store: &Store, documents: impl IntoIterator<Item = RowId>) -> Result<HashMap<i64, Moment>> {
    let rows: Vec<i64> = documents.into_iter().map(|row| row.0).collect();
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = list(rows);
    let found = store.db.page(READ_AT, args![&rows], |row| Ok((row.int(0)?, Moment(row.int(1)?)))).await?;
    Ok(found.into_iter().collect())
}

/// The documents of a patient that carry a Binary.
pub async fn carrying(store: &Store, binary: &str, patient: PatientId) -> Result<Vec<RowId>> {
    let statement = Statement::new("store::records::documents::receipts::CARRYING", &CARRYING);
    store.db.read(statement, &[Arg::Text(binary), Arg::from(patient)], |row| row.id(0)).await
}

/// Why a document may not be made around a Binary: it would open what its maker cannot see, now or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentObstacle {
    NotThere,
    OutOfReach,
}

/// What stands in the way of a document around this Binary, made by somebody of this reach.
pub async fn obstacle(store: &Store, reach: &Reach, binary: &str, now: Moment) -> Result<Option<DocumentObstacle>> {
    if read(store, reach, ResourceType::Binary, binary, now).await?.is_some() {
        return Ok(None);
    }
    let there = store.db.read_one(IS_THERE, args![ResourceType::Binary.number(), binary], |row| row.int(0)).await?;
    Ok(Some(there.map_or(DocumentObstacle::NotThere, |_| DocumentObstacle::OutOfReach)))
}

/// Notes that a patient opened the content of a document; only the first time counts, and only that is written.
pub async fn note_opened(store: &Store, document: RowId, patient: PatientId, now: Moment) -> Result<()> {
    if store.db.read_one(WAS_READ, args![document], |row| row.int(0)).await?.is_some() {
        return Ok(());
    }
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            if tx.execute(MARK_READ, args![document, now.0]).await? == 1 {
                let about = About { patient: Some(patient), ..Default::default() };
                let line = Line::new(now, Event::DocumentRead, None, about).with_detail(document.to_string());
                tx.append(Outbox::Records, &ids, &line);
            }
            Ok(())
        })
    });
    write.await
}
