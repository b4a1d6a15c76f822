//! The embedded engine: a few SQLite files in one directory, readers in place and in a pool, one writer.

mod archive;
mod backup;
mod catalogue;
mod checkpoint;
mod condition;
mod connection;
mod database;
mod end;
mod figures;
mod files;
mod hand;
mod identity;
mod integrity;
mod job;
mod ledger_file;
mod lock;
mod log_header;
mod migrations;
mod months;
mod pool;
mod presence;
mod readers;
mod transaction;
mod trays;
mod unfinished;
mod writer;

pub(crate) use archive::{ArchiveFile, UnfinishedArchive};
pub(crate) use catalogue::tables;
pub(crate) use database::Sqlite;
pub(crate) use end::{SqliteEnd, SqliteTarget};
pub(crate) use files::parts;
pub(crate) use integrity::faults;
pub(crate) use job::Rollback;
pub(crate) use migrations::in_sqlite;
pub(crate) use transaction::SqliteTx;
pub(crate) use unfinished::refuse;
