//! Whether a data directory can be written to: its files are there, the last commit succeeded, there is space.

use super::files::PARTS;
use super::presence::Presence;
use super::writer::WeakWriter;
use crate::error::{Error, Result};
use crate::obstacle::Obstacle;
use crate::sql::last_commit::LastCommit;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Under load the files are looked at as often as this before a commit, otherwise before every one.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
const MIB: u64 = 1024 * 1024;

#[derive(Debug)]
pub(super) struct FileCondition {
    directory: PathBuf,
    presence: Presence,
    last: LastCommit,
    least_free: AtomicU64,
    is_narrow: AtomicBool,
    writer: OnceLock<WeakWriter>,
}

impl FileCondition {
    /// Begins to watch the directory that `connection` writes to: one write to each file shows that it can be written to,
    /// and makes the logs. From then on no commit goes into a file that is known to be gone.
    pub(super) fn of(directory: &Path, connection: &mut Connection) -> Result<Arc<Self>> {
        write_to_each(connection)?;
        let condition = Arc::new(Self::with(directory, Presence::of(directory)?));
        let (hooked, mut looked_at) = (condition.clone(), Instant::now());
        let refuses = move || {
            if looked_at.elapsed() >= BETWEEN_LOOKS {
                looked_at = Instant::now();
                hooked.presence.look();
            }
            hooked.presence.is_gone()
        };
        connection.commit_hook(Some(refuses))?;
        Ok(condition)
    }

    /// Of a directory that is only looked at.
    pub(super) fn of_no_writer(directory: &Path) -> Arc<Self> {
        Arc::new(Self::with(directory, Presence::default()))
    }

    fn with(directory: &Path, presence: Presence) -> Self {
        Self {
            directory: directory.to_path_buf(),
            presence,
            last: LastCommit::default(),
            least_free: AtomicU64::new(0),
            is_narrow: AtomicBool::new(false),
            writer: OnceLock::new(),
        }
    }

    /// Is told whom to send probes to.
    pub(super) fn tell(&self, writer: WeakWriter) {
        let _told_once = self.writer.set(writer);
    }

    /// Refuses a write that could not be kept.
    pub(super) fn door(self: &Arc<Self>) -> Result<()> {
        if self.presence.is_gone() {
            return self.gone().map_or(Ok(()), |gone| Err(Error::NotReady(gone)));
        }
        let Some(failed) = self.last.obstacle() else { return Ok(()) };
        self.probe();
        Err(Error::NotReady(failed))
    }

    fn gone(&self) -> Option<Obstacle> {
        self.presence.look().map(Obstacle::FilesGone)
    }

    pub(super) fn look(&self) -> Option<Obstacle> {
        self.gone().or_else(|| self.last.obstacle()).or_else(|| self.narrowness())
    }

    /// Refuses what would be new, where the last look found too little space.
    pub(super) fn room(&self) -> Result<()> {
        if !self.is_narrow.load(Ordering::Acquire) {
            return Ok(());
        }
        self.narrowness().map_or(Ok(()), |narrow| Err(Error::NotReady(narrow)))
    }

    pub(super) fn keep_free(&self, bytes: u64) {
        self.least_free.store(bytes, Ordering::Relaxed);
    }

    /// A floor, and no file that is deleted when the disk is full: the space of such a file would be anybody's.
    fn narrowness(&self) -> Option<Obstacle> {
        let least = self.least_free.load(Ordering::Relaxed);
        let disk = rustix::fs::statvfs(&self.directory).ok()?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        self.is_narrow.store(free < least, Ordering::Release);
        (free < least).then_some(Obstacle::NoSpace { free_mib: free / MIB, least_mib: least.div_ceil(MIB) })
    }

    /// Hears what became of a write, and finds out more if the disk may be at fault.
    pub(super) fn hear<T>(self: &Arc<Self>, outcome: &Result<T>) {
        self.last.note(outcome);
        if outcome.is_err() {
            self.probe();
        }
    }

    /// Has the writer try a write between two transactions, if one is due.
    pub(super) fn probe(self: &Arc<Self>) {
        if !self.last.takes_turn() {
            return;
        }
        let Some(writer) = self.writer.get().and_then(WeakWriter::upgrade) else { return };
        let condition = self.clone();
        // Nothing is sent to a writer that has ended, and nobody waits for this one.
        let _ended = writer.between(move |connection| condition.last.settle(write_to_each(connection)));
    }
}

/// Writes a number that nobody reads to the head of each file.
fn write_to_each(connection: &Connection) -> Result<()> {
    let write = || {
        connection.execute_batch("BEGIN")?;
        for part in &PARTS {
            connection.pragma_update(Some(part.schema), "user_version", 1)?;
        }
        connection.execute_batch("COMMIT")
    };
    write().inspect_err(|_| {
        let _already_over = connection.execute_batch("ROLLBACK");
    })?;
    Ok(())
}
