//! What there is to move: the tables and columns that the migrations make, in the order in which they make them.
//!
//! The migrations are the one list of tables. They are run on an empty database in memory, and its own catalogue is
//! read, so that a table or column that a later migration adds is moved without anyone's having to think of it.

use super::migrations::in_sqlite;
use crate::error::{Error, Result};
use crate::sql::migration::Migrations;
use crate::sql::table::{Column, Kind, Table};
use rusqlite::Connection;

/// Every table of this release.
pub(crate) fn tables(migrations: Migrations) -> Result<Vec<Table>> {
    let shared = migrations.shared().map(|(_, sql)| in_sqlite(sql));
    let ledger = migrations.ledger.iter().map(|(_, sql)| (*sql).to_owned());
    let mut tables = made_by(shared, "")?;
    tables.extend(made_by(ledger, "ledger.")?);
    Ok(tables)
}

/// The tables that these steps make, with `prefix` before their names.
fn made_by(steps: impl Iterator<Item = String>, prefix: &str) -> Result<Vec<Table>> {
    let schema = Connection::open_in_memory()?;
    for sql in steps {
        schema.execute_batch(&sql)?;
    }
    let mut names = schema.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let table = |name: String| {
        let (columns, key) = (columns(&schema, &name)?, key(&schema, &name)?);
        Ok(Table { name: format!("{prefix}{name}"), columns, key })
    };
    names.into_iter().map(table).collect()
}

/// The key of a table whose rows have no number of their own.
fn key(schema: &Connection, table: &str) -> Result<Vec<String>> {
    let mut key = schema.prepare(
        "SELECT c.name FROM pragma_table_list($1) t, pragma_table_info($1) c WHERE t.wr = 1 AND c.pk > 0 ORDER BY c.pk",
    )?;
    let names = key.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

fn columns(schema: &Connection, table: &str) -> Result<Vec<Column>> {
    let mut columns = schema.prepare("SELECT name, type FROM pragma_table_info($1) ORDER BY cid")?;
    let columns = columns.query_map([table], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    columns
        .map(|column| {
            let (name, declared) = column?;
            let kind = match declared.as_str() {
                "INTEGER" | "BIGINT" => Kind::Int,
                "TEXT" => Kind::Text,
                "BYTEA" => Kind::Bytes,
                other => return Err(Error::Impossible(format!("{table}.{name} is of the type {other}"))),
            };
            Ok(Column { name, kind })
        })
        .collect()
}
