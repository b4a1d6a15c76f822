//! Files and directories that nobody but this user can read, from the moment when they are made, whatever the umask is: health
//! records are nobody else's business on this machine.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

const FILE: u32 = 0o600;
const DIRECTORY: u32 = 0o700;

/// How a file is opened that may have to be made.
pub(crate) fn options() -> OpenOptions {
    let mut options = File::options();
    options.mode(FILE);
    options
}

/// Makes an empty file for SQLite to open, unless there is one. SQLite gives the logs and the index of its logs, which it makes
/// beside it, the mode of the file itself.
pub(crate) fn make(path: &Path) -> Result<()> {
    match options().create_new(true).write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made.map(|_| ()),
    }
}

/// Makes a directory that is not there yet.
pub(crate) fn new_directory(path: &Path) -> Result<()> {
    DirBuilder::new().mode(DIRECTORY).create(path)
}

/// Makes a directory, unless there is one; what it is in is made as it is everywhere.
pub(crate) fn make_directory(path: &Path) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match new_directory(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}

/// Takes a file that is there, as an earlier release or somebody by hand has made it, from everybody else.
pub(crate) fn restrict(path: &Path) -> Result<()> {
    restrict_to(path, FILE)
}

pub(crate) fn restrict_directory(path: &Path) -> Result<()> {
    restrict_to(path, DIRECTORY)
}

/// What is not there is nobody's to read.
fn restrict_to(path: &Path, mode: u32) -> Result<()> {
    match fs::set_permissions(path, Permissions::from_mode(mode)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
