//! Checkpoints: moving committed pages from the write-ahead logs into the files, away from the writer.
//!
//! A checkpoint inside the writer is a 20 ms hole in which nobody is answered. So a thread of its own moves the bulk
//! while the writer goes on, and only the small rest is moved between two transactions. Then the log starts over in
//! place, so that a commit seldom has to make a file longer. A reader that stays long (a backup) only puts that off.

use super::files::{PARTS, StoreFile};
use super::writer::{WeakWriter, Writer};
use crate::error::{Error, Result};
use rusqlite::Connection;
use rusqlite::hooks::Wal;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A log of so many pages is due, and again after as many more: enough to be worth the syncs, few enough to stay in memory.
const DUE_PAGES: i32 = 4096;
/// A log that grew longer than this beside a long reader is cut when it starts over.
const LONGEST_KEPT_BYTES: i64 = 64 * 1024 * 1024;
/// How long the writer waits for the last readers of a log to leave it. New ones need it no more: all is in the file.
const LEAVE_TIME: Duration = Duration::from_millis(25);

/// The checkpoint thread before it is started.
pub(crate) struct Checkpointer {
    files: Vec<Connection>,
    woken: Receiver<()>,
}

impl Checkpointer {
    /// Makes ready to look after the logs that `writer`'s commits make longer.
    pub(crate) fn new(directory: &Path, writer: &mut Connection) -> Result<Self> {
        let (wake, woken) = sync_channel(1);
        hear_of_due_logs(writer, wake)?;
        let open = |part: &StoreFile| -> Result<Connection> {
            let file = Connection::open(part.path(directory))?;
            file.busy_timeout(LEAVE_TIME)?;
            file.execute_batch("PRAGMA synchronous = FULL")?;
            file.pragma_update(None, "journal_size_limit", LONGEST_KEPT_BYTES)?;
            Ok(file)
        };
        Ok(Self { files: PARTS.iter().map(open).collect::<Result<_>>()?, woken })
    }

    /// Starts the thread; it ends when the writer's connection, which holds the other end, is closed. It leaves its own
    /// connections to whoever joins it: two that close at one moment each leave the logs to the other.
    pub(crate) fn start(self, writer: &Writer) -> Result<JoinHandle<Vec<Connection>>> {
        // Held weakly: a strong hold would keep the writer's queue open for ever.
        let writer = writer.weak();
        std::thread::Builder::new()
            .name("checkpoint".into())
            .spawn(move || {
                while self.woken.recv().is_ok() {
                    for file in &self.files {
                        if let Err(error) = checkpoint(file, &writer) {
                            tracing::error!(%error, file = file.path(), "a checkpoint failed");
                        }
                    }
                }
                self.files
            })
            .map_err(|error| Error::Io("starting the checkpoint thread".into(), error))
    }
}

/// Has SQLite wake the thread after each commit of `writer` that makes a log due.
fn hear_of_due_logs(writer: &mut Connection, wake: SyncSender<()>) -> Result<()> {
    for part in &PARTS {
        writer.pragma_update(Some(part.schema), "journal_size_limit", LONGEST_KEPT_BYTES)?;
    }
    let mut lengths = [0; PARTS.len()];
    let hook = move |log: &mut Wal, pages| {
        let name = log.name();
        let part = PARTS.iter().zip(&mut lengths).find(|(part, _)| name.to_bytes() == part.schema.as_bytes());
        if let Some((_, before)) = part {
            if pages / DUE_PAGES > *before / DUE_PAGES {
                // Full means that the thread is about to look anyway.
                let _woken_already = wake.try_send(());
            }
            *before = pages;
        }
        Ok(())
    };
    Ok(writer.wal_hook(Some(hook))?)
}

fn checkpoint(file: &Connection, writer: &WeakWriter) -> Result<()> {
    if pages_in_log(file, "NOOP")? < DUE_PAGES {
        return Ok(());
    }
    // The bulk, and then what was committed meanwhile.
    pages_in_log(file, "PASSIVE")?;
    pages_in_log(file, "PASSIVE")?;
    let Some(writer) = writer.upgrade() else { return Ok(()) };
    let (stop, stopped) = sync_channel(1);
    let (go_on, done) = sync_channel::<()>(1);
    writer.between(move |_| {
        let _gone = stop.send(());
        let _either_way = done.recv();
    })?;
    drop(writer);
    if stopped.recv().is_ok() {
        pages_in_log(file, "RESTART")?;
    }
    drop(go_on);
    Ok(())
}

/// Runs a checkpoint of some sort and gives the length of the log.
fn pages_in_log(file: &Connection, how: &str) -> Result<i32> {
    Ok(file.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], |row| row.get(1))?)
}
