//! The schema on SQLite: each file has its own steps, applied in order, each once.

use super::files::{PARTS, StoreFile, open_or_make};
use crate::error::{Error, Result};
use crate::sql::marks;
use crate::sql::migration::{Marks, Migration, Migrations, TABLE, earlier_release, newer_release};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// Brings the files of a SQLite store up to date.
pub(super) fn apply(directory: &Path, migrations: Migrations, marks: Marks) -> Result<()> {
    for part in &PARTS {
        bring_up_to_date(part, &part.path(directory), (part.migrations)(&migrations), marks)?;
    }
    Ok(())
}

fn bring_up_to_date(part: &StoreFile, file: &Path, migrations: &[Migration], marks: Marks) -> Result<()> {
    let mut connection = open_or_make(file)?;
    connection.pragma_update(None, "page_size", part.page_bytes)?;
    if part.shrinks {
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
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

/// Whether the files are there and as this release writes them; nothing is done to them.
pub(super) fn expect(directory: &Path, migrations: Migrations) -> Result<()> {
    for part in &PARTS {
        let (file, steps) = (part.path(directory), (part.migrations)(&migrations));
        if !file.exists() {
            return Err(Error::Setup(format!("there is no {} in {}", part.file, directory.display())));
        }
        let done = names(&Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY)?)?;
        if marks::is_unfinished(&done) {
            return Err(marks::unfinished());
        }
        let known = |name: &str| steps.iter().any(|(known, _)| *known == name) || marks::is_mark(name);
        if let Some(newer) = done.iter().find(|name| !known(name)) {
            return Err(newer_release(&file.display().to_string(), newer));
        }
        if let Some((missing, _)) = steps.iter().find(|(name, _)| !done.iter().any(|done| done == name)) {
            return Err(earlier_release(&file.display().to_string(), missing));
        }
    }
    Ok(())
}

/// The names of what was done to a SQLite file.
pub(super) fn names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut names = connection.prepare("SELECT name FROM migrations")?;
    names.query_map([], |row| row.get(0))?.collect()
}

/// The one difference of dialect in migrations: only an `INTEGER PRIMARY KEY` is SQLite's own row key; a `BIGINT` one would be an
/// index beside it.
pub(crate) fn in_sqlite(sql: &str) -> String {
    sql.replace("id BIGINT PRIMARY KEY", "id INTEGER PRIMARY KEY")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::SCHEMA;

    fn ask(file: &Path, sql: &str) -> i64 {
        Connection::open(file).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_new_sessions_file_has_small_pages_and_a_new_records_file_the_usual_ones() {
        let directory = tempfile::tempdir().unwrap();
        apply(directory.path(), SCHEMA, Marks::Refused).unwrap();
        assert_eq!(ask(&directory.path().join("sessions.sqlite"), "PRAGMA page_size"), 1024);
        assert_eq!(ask(&directory.path().join("records.sqlite"), "PRAGMA page_size"), 4096);
    }

    #[test]
    fn a_sessions_file_with_other_pages_keeps_them_and_is_brought_up_to_date() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("sessions.sqlite");
        let before = Connection::open(&file).unwrap();
        before.execute_batch(&format!("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; {TABLE}")).unwrap();
        drop(before);
        apply(directory.path(), SCHEMA, Marks::Refused).unwrap();
        assert_eq!(ask(&file, "PRAGMA page_size"), 4096);
        assert_eq!(ask(&file, "SELECT count(*) FROM sessions"), 0);
    }
}
