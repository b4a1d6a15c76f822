//! The bare group-commit loop: what this disk and SQLite allow at best for the row update of a refresh. One writer
//! takes all that queued up while the last commit synced into its next transaction and acknowledges after the commit.

use super::sessions_file::{Extent, SessionsFile, session_id};
use super::worker::Worker;
use crate::measure::trouble::Trouble;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// The name of the file in the loop's directory.
const FILE: &str = "sessions.db";

#[derive(Debug)]
struct Job {
    session: i64,
    generation: i64,
    done: oneshot::Sender<()>,
}

/// The loop, running on a thread of its own until it is dropped.
#[derive(Debug)]
pub(crate) struct CommitLoop {
    queue: mpsc::UnboundedSender<Job>,
    writer: JoinHandle<Result<(), Trouble>>,
    sessions: u32,
}

impl CommitLoop {
    pub(crate) fn open(directory: &Path, extent: Extent) -> Result<Self, Trouble> {
        std::fs::create_dir_all(directory)?;
        let file = SessionsFile::create(&directory.join(FILE), extent)?;
        let (queue, jobs) = mpsc::unbounded_channel();
        let writer = std::thread::spawn(move || write(file, jobs));
        Ok(Self { queue, writer, sessions: extent.sessions })
    }

    /// So many clients, spread over the table, each with a session of its own.
    pub(crate) fn clients(&self, count: u32) -> impl Iterator<Item = LoopClient> {
        (0..count).map(move |number| self.client(number, count))
    }

    /// One of so many clients.
    pub(crate) fn client(&self, number: u32, of: u32) -> LoopClient {
        let apart = self.sessions / of.max(1);
        let session = session_id(i64::from(number * apart));
        LoopClient { queue: self.queue.clone(), session, generation: AtomicI64::new(1) }
    }

    /// Ends the writer and tells whether it went well.
    pub(crate) fn close(self) -> Result<(), Trouble> {
        drop(self.queue);
        self.writer.join().map_err(|_| "the writer of the commit loop panicked")?
    }
}

fn write(mut file: SessionsFile, mut jobs: mpsc::UnboundedReceiver<Job>) -> Result<(), Trouble> {
    let began = Instant::now();
    let mut waiting = Vec::new();
    while let Some(first) = jobs.blocking_recv() {
        let batch = file.batch()?;
        let mut next = Some(first);
        while let Some(job) = next {
            batch.rotate(job.session, job.generation, i64::try_from(began.elapsed().as_micros())?)?;
            waiting.push(job.done);
            next = jobs.try_recv().ok();
        }
        batch.commit()?;
        for done in waiting.drain(..) {
            // Nobody is left to hear it only when the round was called off.
            let _unheard = done.send(());
        }
    }
    Ok(())
}

/// Whoever rotates one session, again and again.
#[derive(Debug)]
pub(crate) struct LoopClient {
    queue: mpsc::UnboundedSender<Job>,
    session: i64,
    generation: AtomicI64,
}

impl Worker for LoopClient {
    /// Rotates the session and returns when that is on disk.
    async fn work(&self) -> Result<(), Trouble> {
        let generation = self.generation.fetch_add(1, Ordering::Relaxed) + 1;
        let (done, committed) = oneshot::channel();
        let job = Job { session: self.session, generation, done };
        self.queue.send(job).map_err(|_| "the writer of the commit loop has ended")?;
        Ok(committed.await.map_err(|_| "the writer of the commit loop failed")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bare::worker::round;
    use crate::measure::window::Window;
    use rusqlite::Connection;
    use std::time::Duration;

    #[tokio::test]
    async fn every_acknowledged_rotation_is_in_the_file_and_its_pages_are_as_large_as_asked_for() {
        let directory = std::env::temp_dir().join(format!("bench-commit-loop-{}", std::process::id()));
        let commits = CommitLoop::open(&directory, Extent { sessions: 100, page_bytes: 1024 }).unwrap();
        let window = Window::after(Duration::ZERO, Duration::from_millis(50));
        let tally = round(window, commits.clients(4)).await.unwrap();
        commits.close().unwrap();
        let db = Connection::open(directory.join(FILE)).unwrap();
        let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let rotations = i32::try_from(number("SELECT sum(generation - 1) FROM sessions")).unwrap();
        let acknowledged = tally.per_second() * 0.05;
        assert!(acknowledged > 0.5 && f64::from(rotations) + 0.5 > acknowledged);
        assert_eq!(number("SELECT count(*) FROM sessions WHERE generation > 1"), 4);
        assert_eq!(number("PRAGMA page_size"), 1024);
        drop(db);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
