//! The rows of the index, by the kind of their values: put in place of those of before, a table with one statement.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::{Statement, quote, statements};
use fhir::extraction::index_row::{self, IndexCells, IndexRow};
use fhir::parameters::table;
use fhir::preparation::Preparation;
use rules::ids::RowId;

statements! {
    FORGET_TOKENS = "DELETE FROM index_tokens WHERE resource_id = $1";
    FORGET_TEXTS = "DELETE FROM index_texts WHERE resource_id = $1";
    FORGET_REFERENCES = "DELETE FROM index_references WHERE resource_id = $1";
    FORGET_DATES = "DELETE FROM index_dates WHERE resource_id = $1";
    FORGET_AMOUNTS = "DELETE FROM index_amounts WHERE resource_id = $1";
    FORGET_URIS = "DELETE FROM index_uris WHERE resource_id = $1";
    PUT_TOKENS = "INSERT INTO index_tokens (resource_id, type, parameter, part, code, system)
        SELECT CAST($1 AS BIGINT), CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            v.value ->> 4, CAST(v.value ->> 5 AS BIGINT)
        FROM json_each($2, '$') v";
    PUT_TEXTS = "INSERT INTO index_texts (resource_id, type, parameter, part, number, folded, whole, written)
        SELECT CAST($1 AS BIGINT), CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), v.value ->> 4, v.value ->> 5, v.value ->> 6
        FROM json_each($2, '$') v";
    PUT_REFERENCES = "INSERT INTO index_references (resource_id, type, parameter, part, target_type, target, version)
        SELECT CAST($1 AS BIGINT), CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 4 AS BIGINT), v.value ->> 5, v.value ->> 6
        FROM json_each($2, '$') v";
    PUT_DATES = "INSERT INTO index_dates (resource_id, type, parameter, part, low, high)
        SELECT CAST($1 AS BIGINT), CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 4 AS BIGINT), CAST(v.value ->> 5 AS BIGINT)
        FROM json_each($2, '$') v";
    PUT_AMOUNTS = "INSERT INTO index_amounts (resource_id, type, parameter, part, number, low, high, system, code, unit,
            base, base_low, base_high)
        SELECT CAST($1 AS BIGINT), CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            CAST(v.value ->> 3 AS BIGINT), CAST(v.value ->> 4 AS BIGINT), CAST(v.value ->> 5 AS BIGINT),
            CAST(v.value ->> 6 AS BIGINT), v.value ->> 7, v.value ->> 8, v.value ->> 9, CAST(v.value ->> 10 AS BIGINT),
            CAST(v.value ->> 11 AS BIGINT)
        FROM json_each($2, '$') v";
    PUT_URIS = "INSERT INTO index_uris (resource_id, type, parameter, part, uri, version)
        SELECT CAST($1 AS BIGINT), CAST(v.value ->> 0 AS BIGINT), CAST(v.value ->> 1 AS BIGINT), CAST(v.value ->> 2 AS BIGINT),
            v.value ->> 4, v.value ->> 5
        FROM json_each($2, '$') v";
}

/// For each table how its rows are forgotten and put.
const TABLES: [(Statement<'static>, Statement<'static>); 6] = [
    (FORGET_TOKENS, PUT_TOKENS),
    (FORGET_TEXTS, PUT_TEXTS),
    (FORGET_REFERENCES, PUT_REFERENCES),
    (FORGET_DATES, PUT_DATES),
    (FORGET_AMOUNTS, PUT_AMOUNTS),
    (FORGET_URIS, PUT_URIS),
];

/// Removes the index rows of a resource.
pub(crate) async fn forget(tx: &mut Tx<'_>, row: RowId) -> Result<()> {
    for (forget_rows, _) in TABLES {
        tx.post(forget_rows, args![row]).await?;
    }
    Ok(())
}

/// Writes the index rows of a resource that has none.
pub(super) async fn put(tx: &mut Tx<'_>, row: RowId, content: &Preparation, origin: &str) -> Result<()> {
    let source = table::find(content.resource_type, "_source")
        .map(|parameter| index_row::source_row(content.resource_type, parameter.number, origin));
    let mut lists: [String; TABLES.len()] = Default::default();
    for (number, index_row) in content.index.iter().chain(&source).enumerate() {
        let (table, cells) = cells(index_row, number);
        if let Some(list) = lists.get_mut(table) {
            list.push(if list.is_empty() { '[' } else { ',' });
            list.push_str(&cells);
        }
    }
    for ((_, put_rows), mut list) in TABLES.into_iter().zip(lists) {
        if !list.is_empty() {
            list.push(']');
            tx.post(put_rows, args![row, &list]).await?;
        }
    }
    Ok(())
}

/// The number of a row's table, and the row as a JSON array: type, parameter, part, its own number, then what it holds.
fn cells(index_row: &IndexRow, number: usize) -> (usize, String) {
    let IndexRow { type_number, parameter, part, cells } = index_row;
    let mut row = format!("[{type_number},{parameter},{part},{number}");
    let table = match cells {
        IndexCells::Token { code, system } => {
            text(&mut row, Some(code));
            row.push_str(&format!(",{system}"));
            0
        }
        IndexCells::Text { folded, whole, written } => {
            text(&mut row, Some(folded));
            text(&mut row, whole.as_deref());
            text(&mut row, Some(written));
            1
        }
        IndexCells::Reference { target_type, target, version } => {
            row.push_str(&format!(",{target_type}"));
            text(&mut row, Some(target));
            text(&mut row, Some(version));
            2
        }
        IndexCells::Date { low, high } => {
            row.push_str(&format!(",{low},{high}"));
            3
        }
        IndexCells::Amount { low, high, system, code, unit, base } => {
            row.push_str(&format!(",{low},{high},{system}"));
            text(&mut row, Some(code));
            text(&mut row, Some(unit));
            text(&mut row, base.as_ref().map(|base| base.code.as_str()));
            match base {
                Some(base) => row.push_str(&format!(",{},{}", base.low, base.high)),
                None => row.push_str(",null,null"),
            }
            4
        }
        IndexCells::Uri { uri, version } => {
            text(&mut row, Some(uri));
            text(&mut row, Some(version));
            5
        }
    };
    row.push(']');
    (table, row)
}

fn text(row: &mut String, text: Option<&str>) {
    row.push(',');
    match text {
        Some(text) => quote(text, row),
        None => row.push_str("null"),
    }
}
