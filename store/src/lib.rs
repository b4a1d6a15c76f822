//! The store: knows SQL and the database engine, nothing of HTTP. Every change is one transaction with one ruling in it.

pub mod asking;
pub mod backup;
mod by_id;
mod checkpoint;
pub mod clients;
mod db;
pub mod documents;
mod error;
pub mod grants;
mod ids;
mod job;
#[doc(hidden)]
pub mod journeys;
pub mod ledger;
mod memory;
mod migrate;
pub mod moving;
pub mod organisations;
pub mod people;
mod postgres;
pub mod profile;
pub mod records;
mod remembered;
mod row;
pub mod salt;
pub mod searching;
pub mod seen;
pub mod sessions;
pub mod settings;
mod sqlite;
mod sqlite_tx;
mod store;
pub mod sweep;
mod within;
pub mod world;
mod writer;
pub mod writing;

pub use error::{Error, Result};
pub use postgres::{PostgresOptions, PostgresPlace};
pub use store::{Place, Store};

/// Every SQL statement that both engines are given, for the test that prepares them all.
#[must_use]
pub fn statements() -> Vec<String> {
    let lists = [
        asking::STATEMENTS,
        clients::STATEMENTS,
        grants::STATEMENTS,
        ledger::STATEMENTS,
        organisations::STATEMENTS,
        people::STATEMENTS,
        profile::STATEMENTS,
        seen::STATEMENTS,
        sessions::STATEMENTS,
        sessions::opening::STATEMENTS,
        settings::STATEMENTS,
        sweep::STATEMENTS,
        world::STATEMENTS,
        writing::STATEMENTS,
    ];
    let constant = lists.into_iter().flatten().copied().chain(records::statements());
    constant.map(String::from).chain(searching::statements()).chain(documents::statements()).collect()
}

/// Those of them that PostgreSQL is given with a row lock; SQLite has one writer and needs none.
#[must_use]
pub fn locking_statements() -> Vec<String> {
    let lists = [clients::LOCKING, people::LOCKING, sessions::LOCKING, writing::LOCKING];
    lists.into_iter().flatten().map(|sql| db::locking(sql)).collect()
}

/// What only PostgreSQL is given: about its own commits, its migrations, and whose turn it is.
#[must_use]
pub fn postgres_statements() -> Vec<&'static str> {
    postgres::statements()
}
