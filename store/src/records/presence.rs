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
    /// Nobody sees anything by this: it goes by the source alone, and that is who asks. Each id is looked up by itself: CROSS JOIN
    /// has SQLite begin with the list, where it would rather walk all resources of the type.
    OF_IDS = "SELECT r.fhir_id, r.source_organisation_id, r.source_team_id, r.source_user_id, r.source_patient_id
        FROM json_each($1) q CROSS JOIN resources r WHERE r.type = $2 AND r.fhir_id = q.value";
}

/// Those of these ids under which the source has stored a resource of this type.
pub async fn of(store: &Store, resource_type: ResourceType, ids: &[&str], source: Source) -> Result<HashSet<String>> {
    let list = list_of_texts(ids.iter().copied());
    let row = |row: &dyn Row| Ok((row.text(0)?, resource::source(row, 1)?));
    let found = store.db.page(OF_IDS, args![&list, resource_type.number()], row).await?;
    Ok(found.into_iter().filter(|(_, own)| own.is(&source)).map(|(id, _)| id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::sql::statement::Statement;

    /// SQLite believes that a list is long, and would rather walk all resources of the type: 50,000 of them for each batch.
    #[tokio::test]
    async fn each_id_is_looked_up_by_itself_however_many_resources_there_are() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
        let explain = format!("EXPLAIN QUERY PLAN {}", OF_IDS.sql);
        let plan: Vec<String> =
            store.db.read(Statement::new("explain", &explain), args!["[]", 1], |row| row.text(3)).await.unwrap();
        assert!(plan.iter().any(|step| step.starts_with("SEARCH r USING") && step.contains("fhir_id=?")), "{plan:#?}");
        assert_eq!(
            plan.iter().filter(|step| step.starts_with("SCAN") && !step.starts_with("SCAN q")).count(),
            0,
            "{plan:#?}"
        );
    }
}
