//! When resources were first stored. Whoever asks has read them within a reach: of them only a moment is told.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::RowId;
use rules::moment::Moment;
use std::collections::HashMap;

statements! {
    FIRST = "SELECT v.resource_id, v.updated_at FROM versions v
        WHERE v.resource_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND v.version = 1";
}

/// The moment of the first version of each of these that has had others since.
pub async fn first_stored(store: &Store, rows: impl IntoIterator<Item = RowId>) -> Result<HashMap<i64, Moment>> {
    let rows: Vec<i64> = rows.into_iter().map(|row| row.0).collect();
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = list(rows);
    let found = store.db.page(FIRST, args![rows.as_str()], |row| Ok((row.int(0)?, Moment(row.int(1)?)))).await?;
    Ok(found.into_iter().collect())
}
