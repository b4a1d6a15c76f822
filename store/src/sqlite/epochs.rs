//! Epochs: each file counts the groups of writes that changed it, and has beside that how far the others had counted when it was
//! written last. So a file of an older copy, or one whose log is gone, is told from the others: it has counted less than they know.

use super::connection::prepared;
use super::files::{FIRST, PARTS, StoreFile};
use crate::error::{Error, Result};
use crate::sql::arg::args;
use crate::sql::statement::Statement;
use rusqlite::{Connection, OpenFlags, TransactionState};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// What a file is called in the table that each of them has. Made here and by no migration: another engine has one place only.
const NAMES: [&str; PARTS.len()] = ["records", "sessions", "ledger"];
const TABLE: &str = "CREATE TABLE IF NOT EXISTS epochs (file TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID";
const FIND: &str = "SELECT epoch FROM epochs WHERE file = $1";
const PUT: &str =
    "INSERT INTO epochs (file, epoch) VALUES ($1, $2) ON CONFLICT (file) DO UPDATE SET epoch = excluded.epoch";

/// How far the files have counted, as the writers of them know together; what is counted was committed.
#[derive(Debug, Default)]
struct CommitCounts([AtomicI64; PARTS.len()]);

/// A file as a connection of a writer calls it.
#[derive(Debug)]
struct WrittenFile {
    /// Its place among the files.
    at: usize,
    schema: &'static str,
    note: String,
}

/// The epochs of the files that one connection writes.
#[derive(Debug, Default)]
pub(super) struct Epochs {
    counted: Arc<CommitCounts>,
    files: Vec<WrittenFile>,
    /// Those that the transaction under way changes.
    changed: Vec<usize>,
}

impl Epochs {
    /// Those of a directory whose files have their tables, for the connection to all of them, and for the one that adds to the ledger.
    pub(super) fn of(directory: &Path) -> Result<(Self, Self)> {
        let counted = CommitCounts::default();
        for (part, (epoch, name)) in PARTS.iter().zip(counted.0.iter().zip(NAMES)) {
            epoch.store(found(&look_at(&part.path(directory))?, name)?, Ordering::Release);
        }
        let counted = Arc::new(counted);
        let (ledger, others): (Vec<WrittenFile>, Vec<WrittenFile>) =
            PARTS.iter().enumerate().map(written).partition(|file| file.schema == super::files::LEDGER.schema);
        let of = |files| Self { counted: counted.clone(), files, changed: Vec::new() };
        Ok((of(others), of(ledger)))
    }

    /// Has each file that the transaction under way changes count it.
    pub(super) fn note(&mut self, connection: &Connection) -> Result<()> {
        self.changed.clear();
        for file in &self.files {
            if connection.transaction_state(Some(file.schema))? != TransactionState::Write {
                continue;
            }
            let [records, sessions, ledger] =
                std::array::from_fn(|at| self.counted.epoch(at) + i64::from(at == file.at));
            let statement = Statement::new("store::sqlite::epochs::NOTE", &file.note);
            prepared(connection, statement, args![records, sessions, ledger])?.raw_execute()?;
            self.changed.push(file.at);
        }
        Ok(())
    }

    /// The transaction was committed.
    pub(super) fn committed(&mut self) {
        for at in self.changed.drain(..) {
            if let Some(epoch) = self.counted.0.get(at) {
                epoch.fetch_add(1, Ordering::AcqRel);
            }
        }
    }
}

impl CommitCounts {
    fn epoch(&self, at: usize) -> i64 {
        self.0.get(at).map_or(0, |epoch| epoch.load(Ordering::Acquire))
    }
}

