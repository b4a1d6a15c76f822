//! The bare group-commit loop: what this disk and SQLite allow at best for the row update of a refresh. One writer
//! takes all that queued up while the last commit synced into its next transaction and acknowledges after the commit.

use crate::Trouble;
use crate::tally::Tally;
use rusqlite::{Connection, params};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

/// As wide as a session, so that a page holds about as many.
const TABLE: &str = "
    CREATE TABLE session (
        id INTEGER PRIMARY KEY, client INTEGER NOT NULL, user INTEGER, team INTEGER, scope TEXT NOT NULL,
        redirect_uri TEXT, challenge TEXT, salt BLOB NOT NULL, granted_at INTEGER NOT NULL, ends_at INTEGER,
        code_redeemed_at INTEGER, generation INTEGER NOT NULL, rotated_at INTEGER, revoked_at INTEGER, revoked_why TEXT
    )";
const ROW: &str = "
    INSERT INTO session VALUES
        (?1, 1, ?1, NULL, 'PATIENT', 'https://app.example/callback', NULL, randomblob(16), 1700000000000000,
         1800000000000000, 1700000001000000, 1, 1700000001000000, NULL, NULL)";
const ROTATE: &str = "UPDATE session SET generation = generation + 1, rotated_at = ?2 WHERE id = ?1";

struct Job {
    session: u32,
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
    /// Opens a store of as many sessions as the service holds in this run.
    pub(crate) fn open(directory: &Path, sessions: u32) -> Result<Self, Trouble> {
        std::fs::create_dir_all(directory)?;
        let mut db = Connection::open(directory.join("sessions.db"))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        let fill = db.transaction()?;
        fill.execute(TABLE, [])?;
        for id in 0..sessions {
            fill.prepare_cached(ROW)?.execute([id])?;
        }
        fill.commit()?;
        let (queue, jobs) = mpsc::unbounded_channel();
        let writer = std::thread::spawn(move || write(&mut db, jobs));
        Ok(Self { queue, writer, sessions })
    }

    /// This many clients, spread over the table, each rotate their own session as fast as they are acknowledged.
    pub(crate) async fn round(&self, clients: u32, warm_up: Duration, length: Duration) -> Result<Tally, Trouble> {
        let from = Instant::now() + warm_up;
        let apart = self.sessions / clients.max(1);
        let mut tasks = JoinSet::new();
        for client in 0..clients {
            tasks.spawn(rotate(self.queue.clone(), client * apart, from, length));
        }
        let mut whole = Tally::default();
        while let Some(ended) = tasks.join_next().await {
            whole.absorb(ended??);
        }
        Ok(whole)
    }

    /// Ends the writer and tells whether it went well.
    pub(crate) fn close(self) -> Result<(), Trouble> {
        drop(self.queue);
        self.writer.join().map_err(|_| "the writer of the commit loop panicked")?
    }
}

fn write(db: &mut Connection, mut jobs: mpsc::UnboundedReceiver<Job>) -> Result<(), Trouble> {
    let began = Instant::now();
    let mut waiting = Vec::new();
    while let Some(first) = jobs.blocking_recv() {
        let batch = db.transaction()?;
        let mut next = Some(first);
        while let Some(job) = next {
            let now = i64::try_from(began.elapsed().as_micros())?;
            batch.prepare_cached(ROTATE)?.execute(params![job.session, now])?;
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

async fn rotate(
    queue: mpsc::UnboundedSender<Job>,
    session: u32,
    from: Instant,
    length: Duration,
) -> Result<Tally, Trouble> {
    let mut tally = Tally::of(length, 1 << 13);
    let mut sent = Instant::now();
    while sent < from + length {
        let (done, committed) = oneshot::channel();
        queue.send(Job { session, done }).map_err(|_| "the writer of the commit loop has ended")?;
        committed.await.map_err(|_| "the writer of the commit loop failed")?;
        let now = Instant::now();
        if now >= from && now < from + length {
            tally.add(now - sent);
        }
        sent = now;
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_acknowledged_rotation_is_in_the_file() {
        let directory = std::env::temp_dir().join(format!("bench-commit-loop-{}", std::process::id()));
        let commits = CommitLoop::open(&directory, 100).unwrap();
        let tally = commits.round(4, Duration::ZERO, Duration::from_millis(50)).await.unwrap();
        commits.close().unwrap();
        let db = Connection::open(directory.join("sessions.db")).unwrap();
        let rotated = |sql: &str| db.query_row(sql, [], |row| row.get::<_, f64>(0)).unwrap();
        let acknowledged = tally.per_second() * 0.05;
        assert!(acknowledged > 0.5 && rotated("SELECT sum(generation - 1) FROM session") + 0.5 > acknowledged);
        assert!((rotated("SELECT count(*) FROM session WHERE generation > 1") - 4.0).abs() < 0.5);
        drop(db);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
