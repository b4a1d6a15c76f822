//! Content that is held back from the patient and carers, until the document that carries it is released.

use super::binary::SAME_SOURCE;
use crate::error::Result;
use crate::records::index::tokens::carriers;
use crate::sql::arg::{Arg, args};
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use fhir::types::ResourceType;
use rules::ids::{PatientId, RowId};
use rules::moment::Moment;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Of the documents of the patient `$2` that carry the Binary `$1` and have its source: how many there are, how many of them are held
/// back, and until when the first is.
static CARRYING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT count(*), count(d.until), min(d.until) FROM resources b JOIN resources r ON r.id IN ({})
            LEFT JOIN delays d ON d.resource_id = r.id
         WHERE b.type = {} AND b.fhir_id = $1 AND r.deleted_at IS NULL AND {SAME_SOURCE}
            AND (r.patient_id = $2 OR (r.patients > 1 AND EXISTS (SELECT 1 FROM compartments k
                WHERE k.resource_id = r.id AND k.version = r.version AND k.patient_id = $2)))",
        carriers("$1"),
        ResourceType::Binary.number()
    )
});

statements! {
    OF_DOCUMENT = "SELECT until FROM delays WHERE resource_id = $1";
    OF_DOCUMENTS = "SELECT resource_id, until FROM delays
        WHERE resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
}

pub(crate) fn longer_statements() -> Vec<String> {
    vec![CARRYING.clone()]
}

/// Until when the content of a Binary is held back in the record of this patient; `None` where a document opens it.
pub async fn of_binary(store: &Store, binary: &str, patient: PatientId) -> Result<Option<Moment>> {
    let statement = Statement::new("store::records::documents::delays::CARRYING", &CARRYING);
    let row = |row: &dyn Row| Ok((row.int(0)?, row.int(1)?, row.opt_int(2)?));
    let found = store.db.read_one(statement, &[Arg::Text(binary), Arg::from(patient)], row).await?;
    let (all, held, until) = found.unwrap_or_default();
    Ok(until.filter(|_| all == held).map(Moment))
}

/// Until when the content inside a document is held back.
pub async fn of_document(store: &Store, document: RowId) -> Result<Option<Moment>> {
    store.db.read_one(OF_DOCUMENT, args![document], |row| Ok(Moment(row.int(0)?))).await
}

/// Until when each of these documents is held back, of those that are. Whoever asks has read them within a reach.
pub async fn of_documents(
    store: &Store,
    documents: impl IntoIterator<Item = RowId> + Send,
) -> Result<HashMap<i64, Moment>> {
    let rows: Vec<i64> = documents.into_iter().map(|row| row.0).collect();
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = list(rows);
    let found = store.db.page(OF_DOCUMENTS, args![&rows], |row| Ok((row.int(0)?, Moment(row.int(1)?)))).await?;
    Ok(found.into_iter().collect())
}
