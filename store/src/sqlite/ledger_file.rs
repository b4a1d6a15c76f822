//! The ledger's own file, and connections to it. What is added to it comes from the outboxes of the other two files, which
//! such a connection reads and never writes: two writers of one file would wait for each other.

use super::files;
use crate::error::Result;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// A connection that adds to the ledger.
pub(super) fn connect_to_add(directory: &Path) -> Result<Connection> {
    let connection = Connection::open_in_memory()?;
    for part in &files::PARTS {
        // The main file of this connection is in memory, and the records need a name of their own.
        let name = if part.schema == files::FIRST.schema { "records_file" } else { part.schema };
        connection.execute(&format!("ATTACH DATABASE $1 AS {name}"), [part.path(directory).to_string_lossy()])?;
    }
    // As on the other connections: otherwise what is read of an outbox is prepared anew for each mark.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    // Nobody waits for a commit here but who has this file to itself: it checkpoints by itself. Some seconds of many looks
    // change pages all over the index of subjects, and the next seconds the same ones: so there is room for them in memory,
    // and they are copied to their places now and then instead of each time. Pages that there is no room for would be
    // written in the middle of a transaction, and all behind them once more.
    connection.execute_batch(
        "PRAGMA ledger.synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA ledger.cache_size = -64000;
         PRAGMA records_file.cache_size = -200; PRAGMA sessions_file.cache_size = -200; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

/// A connection that reads one file of the ledger.
pub(super) fn connect_to_read(file: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(":memory:", flags)?;
    connection.execute("ATTACH DATABASE $1 AS ledger", [file.to_string_lossy()])?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY")?;
    Ok(connection)
}

/// How far the outboxes have been added: the last row of the records' and of the sessions'.
pub(super) fn marks(adding: &Connection) -> Result<[i64; 2]> {
    let mut marks = adding.prepare("SELECT records_mark, sessions_mark FROM ledger.head")?;
    let mut rows = marks.query([])?;
    match rows.next()? {
        Some(row) => Ok([row.get(0)?, row.get(1)?]),
        None => Ok([0, 0]),
    }
}
