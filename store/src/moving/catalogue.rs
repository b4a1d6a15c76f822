//! What there is to move: the tables and columns that the migrations make, in the order in which they make them.
//!
//! The migrations are the one list of tables. They are run on an empty database in memory, and its own catalogue is
//! read, so that a table or column that a later migration adds is moved without anyone's having to think of it.

use crate::db::Row;
use crate::error::{Error, Result};
use crate::migrate;
use crate::postgres::OwnArg;
use rusqlite::Connection;

/// The values of one row, in the order of its table's columns.
pub(crate) type Values = Vec<OwnArg>;

/// One table. A table that refers to another comes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Text,
    Bytes,
}

/// Every table of this release.
pub fn tables() -> Result<Vec<Table>> {
    let schema = Connection::open_in_memory()?;
    for (_, sql) in migrate::RECORDS.iter().chain(migrate::SESSIONS) {
        schema.execute_batch(&migrate::in_sqlite(sql))?;
    }
    let mut names = schema.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    names.into_iter().map(|name| Ok(Table { columns: columns(&schema, &name)?, name })).collect()
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

impl Table {
    pub(crate) fn select(&self) -> String {
        format!("SELECT {} FROM {}", self.listed(), self.quoted())
    }

    pub(crate) fn count(&self) -> String {
        format!("SELECT count(*) FROM {}", self.quoted())
    }

    pub(crate) fn insert(&self) -> String {
        let places: Vec<String> = (1..=self.columns.len()).map(|at| format!("${at}")).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.quoted(), self.listed(), places.join(", "))
    }

    /// Its columns, as a statement lists them.
    pub(crate) fn listed(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| quoted(&column.name)).collect();
        names.join(", ")
    }

    pub(crate) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// The values of a row that `select` found.
    pub(crate) fn values(&self, row: &Row<'_>) -> Result<Values> {
        let value = |(at, column): (usize, &Column)| {
            Ok(match column.kind {
                Kind::Int => row.opt_int(at)?.map_or(OwnArg::Null, OwnArg::Int),
                Kind::Text => row.opt_text(at)?.map_or(OwnArg::Null, OwnArg::Text),
                Kind::Bytes => row.opt_bytes(at)?.map_or(OwnArg::Null, OwnArg::Bytes),
            })
        };
        self.columns.iter().enumerate().map(value).collect()
    }
}

/// A name that is never taken for a word of SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
