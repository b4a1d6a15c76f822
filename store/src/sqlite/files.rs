//! The files of a data directory: which there are, and that nobody else can read them.

use crate::error::{Error, Result};
use crate::private_files;
use crate::sql::migration::{Migration, Migrations};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// One file of a data directory.
#[derive(Debug)]
pub(super) struct StoreFile {
    pub(super) file: &'static str,
    /// What statements call it on a connection to all of them.
    pub(super) schema: &'static str,
    /// Of a new file. A commit writes whole pages, so a file of short rows that change one by one has small ones.
    pub(super) page_bytes: u32,
    /// Of a new file: whether it gives back the space of what was removed from it.
    pub(super) shrinks: bool,
    pub(super) migrations: fn(&Migrations) -> &'static [Migration],
    /// Whether releases made it that gave a store no id yet: it is there then, wherever the records are.
    pub(super) from_the_first: bool,
}

/// The files, the one that holds the store's id first. Sessions change all the time and records rarely. In one file every
/// commit would make every reader look at the file anew; in two, a read of a record is as fast beside a thousand
/// refreshes as alone. The ledger has a writer of its own.
pub(super) const PARTS: [StoreFile; 3] = [
    StoreFile {
        file: "records.sqlite",
        schema: "main",
        page_bytes: 4096,
        shrinks: false,
        migrations: |all| all.records,
        from_the_first: true,
    },
    StoreFile {
        file: "sessions.sqlite",
        schema: "sessions_file",
        page_bytes: 1024,
        shrinks: false,
        migrations: |all| all.sessions,
        from_the_first: true,
    },
    StoreFile {
        file: "ledger.sqlite",
        schema: "ledger",
        page_bytes: 4096,
        shrinks: true,
        migrations: |all| all.ledger,
        from_the_first: false,
    },
];

/// The file that holds the store's id.
pub(super) const FIRST: &StoreFile = &PARTS[0];

/// The file that the ledger is in.
pub(super) const LEDGER: &StoreFile = &PARTS[2];

/// All but the first.
pub(super) fn others() -> impl Iterator<Item = &'static StoreFile> {
    PARTS.iter().skip(1)
}

impl StoreFile {
    pub(super) fn path(&self, directory: &Path) -> PathBuf {
        directory.join(self.file)
    }

    /// Its write-ahead log.
    pub(super) fn log(&self, directory: &Path) -> PathBuf {
        directory.join(format!("{}-wal", self.file))
    }
}

/// The files that make a store, each by its path.
pub(crate) fn parts(directory: &Path) -> Vec<PathBuf> {
    PARTS.iter().map(|part| part.path(directory)).collect()
}

/// Whether any of them is there. A store that lost some of its files is a store, and is refused when it is opened.
pub(crate) fn is_any_there(directory: &Path) -> Result<bool> {
    for file in parts(directory) {
        let found = file.try_exists();
        if found.map_err(|error| Error::Io(format!("looking for data in {}", directory.display()), error))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes the directory, for this user alone: health records are nobody else's business on this machine.
pub(super) fn make(directory: &Path) -> Result<()> {
    private_files::make_directory(directory)
        .map_err(|error| Error::Io(format!("making the data directory {}", directory.display()), error))
}

/// Takes the directory, and what an earlier release left in it for others to read, from everybody else.
pub(super) fn restrict(directory: &Path) -> Result<()> {
    let io = |error| Error::Io(format!("restricting {}", directory.display()), error);
    private_files::restrict_directory(directory).map_err(io)?;
    for part in &PARTS {
        for name in [part.file.to_owned(), format!("{}-wal", part.file), format!("{}-shm", part.file)] {
            private_files::restrict(&directory.join(name)).map_err(io)?;
        }
    }
    Ok(())
}

/// A connection to a file that may have to be made.
pub(super) fn open_or_make(path: &Path) -> Result<Connection> {
    private_files::make(path).map_err(|error| Error::Io(format!("making {}", path.display()), error))?;
    Ok(Connection::open(path)?)
}
