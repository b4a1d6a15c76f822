//! The shared engine: one PostgreSQL database under any number of nodes.

mod aftermath;
mod alone;
mod answers;
mod connection;
mod copying;
mod database;
mod dialect;
mod end;
mod figures;
mod hosts;
mod loan;
mod maker;
mod migrations;
mod months;
mod names;
mod outcome;
mod place;
mod pool;
mod readers;
mod tls;
mod trays;
mod trouble;
mod tx;
mod unknown_outcomes;
mod values;

pub(crate) use copying::binary_rows;
pub(crate) use database::Postgres;
pub(crate) use dialect::in_postgres;
pub(crate) use end::PostgresEnd;
pub use place::{PostgresOptions, PostgresPlace};
pub(crate) use tx::PostgresTx;

/// Statements that only this engine is given.
#[must_use]
pub(crate) fn statements() -> Vec<&'static str> {
    let own = [alone::STATEMENTS, database::STATEMENTS, figures::STATEMENTS, outcome::STATEMENTS, trays::STATEMENTS];
    [own.concat(), [migrations::STATEMENTS, months::STATEMENTS, end::STATEMENTS].concat()].concat()
}
