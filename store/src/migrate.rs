//! The schema: one set of migrations for every engine, applied in order, each once. A migration only adds: nodes of the
//! release before work on while the next one migrates.

use crate::error::{Error, Result};
use crate::moving::marks;
use crate::sqlite::{RECORDS_FILE, SESSIONS_FILE};
use rusqlite::Connection;
use std::path::Path;

/// A migration: its name and its SQL.
pub type Migration = (&'static str, &'static str);

/// What lives in the records file.
pub const RECORDS: &[Migration] = &[
    ("records/0001_world", include_str!("../schema/records/0001_world.sql")),
    ("records/0002_resources", include_str!("../schema/records/0002_resources.sql")),
];

/// What lives in the sessions file.
pub const SESSIONS: &[Migration] = &[("sessions/0001_sessions", include_str!("../schema/sessions/0001_sessions.sql"))];

/// The list of what was done to a database, on every engine.
pub const TABLE: &str = "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)";

/// What becomes of a database that a move has marked as not the one to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// It is refused.
    Refused,
    /// It is the move itself that asks.
    Expected,
}

/// The pages of a new records file, which holds documents, and of a new sessions file, which holds short rows that change
/// one by one: a commit writes whole pages, so a refresh writes a quarter of what it would with SQLite's usual ones.
const RECORDS_PAGE_BYTES: u32 = 4096;
const SESSIONS_PAGE_BYTES: u32 = 1024;

/// Brings the two files of a SQLite store up to date.
pub(crate) fn sqlite(directory: &Path, marks: Marks) -> Result<()> {
    sqlite_file(&directory.join(RECORDS_FILE), RECORDS, RECORDS_PAGE_BYTES, marks)?;
    sqlite_file(&directory.join(SESSIONS_FILE), SESSIONS, SESSIONS_PAGE_BYTES, marks)
}

fn sqlite_file(file: &Path, migrations: &[Migration], page_bytes: u32, marks: Marks) -> Result<()> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "page_size", page_bytes)?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
    connection.execute_batch(TABLE)?;
    let done = names(&connection)?;
    if marks == Marks::Refused {
        marks::refuse(&done)?;
    }
    let known = |name: &str| migrations.iter().any(|(known, _)| *known == name) || marks::is_mark(name);
    if let Some(newer) = done.iter().find(|name| !known(name)) {
        return Err(newer_release(&file.display().to_string(), newer));
    }
    for (name, sql) in migrations.iter().filter(|(name, _)| !done.iter().any(|known| known == name)) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(&in_sqlite(sql))?;
        transaction.execute("INSERT INTO migrations (name) VALUES ($1)", [name])?;
        transaction.commit()?;
    }
    Ok(())
}

/// The names of what was done to a SQLite file.
pub(crate) fn names(connection: &Connection) -> Result<Vec<String>> {
    let mut names = connection.prepare("SELECT name FROM migrations")?;
    let names = names.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

/// Whether this release knows the migration.
pub(crate) fn is_known(name: &str) -> bool {
    RECORDS.iter().chain(SESSIONS).any(|(known, _)| *known == name)
}

/// What is said of a database that this release does not know all of.
pub(crate) fn newer_release(what: &str, newer: &str) -> Error {
    Error::Setup(format!(
        "{what} was made by a newer recordgate (it has {newer}); use that version or restore a backup"
    ))
}

/// The one difference of dialect: only an `INTEGER PRIMARY KEY` is SQLite's own row key; a `BIGINT` one would be an
/// index beside it.
pub(crate) fn in_sqlite(sql: &str) -> String {
    sql.replace("id BIGINT PRIMARY KEY", "id INTEGER PRIMARY KEY")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(file: &Path, sql: &str) -> i64 {
        Connection::open(file).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_new_sessions_file_has_small_pages_and_a_new_records_file_the_usual_ones() {
        let directory = tempfile::tempdir().unwrap();
        sqlite(directory.path(), Marks::Refused).unwrap();
        assert_eq!(ask(&directory.path().join(SESSIONS_FILE), "PRAGMA page_size"), i64::from(SESSIONS_PAGE_BYTES));
        assert_eq!(ask(&directory.path().join(RECORDS_FILE), "PRAGMA page_size"), i64::from(RECORDS_PAGE_BYTES));
    }

    #[test]
    fn a_sessions_file_with_other_pages_keeps_them_and_is_brought_up_to_date() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(SESSIONS_FILE);
        let before = Connection::open(&file).unwrap();
        before.execute_batch(&format!("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; {TABLE}")).unwrap();
        drop(before);
        sqlite(directory.path(), Marks::Refused).unwrap();
        assert_eq!(ask(&file, "PRAGMA page_size"), 4096);
        assert_eq!(ask(&file, "SELECT count(*) FROM sessions"), 0);
    }
}
