//! The files of a data directory, and its lock: one process at a time.

use crate::error::{Error, Result};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The two files of a data directory. Sessions change all the time and records rarely. In one file every commit would
/// make every reader look at the file anew; in two, a read of a record is as fast beside a thousand refreshes as alone.
pub(super) const RECORDS: &str = "records.sqlite";
pub(super) const SESSIONS: &str = "sessions.sqlite";
const LOCK: &str = "lock";

/// The files that make a store, each by its path.
pub(crate) fn parts(directory: &Path) -> [PathBuf; 2] {
    [RECORDS, SESSIONS].map(|name| directory.join(name))
}

/// Makes the directory, for this user alone: health records are nobody else's business on this machine.
pub(super) fn make(directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory)
        .map_err(|error| Error::Io(format!("making the data directory {}", directory.display()), error))
}

pub(super) fn restrict(directory: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700))
        .map_err(|error| Error::Io(format!("restricting {}", directory.display()), error))
}

/// Takes the directory's lock, or says who must stop first.
pub(super) fn lock(directory: &Path) -> Result<File> {
    let path = directory.join(LOCK);
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
