//! The lock of a data directory: one process at a time.

use crate::error::{Error, Result};
use crate::private_files;
use std::fs::{File, TryLockError};
use std::path::Path;

/// What releases locked that did not lock the directory itself.
const FILE: &str = "lock";

/// Held until it is dropped. The directory itself is locked: a file in it could be deleted, and the next process would
/// lock another of the same name. That file is locked too, for the sake of releases that know nothing else.
#[derive(Debug)]
pub(super) struct DirectoryLock {
    _directory: File,
    _file: File,
}

impl DirectoryLock {
    /// Takes the lock, or says who must stop first.
    pub(super) fn take(directory: &Path) -> Result<Self> {
        let opening = |error| Error::Io(format!("opening {}", directory.display()), error);
        let whole = File::open(directory).map_err(opening)?;
        lock(&whole, directory)?;
        let file = private_files::options().create(true).truncate(false).write(true).open(directory.join(FILE));
        let file = file.map_err(opening)?;
        lock(&file, directory)?;
        Ok(Self { _directory: whole, _file: file })
    }
}

fn lock(file: &File, directory: &Path) -> Result<()> {
    file.try_lock().map_err(|refused| match refused {
        TryLockError::WouldBlock => {
            Error::InUse(format!("{} is in use by another recordgate process", directory.display()))
        }
        TryLockError::Error(error) => Error::Io(format!("locking {}", directory.display()), error),
    })
}
