//! One way to the database, whichever engine it is: statements and transactions, written once, and the ends of a move. The
//! only file that asks which engine it is; the choice is made on single statements, so that nothing above knows.

use crate::cache::Cache;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::lines::line::Line;
use crate::lines::month::Month;
use crate::lines::notebook::Notebook;
use crate::place::Place;
use crate::postgres::{Postgres, PostgresEnd, PostgresTx, binary_rows};
use crate::schema::SCHEMA;
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::outbox::{Outbox, Taking};
use crate::sql::row::Row;
use crate::sql::statement::{Statement, far, poll_once};
use crate::sql::table::Table;
use crate::sql::touched::Touched;
use crate::sql::transfer_endpoint::{TransferCandidate, TransferEndpoint};
use crate::sql::watch::Watch;
use crate::sqlite::{self, Sqlite, SqliteEnd, SqliteTarget, SqliteTx, WriterRows};
pub(crate) use crate::sqlite::{JobRun, Rollback};
use futures_util::future::{BoxFuture, Either};
use rules::moment::Moment;
use std::sync::Arc;

/// A database of any engine.
#[derive(Debug)]
pub(crate) enum Db {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// A write transaction of any engine.
#[derive(Debug)]
pub(crate) enum Tx<'e> {
    Sqlite(&'e mut SqliteTx),
    Postgres(&'e mut PostgresTx),
}

impl Db {
    /// Opens a database and brings its schema up to date. Where no other process can make it untrue, what was read is
    /// remembered in a cache. A database that many nodes share gives each a number of its own, from which its ids are.
    pub(crate) async fn open(place: &Place, node: u16, budget: Budget) -> Result<(Self, Arc<Ids>, Option<Arc<Cache>>)> {
        match place {
            Place::Sqlite(directory) => {
                let cache = Arc::new(Cache::default());
                let sqlite = Sqlite::open(directory, SCHEMA, budget, Box::new(cache.clone()))?;
                Ok((Self::Sqlite(sqlite), Arc::new(Ids::new(node)), Some(cache)))
            }
            Place::Postgres(place) => {
                let (postgres, ids) = Postgres::open(place, SCHEMA, budget).await?;
                Ok((Self::Postgres(postgres), ids, None))
            }
        }
    }

    /// Whether a store was made there. Nothing is made by asking.
    pub(crate) async fn is_there(place: &Place) -> Result<bool> {
        match place {
            Place::Sqlite(directory) => {
                sqlite::refuse(directory)?;
                sqlite::is_any_there(directory)
            }
            Place::Postgres(place) => Postgres::is_there(place).await,
        }
    }

    /// Opens a database to look at it, beside whoever may be at work in it: nothing is made, locked or brought up to date.
    pub(crate) async fn look(place: &Place, budget: Budget) -> Result<Self> {
        Ok(match place {
            Place::Sqlite(directory) => Self::Sqlite(Sqlite::look(directory, SCHEMA, budget)?),
            Place::Postgres(place) => Self::Postgres(Postgres::look(place, SCHEMA, budget).await?),
        })
    }

    /// Reads the few rows that an index finds at once.
    pub(crate) async fn read<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let read = match self {
            Self::Sqlite(sqlite) => sqlite.read(statement, args, map),
            Self::Postgres(postgres) => far(postgres.read(statement.sql, args, map)).await,
        };
        read.map_err(|error| error.during(statement.name))
    }

    /// Reads the few rows that most likely an index finds at once, where that is no journey. Nothing is read where it takes
    /// longer, or where `map` makes nothing of a row.
    pub(crate) fn glance<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<Option<T>>,
    ) -> Result<Option<Vec<T>>> {
        let Self::Sqlite(sqlite) = self else { return Ok(None) };
        sqlite.glance(statement, args, map).map_err(|error| error.during(statement.name))
    }

