//! Checkpoints: moving committed pages from the write-ahead logs into the two files, away from the writer.
//!
//! A checkpoint inside the writer is a 20 ms hole in which nobody is answered. So a thread of its own moves the bulk
//! while the writer goes on, and only the small rest, which lets the log start over, is done between two transactions.

use crate::error::{Error, Result};
use crate::sqlite::{RECORDS_FILE, SESSIONS_FILE};
use crate::writer::Writer;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// A log this long is due: long enough to be worth a sync, short enough to stay in the page cache.
const DUE_BYTES: u64 = 4 * 1024 * 1024;
/// Commits between two looks at the logs' lengths.
const COMMITS_PER_LOOK: u32 = 16;

/// The checkpoint thread before it is started.
pub(crate) struct Checkpointer {
    files: [PathBuf; 2],
    wake: SyncSender<()>,
    woken: Receiver<()>,
}

impl Checkpointer {
    pub(crate) fn new(directory: &Path) -> Result<Self> {
        let (wake, woken) = sync_channel(1);
        Ok(Self { files: [RECORDS_FILE, SESSIONS_FILE].map(|name| directory.join(name)), wake, woken })
    }

    /// What the writer calls after each commit.
    pub(crate) fn signal(&self) -> impl Fn() + Send + 'static {
        let wake = self.wake.clone();
        let commits = std::cell::Cell::new(0);
        move || {
            commits.set(commits.get() + 1);
            if commits.get() >= COMMITS_PER_LOOK {
                commits.set(0);
                // Full means that a look is due already.
                let _due_already = wake.try_send(());
            }
        }
    }

    /// Starts the thread; it ends when the writer thread, which holds the last signal, has ended.
    pub(crate) fn start(self, writer: &Writer) -> Result<JoinHandle<()>> {
        let Self { files, wake, woken } = self;
        drop(wake);
        // Held weakly: a strong hold would keep the writer's queue open for ever.
        let writer = writer.weak();
        std::thread::Builder::new()
            .name("checkpoint".into())
            .spawn(move || {
                while woken.recv().is_ok() {
                    for file in &files {
                        if let Err(error) = checkpoint(file, &writer) {
                            tracing::error!(%error, file = %file.display(), "a checkpoint failed");
                        }
                    }
                }
            })
            .map_err(|error| Error::Io("starting the checkpoint thread".into(), error))
    }
}

fn checkpoint(file: &Path, writer: &crate::writer::WeakWriter) -> Result<()> {
    let log = PathBuf::from(format!("{}-wal", file.display()));
    if std::fs::metadata(&log).map_or(0, |about| about.len()) < DUE_BYTES {
        return Ok(());
    }
    let connection = Connection::open(file)?;
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    move_pages(&connection, "PASSIVE")?;
    let Some(writer) = writer.upgrade() else { return Ok(()) };
    let (done, finished) = sync_channel(1);
    writer.between(move |_| {
        let _gone = done.send(move_pages(&connection, "TRUNCATE"));
    })?;
    drop(writer);
    finished.recv().unwrap_or(Ok(()))
}

fn move_pages(connection: &Connection, how: &str) -> Result<()> {
    connection.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], |_| Ok(()))?;
    Ok(())
}
