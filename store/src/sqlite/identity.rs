//! One id in all files of a data directory. A part that is missing, empty or another store's is refused; it is never
//! made anew beside parts that are there.
//!
//! The first file has the id among its settings, where a move finds it, and names the other files that have it. Those
//! have it among their migrations.

use super::files::{FIRST, PARTS, StoreFile, open_or_make, others};
use super::log_header::is_of_another;
use super::migrations::names;
use crate::error::{Error, Result};
use crate::sql::marks;
use crate::sql::migration::TABLE;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The setting that holds the store's id.
pub(crate) const SETTING: &str = "store-id";

const FIND: &str = "SELECT value FROM settings WHERE name = $1";
const DRAW: &str = "INSERT INTO settings (name, value) VALUES ($1, lower(hex(randomblob(16)))) ON CONFLICT DO NOTHING";
const MARK: &str = "INSERT INTO migrations (name) VALUES ($1) ON CONFLICT DO NOTHING";
const MARK_FIRST: &str = "INSERT INTO main.migrations (name) VALUES ($1) ON CONFLICT DO NOTHING";
const UNMARK: &str = "DELETE FROM migrations WHERE name = $1";

/// What there is of a file.
enum FileState {
    Missing,
    Empty,
    Used { names: Vec<String>, id: Option<String> },
}

/// Refuses a directory that lost a part. An empty one is begun: a crash at any later moment is told from a loss.
pub(super) fn check(directory: &Path) -> Result<()> {
    let first = state(directory, FIRST)?;
    // What a move left half done is refused as that, and may hold anything.
    if let FileState::Used { names, .. } = &first
        && marks::is_unfinished(names)
    {
        return Ok(());
    }
    let rest: Vec<(&StoreFile, FileState)> =
        others().map(|part| Ok((part, state(directory, part)?))).collect::<Result<_>>()?;
    let (names, id) = match first {
        FileState::Used { names, id } => (names, id),
        FileState::Missing if rest.iter().all(|(_, state)| matches!(state, FileState::Missing)) => {
            return begin(directory);
        }
        FileState::Missing => return Err(missing(directory, FIRST)),
        FileState::Empty => return Err(empty(directory, FIRST)),
    };
    let has = |mark: &str| names.iter().any(|name| name == mark);
    for (part, state) in rest {
        let is_known = has(&marks::part(part.file));
        let may_be_new = !is_known && (has(marks::BEGUN) || !part.from_the_first);
        match state {
            FileState::Missing | FileState::Empty if may_be_new => {}
            FileState::Missing => return Err(missing(directory, part)),
            FileState::Empty => return Err(empty(directory, part)),
            FileState::Used { id: None, .. } if !is_known => {}
            FileState::Used { id: theirs, .. } if theirs.is_some() && theirs == id => {}
            FileState::Used { .. } => return Err(another(directory, part)),
        }
    }
    Ok(())
}

/// Makes the first file of a new directory, aside and then in one step, so that it is never there without its mark.
fn begin(directory: &Path) -> Result<()> {
    let io = |error| Error::Io(format!("making {}", FIRST.path(directory).display()), error);
    let aside = directory.join(format!("{}.new", FIRST.file));
    if aside.exists() {
        std::fs::remove_file(&aside).map_err(io)?;
    }
    let first = open_or_make(&aside)?;
    first.pragma_update(None, "page_size", FIRST.page_bytes)?;
    first.execute_batch(&format!("PRAGMA synchronous = FULL; BEGIN; {TABLE};"))?;
    first.execute(MARK, [marks::BEGUN])?;
    first.execute_batch("COMMIT")?;
    drop(first);
    std::fs::rename(&aside, FIRST.path(directory)).map_err(io)?;
    std::fs::File::open(directory).and_then(|directory| directory.sync_all()).map_err(io)
}

/// Gives the files the store's id that do not have it yet. May be repeated from wherever a crash left it.
pub(super) fn give(directory: &Path) -> Result<()> {
    let first = open(&FIRST.path(directory))?;
    let known = names(&first)?;
    let is_known = |part: &StoreFile| known.contains(&marks::part(part.file));
    let is_begun = known.iter().any(|name| name == marks::BEGUN);
    if others().all(is_known) && !is_begun {
        return Ok(());
    }
    first.execute(DRAW, [SETTING])?;
    let id: String = first.query_row(FIND, [SETTING], |row| row.get(0))?;
    for part in others().filter(|part| !is_known(part)) {
        open(&part.path(directory))?.execute(MARK, [marks::store(&id)])?;
    }
    first.execute_batch("BEGIN")?;
    for part in others() {
        first.execute(MARK, [marks::part(part.file)])?;
    }
    first.execute(UNMARK, [marks::BEGUN])?;
    Ok(first.execute_batch("COMMIT")?)
}

