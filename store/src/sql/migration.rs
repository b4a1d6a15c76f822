//! A migration: one step of the schema, the same for every engine, applied once.

use crate::error::Error;

/// Its name and its SQL.
pub type Migration = (&'static str, &'static str);

/// How the SQL of a step begins that concerns the files of the embedded store. Elsewhere it does nothing.
const OF_FILES: &str = "-- Of the embedded store alone";

/// The steps of a schema, in order.
#[derive(Clone, Copy, Debug)]
pub struct Migrations {
    /// Of what changes rarely: who there is, and the records.
    pub records: &'static [Migration],
    /// Of what changes with every grant and refresh.
    pub sessions: &'static [Migration],
    /// Of the ledger, which is a file of its own.
    pub ledger: &'static [Migration],
    /// The same where it is a schema of its own, in which each month has a partition.
    pub ledger_in_postgres: &'static [Migration],
}

impl Migrations {
    /// The steps that every engine knows.
    pub(crate) fn shared(&self) -> impl Iterator<Item = Migration> + '_ {
        self.records.iter().chain(self.sessions).copied()
    }

    /// All steps, as PostgreSQL is given them.
    pub(crate) fn in_postgres(&self) -> impl Iterator<Item = Migration> + '_ {
        let here = |(name, sql): Migration| (name, if sql.starts_with(OF_FILES) { "" } else { sql });
        self.shared().map(here).chain(self.ledger_in_postgres.iter().copied())
    }

    /// Whether this release knows the migration.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.in_postgres().any(|(known, _)| known == name)
    }
}

/// The list of what was done to a database, on every engine.
pub const TABLE: &str = "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)";

/// What becomes of a database that a move has marked as not the one to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// It is refused.
    Refused,
    /// It is the move itself that asks.
    Expected,
}

/// What is said of a database that this release does not know all of.
pub(crate) fn newer_release(what: &str, newer: &str) -> Error {
    Error::Setup(format!(
        "{what} was made by a newer recordgate (it has {newer}); use that version or restore a backup"
    ))
}

/// What is said of a database that lacks something of this release, by whoever only looks at it.
pub(crate) fn earlier_release(what: &str, missing: &str) -> Error {
    Error::Setup(format!(
        "{what} was written by an earlier recordgate (it lacks {missing}); start this one on it once, or use that version"
    ))
}
