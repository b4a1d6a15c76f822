//! The schema on PostgreSQL: any number of nodes may start at once, and nodes of the release before may be running.

use super::connection::Connection;
use super::dialect::in_postgres;
use super::trouble::meaning;
use crate::error::{Error, Result};
use crate::sql::advisory_locks::MIGRATING;
use crate::sql::arg::args;
use crate::sql::marks;
use crate::sql::migration::{Marks, Migration, Migrations, TABLE};

/// The server's own limits are for requests; a new index on a large table takes its time.
const BEGIN: &str = "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL lock_timeout = '60s'";
pub(super) const WAIT_FOR_TURN: &str = "SELECT pg_advisory_xact_lock($1)";
const IS_THERE: &str = "SELECT CAST(to_regclass('migrations') AS TEXT)";
const DONE: &str = "SELECT name FROM migrations";
pub(super) const NOTE: &str = "INSERT INTO migrations (name) VALUES ($1)";
/// Each node that starts gets the next number, so that two running ones make different ids.
const NODE: &str = "INSERT INTO settings (name, value) VALUES ('nodes-started', '1')
    ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(settings.value AS BIGINT) + 1 AS TEXT)
    RETURNING CAST(value AS BIGINT)";

/// The first node gives the store its id; a move brings the one that it had.
const NAMED: &str = "SELECT 1 FROM settings WHERE name = 'store-id'";
const NAME: &str = "INSERT INTO settings (name, value)
    VALUES ('store-id', replace(CAST(gen_random_uuid() AS TEXT), '-', '')) ON CONFLICT (name) DO NOTHING";

pub(super) const STATEMENTS: &[&str] = &[WAIT_FOR_TURN, IS_THERE, DONE, NOTE, NODE, NAMED, NAME];

/// Applies what is missing, all of it or nothing. Migrations that this release does not know are a newer release's. Where
/// they only add, this one works on; where they do not, the database refuses its statements.
pub(super) async fn apply(connection: &Connection, migrations: Migrations, marks: Marks) -> Result<()> {
    if missing(migrations, &done(connection, marks).await?).is_empty() {
        return Ok(());
    }
    let work = async {
        connection.batch_execute(BEGIN).await?;
        connection.query_prepared(WAIT_FOR_TURN, args![MIGRATING]).await?;
        connection.batch_execute(TABLE).await
    };
    work.await.map_err(|error| meaning(&error))?;
    // Another node may have done it all while we waited, or a move may have taken the database.
    for (name, sql) in missing(migrations, &done(connection, marks).await?) {
        let apply = async {
            connection.batch_execute(&in_postgres(sql)).await?;
            connection.execute_prepared(NOTE, args![name]).await
        };
        apply.await.map_err(|error| Error::Setup(format!("the migration {name} failed: {}", meaning(&error))))?;
        tracing::info!(name, "migrated");
    }
    connection.batch_execute("COMMIT").await.map_err(|error| meaning(&error))
}

/// The names of what was done to the database: migrations, and marks if they are expected.
pub(super) async fn done(connection: &Connection, marks: Marks) -> Result<Vec<String>> {
    let there = connection.query_prepared(IS_THERE, &[]).await.map_err(|error| meaning(&error))?;
    let is_there = there.iter().any(|row| matches!(row.try_get::<_, Option<&str>>(0), Ok(Some(_))));
    let rows = if is_there {
        connection.query_prepared(DONE, &[]).await.map_err(|error| meaning(&error))?
    } else {
        Vec::new()
    };
    let done: Vec<String> = rows.iter().filter_map(|row| row.try_get(0).ok()).collect();
    if marks == Marks::Refused {
        marks::refuse(&done)?;
    }
    Ok(done)
}

pub(super) fn missing(migrations: Migrations, done: &[String]) -> Vec<Migration> {
    migrations.in_postgres().filter(|(name, _)| !done.iter().any(|done| done == name)).collect()
}

/// Gives the store an id, unless it has one.
pub(super) async fn name(connection: &Connection) -> Result<()> {
    // Asked first: a move that reads the database lets nobody write.
    if connection.query_prepared(NAMED, &[]).await.map_err(|error| meaning(&error))?.is_empty() {
        connection.execute_prepared(NAME, &[]).await.map_err(|error| meaning(&error))?;
    }
    Ok(())
}

pub(super) async fn node_number(connection: &Connection) -> Result<u16> {
    let rows = connection.query_prepared(NODE, &[]).await.map_err(|error| meaning(&error))?;
    let number = rows.first().and_then(|row| row.try_get::<_, i64>(0).ok()).unwrap_or_default();
    // Ten bits are used; the remainder keeps neighbours apart.
    Ok(u16::try_from(number.rem_euclid(1024)).unwrap_or_default())
}
