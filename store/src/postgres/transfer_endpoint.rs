//! One end of a move that is a PostgreSQL database, on one connection of its own.
//!
//! A source is locked against writing in one transaction from the first row read until it is marked as moved. Nodes may
//! be running on it all the same. They do not look for marks while they run, and one of their writes may be waiting for
//! our lock at the very moment in which it is given up: so with the mark, all tables get other names, and whatever
//! such a node still asks is refused by the server.

use super::connection::Connection;
use super::hosts::Hosts;
use super::migrations;
use super::months::room_for;
use super::names::{aside, renames};
use super::place::PostgresPlace;
use super::trouble::meaning;
use crate::error::{Error, Result};
use crate::sql::advisory_locks::{MIGRATING, MOVING};
use crate::sql::arg::{Arg, OwnedArg, args};
use crate::sql::marks;
use crate::sql::migration::{Marks, Migrations, TABLE, newer_release};
use crate::sql::table::{Batch, Kind, Table, Values};
use crate::sql::transfer_endpoint::{Target, TransferCandidate, TransferEndpoint};
use futures_util::future::LocalBoxFuture;
use futures_util::stream::Fuse;
use futures_util::{StreamExt, TryStreamExt};
use std::pin::{Pin, pin};
use std::time::Duration;
use tokio_postgres::RowStream;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

/// For the server to let us in, or to be heard of again after it fell silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// The limits of every connection are for requests; a large table takes its time.
const PATIENT: &str =
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s'";
const ALONE: &str = "SELECT pg_advisory_lock($1)";
const NAMED: &str = "SELECT CAST(to_regclass($1) AS TEXT)";
const UNMARK: &str = "DELETE FROM migrations WHERE name = $1";

/// How often the tables of a source are asked for in order to rename them, half a second each: longer than a write of
/// a node waits, so that one which holds one table and waits for another gives up before we do.
const TRIES: usize = 120;
const TRY: &str = "SAVEPOINT before; SET LOCAL lock_timeout = '500ms'";

pub(crate) const STATEMENTS: &[&str] = &[ALONE, NAMED, UNMARK];

pub(crate) struct PostgresEnd {
    connection: Connection,
    /// The rest of the table that is being read. Once at its end it stays there: the driver's own stream, asked again,
    /// says that the connection was closed.
    rows: Option<Pin<Box<Fuse<RowStream>>>>,
}

/// A database to move to, held and not yet written to.
#[derive(Debug)]
pub(crate) struct PostgresTarget {
    end: PostgresEnd,
    migrations: Migrations,
    state: Target,
}

impl std::fmt::Debug for PostgresEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PostgresEnd")
    }
}

impl PostgresEnd {
    /// Opens a database to move from, and locks it; also says where it was moved to already. In that case its tables have
    /// their own names again, for this transaction alone.
    pub(crate) async fn source(
        place: &PostgresPlace,
        schema: Migrations,
        tables: &[Table],
    ) -> Result<(Self, Option<String>)> {
        let connection = connect(place).await?;
        let done = migrations::done(&connection, Marks::Expected).await?;
        if done.is_empty() {
            return Err(Error::Setup(format!("there is no data in {place}")));
        }
        if marks::is_unfinished(&done) {
            return Err(marks::unfinished());
        }
        let known = |name: &str| schema.knows(name) || marks::is_mark(name);
        if let Some(newer) = done.iter().find(|name| !known(name)) {
            return Err(newer_release(&place.to_string(), newer));
        }
        let destination = marks::destination(&done).map(String::from);
        match &destination {
            Some(to) if !migrations::missing(schema, &done).is_empty() => return Err(marks::moved(to)),
            Some(_) => {}
            None => {
                migrations::apply(&connection, schema, Marks::Refused).await?;
                migrations::name(&connection).await?;
            }
        }
        let names: Vec<String> = tables.iter().map(Table::quoted).collect();
        let lock = format!("LOCK TABLE migrations, {} IN EXCLUSIVE MODE", names.join(", "));
        let work = async {
            connection.batch_execute("BEGIN").await?;
            if let Some(to) = &destination {
                connection.batch_execute(&renames(tables, |name| (aside(name), name.into()))).await?;
                connection.execute_prepared(UNMARK, args![&marks::moved_to(to)]).await?;
            }
            connection.batch_execute(&lock).await
        };
        work.await.map_err(|error| match is_locked(&error) {
            true => Error::InUse(format!(
                "{place} did not come to rest in time; stop its nodes, or wait for another move to end"
            )),
            false => meaning(&error),
        })?;
        Ok((Self { connection, rows: None }, destination))
    }

