//! The schema: one set of migrations for every engine, applied in order, each once. A migration only adds: nodes of the
//! release before work on while the next one migrates.

use crate::error::{Error, Result};
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

/// Brings one SQLite file up to date.
pub(crate) fn sqlite(file: &Path, migrations: &[Migration]) -> Result<()> {
    let mut connection = Connection::open(file)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY);",
    )?;
    let done: Vec<String> = connection
        .prepare("SELECT name FROM migrations")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if let Some(newer) = done.iter().find(|name| !migrations.iter().any(|(known, _)| known == name)) {
        return Err(Error::Setup(format!(
            "{} was made by a newer recordgate (it has {newer}); use that version or restore a backup",
            file.display()
        )));
    }
    for (name, sql) in migrations.iter().filter(|(name, _)| !done.iter().any(|known| known == name)) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(&in_sqlite(sql))?;
        transaction.execute("INSERT INTO migrations (name) VALUES ($1)", [name])?;
        transaction.commit()?;
    }
    Ok(())
}

/// The one difference of dialect: only an `INTEGER PRIMARY KEY` is SQLite's own row key; a `BIGINT` one would be an
/// index beside it.
fn in_sqlite(sql: &str) -> String {
    sql.replace("id BIGINT PRIMARY KEY", "id INTEGER PRIMARY KEY")
}
