//! Backup of a live store: all files as they were at one moment between two commits, and under the name of a backup only
//! when they are whole and on disk.

use super::connection::connect;
use super::database::Sqlite;
use super::unfinished::UnfinishedBackup;
use super::{files, integrity};
use crate::error::{Error, Result};
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::path::Path;
use std::sync::mpsc::sync_channel;

/// Pages copied at a time; between two steps the progress is told.
const PAGES: i32 = 1024;

impl Sqlite {
    /// Copies the store into `target`, which must not exist yet, and does not before the copy is whole. `progress` hears
    /// pages done and in all. Blocks; call it from a thread that may.
    pub(super) fn copy_to(&self, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        // A link that leads nowhere is there, too.
        if target.symlink_metadata().is_ok() {
            return Err(Error::Setup(format!("{} is there already; name a new directory", target.display())));
        }
        let unfinished = UnfinishedBackup::begin(target)?;
        match self.copy_into(unfinished.path(), progress) {
            Ok(()) => unfinished.finish(),
            Err(error) => {
                unfinished.discard();
                Err(Error::Setup(format!("no backup was made in {}: {error}", target.display())))
            }
        }
    }

    fn copy_into(&self, directory: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        let io = |error| Error::Io(format!("writing {}", directory.display()), error);
        let source = snapshot(self)?;
        for part in &files::PARTS {
            let mut copy = files::open_or_make(&part.path(directory))?;
            {
                let backup = Backup::new_with_names(&source, part.schema, &mut copy, "main")?;
                while backup.step(PAGES)? != StepResult::Done {
                    let at = backup.progress();
                    let all = u64::try_from(at.pagecount).unwrap_or(0);
                    progress(all.saturating_sub(u64::try_from(at.remaining).unwrap_or(0)), all);
                }
            }
            // The copy must stand by itself and be on disk before anyone is told that there is a backup.
            copy.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;")?;
            drop(copy);
            let file = part.path(directory);
            std::fs::File::open(&file).and_then(|file| file.sync_all()).map_err(io)?;
            if let Some(fault) = integrity::faults(&file)?.first() {
                return Err(Error::Damaged(format!("the copy of {} ({fault})", part.file)));
            }
        }
        Ok(())
    }
}

/// A connection that holds a read transaction on all files, begun between two commits: so all show one moment. What is
/// already in the ledger may still be in its outbox; where the ledger ends is written in it, and nothing is added twice.
fn snapshot(live: &Sqlite) -> Result<Connection> {
    let source = connect(live.directory(), false)?;
    let (done, begun) = sync_channel(1);
    live.writer()?.between(move |_| {
        let look = |part: &files::StoreFile| format!("SELECT 1 FROM {}.migrations LIMIT 1;", part.schema);
        let looks: String = files::PARTS.iter().map(look).collect();
        let held = source.execute_batch(&format!("BEGIN; {looks}")).map(|()| source);
        let _gone = done.send(held);
    })?;
    Ok(begun.recv().map_err(|_| Error::Unavailable("the writer thread has ended".into()))??)
}
