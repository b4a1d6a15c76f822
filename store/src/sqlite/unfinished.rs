//! A backup until it is whole: a directory with a name and a mark that nobody opens, so that what a killed or failed backup
//! leaves behind is never taken for a store.

use crate::error::{Error, Result};
use crate::private_files;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the name of an unfinished backup ends with.
const ENDING: &str = ".unfinished-backup";
/// A file in it, locked by whoever makes it: should somebody give the directory another name, it is still refused.
const MARK: &str = "unfinished-backup";

/// A directory that is to become a backup.
#[derive(Debug)]
pub(super) struct UnfinishedBackup {
    path: PathBuf,
    target: PathBuf,
    _lock: File,
}

impl UnfinishedBackup {
    /// Makes the directory, beside where the backup will be. What earlier backups left unfinished there is removed.
    pub(super) fn begin(target: &Path) -> Result<Self> {
        let name = target.file_name().and_then(|name| name.to_str());
        let (Some(parent), Some(name)) = (target.parent(), name) else {
            return Err(Error::Setup(format!("{} is no name for a new directory", target.display())));
        };
        let io = |error| Error::Io(format!("making {}", target.display()), error);
        std::fs::create_dir_all(parent).map_err(io)?;
        remove_leftovers(parent).map_err(io)?;
        let path = parent.join(format!("{name}{ENDING}"));
        match private_files::new_directory(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(Error::InUse(format!(
                    "{} is being made by another backup, or holds files that no backup made; wait for it, or remove it",
                    path.display()
                )));
            }
            made => made.map_err(io)?,
        }
        let mark =
            private_files::options().create_new(true).read(true).write(true).open(path.join(MARK)).map_err(io)?;
        mark.try_lock().map_err(|_| Error::InUse(format!("{} is being made by another backup", path.display())))?;
        sync(&path).map_err(io)?;
        Ok(Self { path, target: target.to_path_buf(), _lock: mark })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the directory its name, in one step: from then on it is a backup, and whole.
    pub(super) fn finish(self) -> Result<()> {
        let io = |error| Error::Io(format!("putting {} in its place", self.target.display()), error);
        std::fs::remove_file(self.path.join(MARK)).map_err(io)?;
        sync(&self.path).map_err(io)?;
        std::fs::rename(&self.path, &self.target).map_err(io)?;
        self.target.parent().map_or(Ok(()), sync).map_err(io)
    }

    /// Removes what there is of it. What cannot be removed now, the next backup removes.
    pub(super) fn discard(self) {
        let _left_for_the_next = remove(&self.path);
    }
}

/// Refuses a directory that is an unfinished backup, by whatever name.
pub(crate) fn refuse(directory: &Path) -> Result<()> {
    let named = std::fs::canonicalize(directory).is_ok_and(|path| is_named(&path));
    if named || is_named(directory) || directory.join(MARK).exists() {
        return Err(Error::Setup(format!(
            "{} is what a backup left behind that did not finish: it is not whole and cannot be used. Use an earlier \
             backup; the next one that is made beside it removes it",
            directory.display()
        )));
    }
    Ok(())
}

fn is_named(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(ENDING))
}

/// Removes the unfinished backups in a directory that nobody is making any more.
fn remove_leftovers(parent: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(parent)? {
        let path = entry?.path();
        if !is_named(&path) || !path.is_dir() {
            continue;
        }
        let mark = File::open(path.join(MARK));
        if mark.as_ref().is_ok_and(|mark| mark.try_lock().is_err()) {
            continue;
        }
        // One that holds what is not ours stays, and is named when it is in the way.
        let _holds_more = remove(&path);
    }
    Ok(())
}

/// Removes what a backup makes, and nothing else; the mark goes last.
fn remove(path: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.contains(".sqlite")) {
            std::fs::remove_file(entry.path())?;
        }
    }
    match std::fs::remove_file(path.join(MARK)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::remove_dir(path)
}

/// Has the names in a directory on disk.
fn sync(directory: &Path) -> std::io::Result<()> {
    File::open(directory)?.sync_all()
}
