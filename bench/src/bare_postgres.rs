//! The bare tokio-postgres loop: the statements of a read and of a refresh, sent as the service sends them, over as many
//! connections as it has, with nothing around them. It is the ceiling that the service is measured against.

use crate::Trouble;
use crate::database::connect;
use crate::tally::Tally;
use crate::world::APP;
use futures_util::future::{try_join, try_join3};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::PostgresOptions;
use store::journeys::{self, Refresh};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

/// A session to act on, and whose record it opens.
#[derive(Debug, Clone)]
struct Owned {
    session: i64,
    client: i64,
    user: i64,
    patient: String,
}

/// The patients' own sessions: those of the refreshing clients are at another generation, and are not touched.
const SESSIONS: &str =
    "SELECT s.id, s.client_id, s.user_id, u.patient_id FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.generation = 2 ORDER BY s.id";
/// Above all that the service has written so far: its own ids grow with time.
const LAST_LINE: &str = "SELECT coalesce(max(id), 0) FROM ledger";

/// A connection on which the statements of one journey are prepared.
struct Prepared<const N: usize> {
    client: Client,
    statements: [Statement; N],
}

pub(crate) struct BarePostgres {
    readers: Vec<Prepared<2>>,
    /// Those that are free, and as many permits.
    writers: Mutex<Vec<Prepared<3>>>,
    free: Semaphore,
    owned: Vec<Owned>,
    next_line: AtomicI64,
}

/// Which journey a round makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Journey {
    Read,
    Refresh,
}

impl BarePostgres {
    /// Connects as often as a node does.
    pub(crate) async fn open(url: &str) -> Result<Arc<Self>, Trouble> {
        let options = PostgresOptions::default();
        let Refresh { client, load, rotate, note } = journeys::refresh();
        let mut readers = Vec::new();
        for _ in 0..options.read_connections {
            readers.push(prepared(url, [journeys::READ, client]).await?);
        }
        let mut writers = Vec::new();
        for _ in 0..options.write_connections {
            writers.push(prepared(url, [&load, rotate, note]).await?);
        }
        let rows = connect(url).await?.query(SESSIONS, &[]).await?;
        let owned = rows.iter().map(|row| {
            let (session, client) = (row.try_get(0)?, row.try_get(1)?);
            Ok::<_, Trouble>(Owned { session, client, user: row.try_get(2)?, patient: row.try_get(3)? })
        });
        let owned = owned.collect::<Result<_, _>>()?;
        let (free, writers, next_line) = (Semaphore::new(writers.len()), Mutex::new(writers), AtomicI64::new(0));
        Ok(Arc::new(Self { readers, writers, free, owned, next_line }))
    }

    /// This many tasks make a journey again and again, each with sessions of its own.
    pub(crate) async fn round(
        self: &Arc<Self>,
        journey: Journey,
        tasks: usize,
        warm_up: Duration,
        length: Duration,
    ) -> Result<Tally, Trouble> {
        let last: i64 = self.reader(0)?.client.query_one(LAST_LINE, &[]).await?.try_get(0)?;
        self.next_line.store(last + 1, Ordering::Relaxed);
        let from = Instant::now() + warm_up;
        let mut running = JoinSet::new();
        for task in 0..tasks {
            running.spawn(Arc::clone(self).travel(journey, (task, tasks), from, length));
        }
        let mut whole = Tally::default();
        while let Some(ended) = running.join_next().await {
            whole.absorb(ended??);
        }
        Ok(whole)
    }

    async fn travel(
        self: Arc<Self>,
        journey: Journey,
        (task, tasks): (usize, usize),
        from: Instant,
        length: Duration,
    ) -> Result<Tally, Trouble> {
        let mut tally = Tally::of(length, 1 << 13);
        let mut owned = self.owned.iter().skip(task).step_by(tasks).cycle();
        let mut sent = Instant::now();
        while sent < from + length {
            let owned = owned.next().ok_or("there are fewer sessions than tasks")?;
            match journey {
                Journey::Read => self.read(task, owned).await?,
                Journey::Refresh => self.refresh(task, owned).await?,
            }
            let now = Instant::now();
            tally.answered();
            if now >= from && now < from + length {
                tally.add(now - sent);
            }
            sent = now;
        }
        Ok(tally)
    }

    async fn read(&self, task: usize, owned: &Owned) -> Result<(), Trouble> {
        let Prepared { client, statements: [read, _] } = self.reader(task)?;
        let row = client.query_one(read, &[&owned.session, &"Patient", &owned.patient]).await?;
        let body: Option<&str> = row.try_get("body")?;
        if body.is_some() { Ok(()) } else { Err("a record is missing".into()) }
    }

    async fn refresh(&self, task: usize, owned: &Owned) -> Result<(), Trouble> {
        let Prepared { client, statements: [_, find] } = self.reader(task)?;
        client.query_one(find, &[&APP]).await?;
        let _permit = self.free.acquire().await?;
        let writer = self.writers().pop().ok_or("there are fewer connections than permits")?;
        self.rotate(&writer, owned).await?;
        self.writers().push(writer);
        Ok(())
    }

    async fn rotate(&self, writer: &Prepared<3>, owned: &Owned) -> Result<(), Trouble> {
        let Prepared { client, statements: [load, rotate, note] } = writer;
        let ((), row) = try_join(
            client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
            client.query_one(load, &[&owned.session]),
        )
        .await?;
        // Any moment will do: nothing asks for it afterwards.
        let (now, generation): (i64, i64) = (row.try_get("granted_at")?, row.try_get("generation")?);
        let (generation, line) = (generation + 1, self.next_line.fetch_add(1, Ordering::Relaxed));
        let Owned { session, client: app, user, .. } = owned;
        let (no_id, no_text) = (None::<i64>, None::<&str>);
        let columns: [&(dyn ToSql + Sync); 11] =
            [&line, &now, &"refreshed", session, app, user, &no_id, &no_id, &no_text, &no_text, &1_i64];
        try_join3(
            client.execute(rotate, &[&generation, &now, session]),
            client.execute(note, &columns),
            client.batch_execute("COMMIT"),
        )
        .await?;
        Ok(())
    }

    fn writers(&self) -> MutexGuard<'_, Vec<Prepared<3>>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self, task: usize) -> Result<&Prepared<2>, Trouble> {
        self.readers.get(task % self.readers.len().max(1)).ok_or_else(|| "there are no connections".into())
    }
}

async fn prepared<const N: usize>(url: &str, sql: [&str; N]) -> Result<Prepared<N>, Trouble> {
    let client = connect(url).await?;
    let mut statements = Vec::new();
    for sql in sql {
        statements.push(client.prepare(sql).await?);
    }
    let statements = statements.try_into().map_err(|_| "as many statements as asked for")?;
    Ok(Prepared { client, statements })
}