fn written((at, part): (usize, &'static StoreFile)) -> WrittenFile {
    let [records, sessions, ledger] = NAMES;
    let note = format!(
        "INSERT INTO {}.epochs (file, epoch) VALUES ('{records}', $1), ('{sessions}', $2), ('{ledger}', $3)
            ON CONFLICT (file) DO UPDATE SET epoch = excluded.epoch",
        part.schema
    );
    WrittenFile { at, schema: part.schema, note }
}

/// Gives each file the table that has none: one of a release before.
pub(super) fn make(directory: &Path) -> Result<()> {
    for part in &PARTS {
        let file = Connection::open_with_flags(part.path(directory), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if !file.table_exists(None, "epochs")? {
            file.execute_batch(&format!("PRAGMA synchronous = FULL; {TABLE}"))?;
        }
    }
    Ok(())
}

/// Refuses files that are not of one moment.
pub(super) fn check(directory: &Path) -> Result<()> {
    match behind(directory)?.first() {
        None => Ok(()),
        Some((part, why)) => Err(Error::Setup(format!(
            "a part of the store is older than the others: {}: {why}; restore all files of the directory from one backup, or go on \
             knowingly with `recordgate accept-files`",
            part.path(directory).display()
        ))),
    }
}

/// The files that have counted less than another knows of them, and why that is so. What a file knows is read before what the others
/// have counted, which only grows: so it may be asked beside a service at work.
fn behind(directory: &Path) -> Result<Vec<(&'static StoreFile, String)>> {
    let mut known = Vec::new();
    for knowing in PARTS.iter().filter(|part| part.path(directory).exists()) {
        let file = look_at(&knowing.path(directory))?;
        for (part, name) in PARTS.iter().zip(NAMES).filter(|(part, _)| part.file != knowing.file) {
            known.push((knowing, part, name, found(&file, name)?));
        }
    }
    let mut behind: Vec<(&'static StoreFile, String)> = Vec::new();
    for (knowing, part, name, epoch) in known.into_iter().filter(|(_, part, ..)| part.path(directory).exists()) {
        let own = found(&look_at(&part.path(directory))?, name)?;
        if own < epoch && behind.iter().all(|(told, _)| told.file != part.file) {
            let why = format!(
                "it ends with its write {own}, and {} knows of its write {epoch}: it is of an older copy, or its log ({}-wal) is gone",
                knowing.file, part.file
            );
            behind.push((part, why));
        }
    }
    Ok(behind)
}

/// The same in words, for whoever checks a store: the name of each such file, and why.
pub(crate) fn older_parts(directory: &Path) -> Result<Vec<(&'static str, String)>> {
    Ok(behind(directory)?.into_iter().map(|(part, why)| (part.file, why)).collect())
}

/// Takes files as they are that are not of one moment: from now on each is as far as it has counted. Gives those that were behind.
pub(crate) fn accept(directory: &Path) -> Result<Vec<(&'static str, String)>> {
    if !FIRST.path(directory).exists() {
        return Err(Error::Setup(format!("there is no data in sqlite:{}", directory.display())));
    }
    let _lock = super::lock::DirectoryLock::take(directory)?;
    let accepted = older_parts(directory)?;
    let mut counted = Vec::new();
    for (part, name) in PARTS.iter().zip(NAMES) {
        counted.push((name, found(&look_at(&part.path(directory))?, name)?));
    }
    for part in PARTS.iter().filter(|_| !accepted.is_empty()) {
        let mut file = Connection::open_with_flags(part.path(directory), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        file.execute_batch(&format!("PRAGMA synchronous = FULL; {TABLE}"))?;
        let transaction = file.transaction()?;
        for (name, epoch) in &counted {
            transaction.execute(PUT, (name, epoch))?;
        }
        transaction.commit()?;
    }
    Ok(accepted)
}

/// A connection that looks at a file, and leaves a log beside it where it is.
fn look_at(path: &Path) -> Result<Connection> {
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    file.busy_timeout(std::time::Duration::from_secs(5))?;
    Ok(file)
}

/// How far a file has counted, or knows that another has; 0 where it does not say, as those of releases before.
fn found(file: &Connection, name: &str) -> Result<i64> {
    if !file.table_exists(None, "epochs")? {
        return Ok(0);
    }
    let mut find = file.prepare(FIND)?;
    let mut rows = find.query([name])?;
    Ok(match rows.next()? {
        Some(row) => row.get(0)?,
        None => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_have_a_name_each_in_the_order_of_the_files() {
        for (part, name) in PARTS.iter().zip(NAMES) {
            assert_eq!(part.file, format!("{name}.sqlite"));
        }
    }
}