    /// Reads what may be many rows, or slow to find: away from those who read in place, within a budget of time, and
    /// each row is given as it comes. For however many lists of arguments, it is one read. A brief one may be tried in place.
    pub(crate) async fn each<T: Send + 'static>(
        &self,
        statement: Statement<'_>,
        lists: &[&[Arg<'_>]],
        map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
        row: impl FnMut(T) -> Result<()> + Send,
    ) -> Result<()> {
        let read = match self {
            Self::Sqlite(sqlite) => sqlite.each(statement, lists, map, row).await,
            Self::Postgres(postgres) => far(postgres.each(statement.sql, lists, map, row)).await,
        };
        read.map_err(|error| error.during(statement.name))
    }

    /// Runs a job in one write transaction, again if need be where that is its way.
    pub(crate) fn transact<T, F>(&self, way: JobRun, mut job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> FnMut(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        match self {
            Self::Sqlite(sqlite) => {
                Either::Left(sqlite.write(way, move |inner| poll_once(job(&mut Tx::Sqlite(inner)))))
            }
            Self::Postgres(postgres) => {
                Either::Right(postgres.write(move |inner| Box::pin(async move { job(&mut Tx::Postgres(inner)).await })))
            }
        }
    }

    /// Runs a job in one transaction that adds to the ledger.
    pub(crate) fn add_to_ledger<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> FnOnce(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        match self {
            Self::Sqlite(sqlite) => {
                Either::Left(sqlite.add_to_ledger(move |inner| poll_once(job(&mut Tx::Sqlite(inner)))))
            }
            Self::Postgres(_) => Either::Right(self.write(job)),
        }
    }

    /// As `each`, of the ledger.
    pub(crate) async fn each_of_ledger<T: Send + 'static>(
        &self,
        statement: Statement<'_>,
        lists: &[&[Arg<'_>]],
        map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
        row: impl FnMut(T) -> Result<()> + Send,
    ) -> Result<()> {
        let Self::Sqlite(sqlite) = self else { return self.each(statement, lists, map, row).await };
        sqlite.each_of_ledger(statement, lists, map, row).await.map_err(|error| error.during(statement.name))
    }

    /// The oldest moment that a transaction under way has announced, where several are under way at a time.
    pub(crate) async fn oldest_announced(&self) -> Result<Option<i64>> {
        let Self::Postgres(postgres) = self else { return Ok(None) };
        let oldest = far(postgres.oldest_announced()).await;
        oldest.map_err(|error| error.during("store::postgres::moments::OLDEST"))
    }

    /// Whether all writes wait for one writer.
    pub(crate) const fn has_one_writer(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// The engine, to whoever watches over it.
    pub(crate) fn watch(&self) -> &(dyn Watch + Sync) {
        match self {
            Self::Sqlite(sqlite) => sqlite,
            Self::Postgres(postgres) => postgres,
        }
    }
}

impl Tx<'_> {
    /// Runs a statement and tells how many rows it changed.
    pub(crate) async fn execute(&mut self, statement: Statement<'_>, args: &[Arg<'_>]) -> Result<u64> {
        let done = match self {
            Self::Sqlite(tx) => tx.execute(statement, args),
            Self::Postgres(tx) => far(tx.execute(statement.sql, args)).await,
        };
        done.map_err(|error| error.during(statement.name))
    }

    /// Runs a statement whose count nobody asks for: where asking costs a round trip, its answer is read with a later one.
    pub(crate) async fn post(&mut self, statement: Statement<'_>, args: &[Arg<'_>]) -> Result<()> {
        let done = match self {
            Self::Sqlite(tx) => tx.execute(statement, args).map(|_| ()),
            Self::Postgres(tx) => far(tx.post(statement.sql, args)).await,
        };
        done.map_err(|error| error.during(statement.name))
    }

    /// Runs a statement for each of many rows where that is no journey, so that it is looked for once.
    pub(crate) fn execute_each<'a>(&mut self, statement: Statement<'_>, rows: &[impl AsRef<[Arg<'a>]>]) -> Result<()> {
        let Self::Sqlite(tx) = self else { return Err(Error::Impossible("rows for a file that is not there".into())) };
        tx.execute_each(statement, rows).map_err(|error| error.during(statement.name))
    }

    pub(crate) async fn query<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let found = match self {
            Self::Sqlite(tx) => tx.query(statement, args, map),
            Self::Postgres(tx) => far(tx.query(statement.sql, args, map)).await,
        };
        found.map_err(|error| error.during(statement.name))
    }

    /// Adds rows to a table of a server, as they are; its name and columns are given.
    pub(crate) async fn copy<'a>(&mut self, into: &str, rows: &[impl AsRef<[Arg<'a>]>]) -> Result<()> {
        let Self::Postgres(tx) = self else {
            return Err(Error::Impossible("rows for a server that is not there".into()));
        };
        let rows = binary_rows(rows);
        far(tx.copy(into, rows)).await.map_err(|error| error.during("store::engine::COPY"))
    }

    /// Whether others write at the same time, each of whose statements is a journey to a server.
    pub(crate) const fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Whether this transaction, until it ends, is the only one of all nodes that does `what`.
    pub(crate) async fn is_alone(&mut self, what: i64) -> Result<bool> {
        let Self::Postgres(tx) = self else { return Ok(true) };
        far(tx.is_alone(what)).await
    }

    /// Waits until this transaction, until it ends, is the only one of all nodes that does `what`.
    pub(crate) async fn take_exclusive_lock(&mut self, what: i64) -> Result<()> {
        let Self::Postgres(tx) = self else { return Ok(()) };
        far(tx.take_exclusive_lock(what)).await
    }

    /// Waits until nobody is alone in doing `what`, and lets nobody be until this transaction has ended.
    pub(crate) async fn take_shared_lock(&mut self, what: i64) -> Result<()> {
        let Self::Postgres(tx) = self else { return Ok(()) };
        far(tx.take_shared_lock(what)).await
    }

    /// From now on looks are given up when together they take more than others may wait for them: steps where one writer is
    /// waited for, and time on a server.
    pub(crate) async fn begin_looks(&mut self, steps: i64) -> Result<()> {
        match self {
            Self::Sqlite(tx) => tx.begin_looks(steps),
            Self::Postgres(tx) => far(tx.begin_looks()).await,
        }
    }

    /// One of them; `fee` is the steps that are counted for what it costs beside those that it makes.
    pub(crate) async fn look<T>(
        &mut self,
        fee: i64,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let found = match self {
            Self::Sqlite(tx) => tx.look(fee, statement, args, map),
            Self::Postgres(tx) => far(tx.look(statement.sql, args, map)).await,
        };
        found.map_err(|error| error.during(statement.name))
    }

    pub(crate) async fn end_looks(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => tx.end_looks(),
            Self::Postgres(tx) => far(tx.end_looks()).await,
        }
    }

    /// Has a line wait for the ledger, from this transaction's commit on.
    pub(crate) fn append(&mut self, outbox: Outbox, ids: &Ids, line: &Line) {
        match self {
            Self::Sqlite(tx) => tx.append(outbox, line),
            Self::Postgres(tx) => tx.append(outbox, ids.next(line.at), line),
        }
    }

    /// What this transaction writes its lines into.
    pub(crate) fn notebook(&mut self) -> &mut dyn Notebook {
        match self {
            Self::Sqlite(tx) => &mut tx.outboxes,
            Self::Postgres(tx) => &mut tx.lines,
        }
    }

    /// The lines of at most so many rows of an outbox, and where what is left begins; nowhere, if what was read is gone from it.
    pub(crate) async fn take(&mut self, outbox: Outbox, after: i64, most: i64, now: Moment) -> Result<Taking> {
        match self {
            Self::Sqlite(tx) => tx.take(outbox, after, most),
            Self::Postgres(tx) => far(tx.take(outbox, most, now.0)).await,
        }
    }

    /// Makes room in the ledger for the lines of a month, where each has a table of its own.
    pub(crate) async fn make_month(&mut self, month: Month) -> Result<()> {
        let Self::Postgres(tx) = self else { return Ok(()) };
        far(tx.make_month(month)).await
    }

    /// Removes a piece of what the ledger has of the months up to this one; tells whether there was any.
    pub(crate) async fn drop_month(&mut self, until: Month) -> Result<bool> {
        match self {
            Self::Sqlite(tx) => tx.drop_month(until),
            Self::Postgres(tx) => far(tx.drop_month(until)).await,
        }
    }

    /// Says how this transaction is taken back, should its commit become known only after its caller was told to try
    /// again. The statement changes one row, or none if somebody has built on it.
    pub(crate) fn undo_with(&mut self, statement: Statement<'static>, args: &[Arg<'_>]) {
        let Self::Postgres(tx) = self else { return };
        tx.undo_with(statement.sql, args);
    }

    /// Passing trouble, if the last change to what was loaded may be one that its caller was told to try again.
    pub(crate) fn relies_on_the_last_change(&self) -> Result<()> {
        let Self::Postgres(tx) = self else { return Ok(()) };
        tx.relies_on_the_last_change()
    }

    /// What a process that remembers keeps up with this transaction: what changes with it, and the rows at hand. Nothing is
    /// remembered where other processes write too.
    pub(crate) fn memory(&mut self) -> Option<(&mut Touched, &mut WriterRows)> {
        let Self::Sqlite(tx) = self else { return None };
        Some((&mut tx.touched, &mut tx.hand))
    }
}

/// Opens a database to move from; also says where it was moved to already.
pub(crate) async fn source(place: &Place, tables: &[Table]) -> Result<(Box<dyn TransferEndpoint>, Option<String>)> {
    match place {
        Place::Sqlite(at) => SqliteEnd::source(at, SCHEMA).map(|(end, to)| (Box::new(end) as _, to)),
        Place::Postgres(at) => PostgresEnd::source(at, SCHEMA, tables).await.map(|(end, to)| (Box::new(end) as _, to)),
    }
}

/// Takes a database to move to. Nothing is written yet.
pub(crate) async fn target(place: &Place, tables: &[Table]) -> Result<Box<dyn TransferCandidate>> {
    match place {
        Place::Sqlite(directory) => Ok(Box::new(SqliteTarget::hold(directory, SCHEMA)?)),
        Place::Postgres(place) => Ok(Box::new(PostgresEnd::hold(place, SCHEMA, tables).await?)),
    }
}