    /// Takes a database to move to, and says what is in it. Nothing is written yet.
    pub(crate) async fn hold(place: &PostgresPlace, schema: Migrations, tables: &[Table]) -> Result<PostgresTarget> {
        let connection = connect(place).await?;
        connection.query_prepared(ALONE, args![MOVING]).await.map_err(|error| match is_locked(&error) {
            true => Error::InUse(format!("another move into {place} is under way")),
            false => meaning(&error),
        })?;
        let done = migrations::done(&connection, Marks::Expected).await?;
        let mut state = if done.is_empty() { Target::New } else { Target::Used };
        if marks::is_unfinished(&done) {
            state = Target::Unfinished;
        }
        for table in tables.iter().filter(|_| done.is_empty()) {
            let rows =
                connection.query_prepared(NAMED, args![&table.quoted()]).await.map_err(|error| meaning(&error))?;
            if rows.iter().any(|row| matches!(row.try_get::<_, Option<&str>>(0), Ok(Some(_)))) {
                state = Target::Used;
            }
        }
        Ok(PostgresTarget { end: Self { connection, rows: None }, migrations: schema, state })
    }

    /// Makes the database an empty target: marked first, so that nobody takes it for a whole one.
    async fn empty(&self, schema: Migrations, state: Target, tables: &[Table]) -> Result<()> {
        if state == Target::New {
            self.mark().await?;
        }
        migrations::apply(&self.connection, schema, Marks::Expected).await?;
        let names: Vec<String> = tables.iter().map(Table::quoted).collect();
        self.run(&format!("TRUNCATE {}", names.join(", "))).await
    }

    /// Under the lock of those who migrate: a node that starts now either sees the mark or was here before it.
    async fn mark(&self) -> Result<()> {
        self.run("BEGIN").await?;
        let turn = self.connection.query_prepared(migrations::WAIT_FOR_TURN, args![MIGRATING]).await;
        turn.map_err(|error| meaning(&error))?;
        if !migrations::done(&self.connection, Marks::Expected).await?.is_empty() {
            return Err(Error::InUse("a node was started on the database to move to; stop it and take another".into()));
        }
        self.run(TABLE).await?;
        self.execute(migrations::NOTE, marks::UNFINISHED).await?;
        self.run("COMMIT").await
    }

    async fn rows_of(&self, table: &Table) -> Result<u64> {
        let rows = self.connection.query_prepared(&table.count(), &[]).await.map_err(|error| meaning(&error))?;
        let count = rows.first().and_then(|row| row.try_get::<_, i64>(0).ok()).unwrap_or_default();
        Ok(count.unsigned_abs())
    }

    async fn batch(&mut self, table: &Table) -> Result<Vec<Values>> {
        let mut rows = match self.rows.take() {
            Some(rest) => rest,
            None => {
                let rows = self.connection.stream_prepared(&table.select(), &[]).await;
                Box::pin(rows.map_err(|error| meaning(&error))?.fuse())
            }
        };
        let mut batch = Batch::default();
        while !batch.is_full()
            && let Some(row) = rows.try_next().await.map_err(|error| meaning(&error))?
        {
            batch.push(table.values(&row)?);
        }
        self.rows = Some(rows).filter(|_| !batch.rows.is_empty());
        Ok(batch.rows)
    }

    /// Stores a batch, on disk when this returns.
    async fn store(&self, table: &Table, batch: &[Values]) -> Result<()> {
        self.run(&room_for(table, batch)).await?;
        let types: Vec<Type> = table.columns.iter().map(|column| in_postgres(column.kind)).collect();
        let copy = format!("COPY {} ({}) FROM STDIN BINARY", table.quoted(), table.listed());
        let work = async {
            let mut writer = pin!(BinaryCopyInWriter::new(self.connection.copy_in(&copy).await?, &types));
            for values in batch {
                let row: Vec<Arg<'_>> = values.iter().map(OwnedArg::arg).collect();
                writer.as_mut().write_raw(row).await?;
            }
            writer.as_mut().finish().await
        };
        work.await.map(|_| ()).map_err(|error| meaning(&error))
    }

