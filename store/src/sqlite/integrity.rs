//! What SQLite itself finds wrong with a file of a store.

use crate::error::Result;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;

/// Most faults that are told of one file: the first says what the hundredth does.
const MOST: usize = 100;

/// What is wrong with a file, in SQLite's words; nothing, if it is whole. Trouble is an error, such as a file that cannot
/// be read; a file that is no database is a fault.
pub(crate) fn faults(file: &Path) -> Result<Vec<String>> {
    match look(file) {
        Ok(faults) => Ok(faults),
        Err(error) if is_damage(&error) => Ok(vec![error.to_string()]),
        Err(error) => Err(error.into()),
    }
}

fn look(file: &Path) -> rusqlite::Result<Vec<String>> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let mut faults = Vec::new();
    let mut check = connection.prepare(&format!("PRAGMA integrity_check({MOST})"))?;
    let mut lines = check.query([])?;
    while let Some(line) = lines.next()? {
        faults.push(line.get::<_, String>(0)?);
    }
    faults.retain(|line| line != "ok");
    let mut check = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()?
        && faults.len() < MOST
    {
        let (table, number, parent): (String, Option<i64>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let number = number.map_or_else(|| "without number".into(), |number| number.to_string());
        faults.push(format!("row {number} of {table} refers to a row of {parent} that is not there"));
    }
    Ok(faults)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}
