//! The embedded engine: two SQLite files in one directory, readers used in place, one writer.
//!
//! Sessions change all the time and records rarely. In one file every commit would make every reader look at the file
//! anew; in two, a read of a record is as fast beside a thousand refreshes as alone. Each connection sees both files,
//! so SQL need not know.

use crate::checkpoint::Checkpointer;
use crate::db::{Arg, BoxFuture, Row, Tx};
use crate::error::{Error, Result};
use crate::job::TakenBack;
use crate::migrate::{self, Marks};
use crate::remembered::Remembered;
use crate::sqlite_tx;
use crate::writer::Writer;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::JoinHandle;

/// The two files of a data directory.
pub const RECORDS_FILE: &str = "records.sqlite";
pub const SESSIONS_FILE: &str = "sessions.sqlite";
const LOCK_FILE: &str = "lock";

/// Readers are used in place, for microseconds; more than a few would only spread the page cache.
const READERS: usize = 8;

/// An open data directory. Holds the directory's lock: one process at a time.
#[derive(Debug)]
pub struct Sqlite {
    directory: PathBuf,
    readers: Vec<Mutex<Connection>>,
    writer: Option<Writer>,
    writer_thread: Option<JoinHandle<()>>,
    checkpoint_thread: Option<JoinHandle<[Connection; 2]>>,
    pub(crate) remembered: Arc<Remembered>,
    _lock: File,
}

impl Sqlite {
    /// Opens (or makes) the directory and brings its schema up to date.
    pub fn open(directory: &Path) -> Result<Self> {
        std::fs::create_dir_all(directory)
            .map_err(|error| Error::Io(format!("making the data directory {}", directory.display()), error))?;
        restrict(directory)?;
        let lock = lock(directory)?;
        migrate::sqlite(directory, Marks::Refused)?;
        let remembered = Arc::new(Remembered::default());
        let mut connection = connect(directory, true)?;
        let checkpointer = Checkpointer::new(directory, &mut connection)?;
        let (writer, writer_thread) = Writer::start(connection, remembered.clone())?;
        let checkpoint_thread = checkpointer.start(&writer)?;
        let readers = (0..READERS).map(|_| Ok(Mutex::new(connect(directory, false)?))).collect::<Result<_>>()?;
        Ok(Self {
            directory: directory.to_path_buf(),
            readers,
            writer: Some(writer),
            writer_thread: Some(writer_thread),
            checkpoint_thread: Some(checkpoint_thread),
            remembered,
            _lock: lock,
        })
    }

    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn read<T>(
        &self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        for reader in &self.readers {
            match reader.try_lock() {
                Ok(connection) => return sqlite_tx::query(&connection, sql, args, map),
                Err(TryLockError::Poisoned(poisoned)) => {
                    return sqlite_tx::query(&poisoned.into_inner(), sql, args, map);
                }
                Err(TryLockError::WouldBlock) => {}
            }
        }
        let first = self.readers.first().ok_or_else(|| Error::Impossible("no readers".into()))?;
        sqlite_tx::query(&first.lock().unwrap_or_else(PoisonError::into_inner), sql, args, map)
    }

    pub(crate) fn write<T, F>(
        &self,
        taken_back: TakenBack,
        job: F,
    ) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let written = self.writer().map(|writer| writer.write(taken_back, job));
        async move { written?.await }
    }

    pub(crate) fn writer(&self) -> Result<&Writer> {
        self.writer.as_ref().ok_or_else(|| Error::Unavailable("the store is closing".into()))
    }
}

impl Drop for Sqlite {
    /// Lets the writer finish its queue, so that what was accepted is on disk when the lock is given up. The readers
    /// go first: the last connection to close moves the logs into the files, and one that only reads could not.
    fn drop(&mut self) {
        self.readers.clear();
        self.writer = None;
        if let Some(writer) = self.writer_thread.take() {
            let _panicked = writer.join();
        }
        // The writer's connection is closed; these are the last.
        if let Some(checkpoints) = self.checkpoint_thread.take() {
            drop(checkpoints.join());
        }
    }
}

/// A connection to both files. Durability is SQLite's fullest: WAL with a sync at every commit.
pub(crate) fn connect(directory: &Path, writes: bool) -> Result<Connection> {
    let access = if writes { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let connection =
        Connection::open_with_flags(directory.join(RECORDS_FILE), access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    let sessions = directory.join(SESSIONS_FILE);
    connection.execute("ATTACH DATABASE $1 AS sessions_file", [sessions.to_string_lossy()])?;
    connection.set_prepared_statement_cache_capacity(256);
    // A plan must not depend on the arguments: otherwise SQLite prepares a join anew for each set of them, which costs
    // several times the read itself.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.execute_batch(
        "PRAGMA foreign_keys = ON; PRAGMA mmap_size = 268435456; PRAGMA sessions_file.mmap_size = 268435456;
         PRAGMA synchronous = FULL; PRAGMA sessions_file.synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
         PRAGMA cache_size = -2000; PRAGMA sessions_file.cache_size = -2000; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

/// Takes the directory's lock, or says who must stop first.
pub(crate) fn lock(directory: &Path) -> Result<File> {
    let path = directory.join(LOCK_FILE);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| Error::Io(format!("opening {}", path.display()), error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(Error::InUse(format!("{} is in use by another recordgate process", directory.display())))
        }
        Err(std::fs::TryLockError::Error(error)) => Err(Error::Io(format!("locking {}", path.display()), error)),
    }
}

/// Health records are nobody else's business on this machine.
pub(crate) fn restrict(directory: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700))
        .map_err(|error| Error::Io(format!("restricting {}", directory.display()), error))
}
