//! The embedded engine: two SQLite files in one directory, readers in place and in a pool, one writer.

mod backup;
mod catalogue;
mod checkpoint;
mod connection;
mod database;
mod end;
mod figures;
mod files;
mod hand;
mod job;
mod migrations;
mod pool;
mod readers;
mod transaction;
mod writer;

pub(crate) use catalogue::tables;
pub(crate) use database::Sqlite;
pub(crate) use end::{SqliteEnd, SqliteTarget};
pub(crate) use job::Rollback;
pub(crate) use migrations::in_sqlite;
pub(crate) use transaction::SqliteTx;
