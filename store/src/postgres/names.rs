//! The names that tables get when their database was moved, so that nodes which still run on it are refused.

use crate::sql::table::{Table, quoted};

/// The name of a table of a database that was moved.
pub(super) fn aside(name: &str) -> String {
    match name.split_once('.') {
        Some((schema, name)) => format!("{schema}.moved_{name}"),
        None => format!("moved_{name}"),
    }
}

pub(super) fn renames(tables: &[Table], names: impl Fn(&str) -> (String, String)) -> String {
    let rename = |table: &Table| {
        let (from, to) = names(&table.name);
        // A table that is renamed stays in its schema.
        let to = to.rsplit('.').next().unwrap_or_default();
        format!("ALTER TABLE {} RENAME TO {};", quoted(&from), quoted(to))
    };
    tables.iter().map(rename).collect()
}
