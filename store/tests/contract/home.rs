//! Where a test's store is: a directory with its two files.

use std::path::{Path, PathBuf};
use store::Place;
use tempfile::TempDir;

/// Gone with the test, or somebody else's to remove.
pub enum Home {
    Own(TempDir),
    Given(PathBuf),
}

impl Home {
    pub fn new() -> Self {
        Self::Own(tempfile::tempdir().expect("a directory for the store"))
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Own(directory) => directory.path(),
            Self::Given(directory) => directory,
        }
    }

    pub fn place(&self) -> Place {
        place(self.path())
    }

    /// The first column of the first row, asked of the two files behind the store's back.
    pub fn count(&self, sql: &str) -> i64 {
        count(self.path(), sql)
    }

    /// Changes something behind the store's back.
    pub fn run(&self, sql: &str) {
        beside(self.path()).execute_batch(sql).expect("a change");
    }

    /// Every column of the first row.
    pub fn row(&self, sql: &str) -> String {
        let connection = beside(self.path());
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let row = statement.query_row([], |row| {
            (0..columns).map(|at| row.get::<_, rusqlite::types::Value>(at)).collect::<Result<Vec<_>, _>>()
        });
        format!("{:?}", row.expect("a row"))
    }
}

pub fn place(directory: &Path) -> Place {
    Place::Sqlite(directory.to_path_buf())
}

/// A connection of the test's own to the files of a data directory.
pub fn beside(directory: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(directory.join("records.sqlite")).expect("the records file");
    let sessions = directory.join("sessions.sqlite");
    connection.execute("ATTACH DATABASE $1 AS sessions_file", [sessions.to_str()]).expect("the sessions file");
    let ledger = directory.join("ledger.sqlite");
    connection.execute("ATTACH DATABASE $1 AS ledger", [ledger.to_str()]).expect("the ledger");
    connection
}

pub fn count(directory: &Path, sql: &str) -> i64 {
    beside(directory).query_row(sql, [], |row| row.get(0)).expect("a number")
}
