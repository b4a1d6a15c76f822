//! Every statement of the store, for the tests that prepare each one on each engine.

use crate::{
    clients, db, documents, grants, ledger, organisations, people, postgres, records, seen, sessions, settings, sweep,
    world, writing,
};

/// What both engines are given.
#[must_use]
pub fn shared() -> Vec<String> {
    let constants = [
        clients::STATEMENTS,
        grants::STATEMENTS,
        ledger::STATEMENTS,
        organisations::STATEMENTS,
        people::STATEMENTS,
        seen::STATEMENTS,
        sessions::STATEMENTS,
        settings::STATEMENTS,
        sweep::STATEMENTS,
        world::STATEMENTS,
        writing::STATEMENTS,
    ];
    let constants = constants.into_iter().flatten().copied().chain(records::statements());
    constants.map(String::from).chain(documents::statements()).collect()
}

/// Those that PostgreSQL is given with a row lock. SQLite has one writer and needs none.
#[must_use]
pub fn locking() -> Vec<String> {
    let locking = [clients::LOCKING, people::LOCKING, sessions::LOCKING, writing::LOCKING];
    locking.into_iter().flatten().map(|sql| db::locking(sql)).collect()
}

/// What only PostgreSQL is given: about its own commits, its migrations, and whose turn it is.
#[must_use]
pub fn postgres_alone() -> Vec<&'static str> {
    postgres::statements()
}
