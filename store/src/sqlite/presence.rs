//! Whether the files of a data directory are the ones that were opened. A process goes on writing into a file that was
//! deleted, and everything that it acknowledges is lost with it.

use super::files::PARTS;
use crate::error::{Error, Result};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The files as they were opened, and whether one of them is known to be gone.
#[derive(Debug, Default)]
pub(super) struct Presence {
    files: Vec<(PathBuf, [u64; 2])>,
    is_gone: AtomicBool,
}

impl Presence {
    /// Takes note of the files, and of the logs that commits go to first.
    pub(super) fn of(directory: &Path) -> Result<Self> {
        let paths = PARTS.iter().flat_map(|part| [part.path(directory), part.log(directory)]);
        let note = |path: PathBuf| {
            let number = number(&path).map_err(|error| Error::Io(format!("looking at {}", path.display()), error))?;
            Ok((path, number))
        };
        Ok(Self { files: paths.map(note).collect::<Result<_>>()?, is_gone: AtomicBool::new(false) })
    }

    /// Looks for the files, by their names: a file that was opened only to be looked at would give up SQLite's locks on it
    /// when it is closed. Gives the name of one that is gone.
    pub(super) fn look(&self) -> Option<String> {
        let gone = self.files.iter().find(|(path, known)| number(path).ok() != Some(*known));
        self.is_gone.store(gone.is_some(), Ordering::Release);
        gone.and_then(|(path, _)| Some(path.file_name()?.to_string_lossy().into_owned()))
    }

    /// What the last look found.
    pub(super) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }
}

/// By which the system knows the file, whatever its name.
fn number(path: &Path) -> std::io::Result<[u64; 2]> {
    std::fs::metadata(path).map(|file| [file.dev(), file.ino()])
}