    /// From now on it is refused, and of no use to nodes that still run on it.
    async fn set_aside(&self, to: &str, tables: &[Table]) -> Result<()> {
        self.execute(migrations::NOTE, &marks::moved_to(to)).await?;
        let renames = renames(tables, |name| (name.into(), aside(name)));
        let mut renamed = Err(Error::Impossible("no try at all".into()));
        for _ in 0..TRIES {
            self.run(TRY).await?;
            match self.connection.batch_execute(&renames).await {
                Ok(()) => {
                    renamed = Ok(());
                    break;
                }
                Err(error) if is_locked(&error) => {
                    renamed = Err(meaning(&error));
                    self.run("ROLLBACK TO before").await?;
                }
                Err(error) => return Err(meaning(&error)),
            }
        }
        renamed?;
        self.run("COMMIT").await
    }

    async fn run(&self, sql: &str) -> Result<()> {
        self.connection.batch_execute(sql).await.map_err(|error| meaning(&error))
    }

    async fn execute(&self, sql: &str, name: &str) -> Result<()> {
        self.connection.execute_prepared(sql, args![name]).await.map(|_| ()).map_err(|error| meaning(&error))
    }
}

impl TransferCandidate for PostgresTarget {
    fn state(&self) -> Target {
        self.state
    }

    fn prepare(self: Box<Self>, tables: &[Table]) -> LocalBoxFuture<'_, Result<Box<dyn TransferEndpoint>>> {
        Box::pin(async move {
            self.end.empty(self.migrations, self.state, tables).await?;
            Ok(Box::new(self.end) as Box<dyn TransferEndpoint>)
        })
    }
}

impl TransferEndpoint for PostgresEnd {
    fn count<'a>(&'a self, table: &'a Table) -> LocalBoxFuture<'a, Result<u64>> {
        Box::pin(self.rows_of(table))
    }

    fn next<'a>(&'a mut self, table: &'a Table) -> LocalBoxFuture<'a, Result<Vec<Values>>> {
        Box::pin(self.batch(table))
    }

    fn write<'a>(&'a mut self, table: &'a Table, batch: &'a [Values]) -> LocalBoxFuture<'a, Result<()>> {
        Box::pin(self.store(table, batch))
    }

    /// Tells the planner what a table holds: the first requests must not be planned as if it were empty.
    fn complete<'a>(&'a self, table: &'a Table) -> LocalBoxFuture<'a, Result<()>> {
        Box::pin(async move { self.run(&format!("ANALYZE {}", table.quoted())).await })
    }

    fn arrive(&self) -> LocalBoxFuture<'_, Result<()>> {
        Box::pin(self.execute(UNMARK, marks::UNFINISHED))
    }

    fn leave<'a>(&'a self, to: &'a str, tables: &'a [Table]) -> LocalBoxFuture<'a, Result<()>> {
        Box::pin(self.set_aside(to, tables))
    }

    fn stay<'a>(&'a self, _: &'a str) -> LocalBoxFuture<'a, Result<()>> {
        Box::pin(self.run("COMMIT"))
    }
}

/// A connection that is not given up as soon as a request's would be: whoever moves hours of data can wait a minute.
async fn connect(place: &PostgresPlace) -> Result<Connection> {
    let mut place = place.clone();
    place.options.connect_timeout = place.options.connect_timeout.max(PATIENCE);
    place.options.statement_timeout = place.options.statement_timeout.max(PATIENCE);
    let connection = Hosts::of(&place)?.connect().await?;
    connection.batch_execute(PATIENT).await.map_err(|error| meaning(&error))?;
    Ok(connection)
}

fn is_locked(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED))
}

const fn in_postgres(kind: Kind) -> Type {
    match kind {
        Kind::Int => Type::INT8,
        Kind::Text => Type::TEXT,
        Kind::Bytes => Type::BYTEA,
    }
}
