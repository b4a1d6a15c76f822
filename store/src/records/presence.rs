//! Which of many resources a source has stored before, for an import that goes on where it was cut short.

use super::stored::resource;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list_of_texts, statements};
use crate::store::Store;
use fhir::types::ResourceType;
use rules::reach::Source;
use std::collections::HashSet;

statements! {
    /// Nobody sees anything by this: it goes by the source alone, and that is who asks. Each id is looked up by itself.
    OF_IDS = "SELECT r.fhir_id, r.source_organisation_id, r.source_team_id, r.source_user_id, r.source_patient_id
        FROM json_each($1) q JOIN resources r ON r.type = $2 AND r.fhir_id = q.value";
}

/// Those of these ids under which the source has stored a resource of this type.
pub async fn of(store: &Store, resource_type: ResourceType, ids: &[&str], source: Source) -> Result<HashSet<String>> {
    let list = list_of_texts(ids.iter().copied());
    let row = |row: &dyn Row| Ok((row.text(0)?, resource::source(row, 1)?));
    let found = store.db.page(OF_IDS, args![&list, resource_type.number()], row).await?;
    Ok(found.into_iter().filter(|(_, own)| own.is(&source)).map(|(id, _)| id).collect())
}