/// Gives all files the id that came with the settings of a moved store, whatever id they had, by a connection to all of
/// them. The files have it by themselves, without their logs, before the move is said to be over.
pub(super) fn give_to_all(connection: &Connection) -> Result<()> {
    connection.execute(DRAW, [SETTING])?;
    let id: String = connection.query_row(FIND, [SETTING], |row| row.get(0))?;
    for StoreFile { schema, file, .. } in others() {
        connection.execute(&format!("DELETE FROM {schema}.migrations WHERE name LIKE 'store/id %'"), [])?;
        connection.execute(&format!("INSERT INTO {schema}.migrations (name) VALUES ($1)"), [marks::store(&id)])?;
        connection.execute(MARK_FIRST, [marks::part(file)])?;
    }
    for StoreFile { schema, .. } in &PARTS {
        connection.query_row(&format!("PRAGMA {schema}.wal_checkpoint(TRUNCATE)"), [], |_| Ok(()))?;
    }
    Ok(())
}

fn open(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    Ok(connection)
}

/// Looks at a file without changing it: a log beside it stays where it is.
fn state(directory: &Path, part: &StoreFile) -> Result<FileState> {
    let path = part.path(directory);
    let length = std::fs::metadata(&path).map(|file| file.len()).ok();
    if length.is_none() && part.log(directory).exists() {
        return Err(missing(directory, part));
    }
    match length {
        None => return Ok(FileState::Missing),
        Some(0) => return Ok(FileState::Empty),
        Some(_) if is_of_another(&path, &part.log(directory))? => return Err(left_log(directory, part)),
        Some(_) => {}
    }
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let (names, id) = match content(&connection, part) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(FileState::Empty),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            return Err(Error::Setup(format!("{} is no SQLite file any more; {RESTORE}", path.display())));
        }
        Err(error) => return Err(error.into()),
    };
    let unlogged = id_without_log(&path, part);
    if unlogged.is_some() && unlogged != id && !marks::is_unfinished(&names) {
        return Err(left_log(directory, part));
    }
    Ok(FileState::Used { names, id })
}

/// What was done to a file, and its store's id; nothing, where it has no table.
fn content(file: &Connection, part: &StoreFile) -> rusqlite::Result<Option<(Vec<String>, Option<String>)>> {
    if file.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(None);
    }
    let names = if file.table_exists(None, "migrations")? { names(file)? } else { Vec::new() };
    let id = if part.file == FIRST.file && file.table_exists(None, "settings")? {
        file.query_row(FIND, [SETTING], |row| row.get(0)).optional()?
    } else {
        marks::store_id(&names).map(String::from)
    };
    Ok(Some((names, id)))
}

/// The id that a file has by itself, where it can be read without its log: after a crash perhaps it cannot.
fn id_without_log(path: &Path, part: &StoreFile) -> Option<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let name = percent_encode(path.as_os_str().as_bytes(), NON_ALPHANUMERIC);
    let file = Connection::open_with_flags(format!("file:{name}?immutable=1"), flags).ok()?;
    content(&file, part).ok()??.1
}

const RESTORE: &str = "put back the file that belongs there, or restore all files of the directory from one backup";

fn missing(directory: &Path, part: &StoreFile) -> Error {
    let words = "a part of the store is missing, and is not made anew beside the others";
    Error::Setup(format!("{words}: {} is not there; {RESTORE}", part.path(directory).display()))
}

fn empty(directory: &Path, part: &StoreFile) -> Error {
    let words = "a part of the store is empty, and is not filled anew beside the others";
    Error::Setup(format!("{words}: {} holds nothing; {RESTORE}", part.path(directory).display()))
}

fn another(directory: &Path, part: &StoreFile) -> Error {
    let words = "a part of the store belongs to another store";
    let first = FIRST.path(directory);
    Error::Setup(format!(
        "{words}: {} is not of the same as {}; {RESTORE}",
        part.path(directory).display(),
        first.display()
    ))
}

fn left_log(directory: &Path, part: &StoreFile) -> Error {
    let (file, log) = (part.path(directory), part.log(directory));
    let words = "a log was left beside a file that it does not belong to";
    Error::Setup(format!(
        "{words}: {} is not of {}, which was put there since. If that file is the one to use, move the log away; otherwise \
         put back the file that the log belongs to",
        log.display(),
        file.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_have_names_of_their_own() {
        let names: std::collections::BTreeSet<_> = PARTS.iter().flat_map(|part| [part.file, part.schema]).collect();
        assert_eq!(names.len(), 2 * PARTS.len());
    }
}
