//! The bare group-commit loop: what this disk and SQLite allow at best for the row update of a refresh. One writer
//! takes all that queued up while the last commit synced into its next transaction and acknowledges after the commit.

use crate::Trouble;
use crate::tally::Tally;
use rusqlite::{Connection, params};
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use store::journeys::{Rotation, rotation};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

/// Ids as far apart as those of sessions that were granted one by one.
const APART: i64 = 1 << 22;

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
    /// Opens a store of as many sessions as the service holds in this run.
    pub(crate) fn open(directory: &Path, sessions: u32) -> Result<Self, Trouble> {
        std::fs::create_dir_all(directory)?;
        let mut db = Connection::open(directory.join("sessions.db"))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        let Rotation { tables, open, rotate } = rotation();
        let fill = db.transaction()?;
        fill.execute_batch(&tables)?;
        for number in 0..i64::from(sessions) {
            let (salt, granted_at, ends_at) = ([7_u8; 16], 1_800_000_000_000_i64, 1_807_776_000_000_i64);
            let nothing = None::<&str>;
            fill.prepare_cached(open)?.execute(params![
                id(number),
                salt,
                1,
                number,
                nothing,
                "PATIENT",
                nothing,
                nothing,
                0,
                nothing,
                granted_at,
                ends_at,
                1
            ])?;
        }
        fill.commit()?;
        let (queue, jobs) = mpsc::unbounded_channel();
        let writer = std::thread::spawn(move || write(&mut db, rotate, jobs));
        Ok(Self { queue, writer, sessions })
    }

    /// This many clients, spread over the table, each rotate their own session as fast as they are acknowledged.
    pub(crate) async fn round(&self, clients: u32, warm_up: Duration, length: Duration) -> Result<Tally, Trouble> {
        let from = Instant::now() + warm_up;
        let mut tasks = JoinSet::new();
        for client in 0..clients {
            tasks.spawn(rotate(self.client(client, clients), from, length));
        }
        let mut whole = Tally::default();
        while let Some(ended) = tasks.join_next().await {
            whole.absorb(ended??);
        }
        Ok(whole)
    }

    /// One of so many clients, with a session of its own.
    pub(crate) fn client(&self, number: u32, of: u32) -> Client {
        let apart = self.sessions / of.max(1);
        Client { queue: self.queue.clone(), session: id(i64::from(number * apart)), generation: AtomicI64::new(1) }
    }

    /// Ends the writer and tells whether it went well.
    pub(crate) fn close(self) -> Result<(), Trouble> {
        drop(self.queue);
        self.writer.join().map_err(|_| "the writer of the commit loop panicked")?
    }
}

fn id(number: i64) -> i64 {
    (number + 1) * APART
}

fn write(db: &mut Connection, rotate: &str, mut jobs: mpsc::UnboundedReceiver<Job>) -> Result<(), Trouble> {
    let began = Instant::now();
    let mut waiting = Vec::new();
    while let Some(first) = jobs.blocking_recv() {
        let batch = db.transaction()?;
        let mut next = Some(first);
        while let Some(job) = next {
            let now = i64::try_from(began.elapsed().as_micros())?;
            if batch.prepare_cached(rotate)?.execute(params![job.generation, now, job.session])? != 1 {
                return Err("the commit loop has no such session".into());
            }
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
pub(crate) struct Client {
    queue: mpsc::UnboundedSender<Job>,
    session: i64,
    generation: AtomicI64,
}

impl Client {
    /// Rotates the session and returns when that is on disk.
    pub(crate) async fn rotates(&self) -> Result<(), Trouble> {
        let generation = self.generation.fetch_add(1, Ordering::Relaxed) + 1;
        let (done, committed) = oneshot::channel();
        let job = Job { session: self.session, generation, done };
        self.queue.send(job).map_err(|_| "the writer of the commit loop has ended")?;
        Ok(committed.await.map_err(|_| "the writer of the commit loop failed")?)
    }
}

async fn rotate(client: Client, from: Instant, length: Duration) -> Result<Tally, Trouble> {
    let mut tally = Tally::of(length, 1 << 13);
    let mut sent = Instant::now();
    while sent < from + length {
        client.rotates().await?;
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
        assert!(acknowledged > 0.5 && rotated("SELECT sum(generation - 1) FROM sessions") + 0.5 > acknowledged);
        assert!((rotated("SELECT count(*) FROM sessions WHERE generation > 1") - 4.0).abs() < 0.5);
        drop(db);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
