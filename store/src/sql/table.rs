//! A table on its way from one database to another: its columns, the texts that read and write it, batches of its rows.

use super::arg::OwnedArg;
use super::row::Row;
use crate::error::Result;

/// Rows of a batch, and bytes: a batch is full with whichever comes first. A document may be 10 MiB by itself.
const MOST_ROWS: usize = 1000;
const MOST_BYTES: usize = 1 << 20;

/// The values of one row, in the order of its table's columns.
pub(crate) type Values = Vec<OwnedArg>;

/// One table. A table that refers to another comes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The ledger's begin with `ledger.`: they are in a file or a schema of their own.
    pub name: String,
    pub columns: Vec<Column>,
    /// The columns of its key, where its rows have no number of their own.
    pub key: Vec<String>,
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
    pub(crate) fn values(&self, row: &dyn Row) -> Result<Values> {
        let value = |(at, column): (usize, &Column)| {
            Ok(match column.kind {
                Kind::Int => row.opt_int(at)?.map_or(OwnedArg::Null, OwnedArg::Int),
                Kind::Text => row.opt_text(at)?.map_or(OwnedArg::Null, OwnedArg::Text),
                Kind::Bytes => row.opt_bytes(at)?.map_or(OwnedArg::Null, OwnedArg::Bytes),
            })
        };
        self.columns.iter().enumerate().map(value).collect()
    }
}

/// Rows on their way.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) rows: Vec<Values>,
    bytes: usize,
}

impl Batch {
    pub(crate) fn push(&mut self, values: Values) {
        self.bytes += values.iter().map(OwnedArg::bytes).sum::<usize>();
        self.rows.push(values);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= MOST_ROWS || self.bytes >= MOST_BYTES
    }
}

/// A name that is never taken for a word of SQL; also one with its schema before it.
pub(crate) fn quoted(name: &str) -> String {
    let parts: Vec<String> = name.split('.').map(|part| format!("\"{part}\"")).collect();
    parts.join(".")
}
