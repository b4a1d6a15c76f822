//! The shared engine: one PostgreSQL database under any number of nodes.

mod aftermath;
mod answers;
mod connection;
mod copying;
mod database;
mod dialect;
mod exclusive_lock;
mod figures;
mod hosts;
mod loan;
mod looks;
mod maker;
mod migrations;
mod moments;
mod months;
mod names;
mod outboxes;
mod outcome;
mod place;
mod pool;
mod read_turns;
mod readers;
mod tls;
mod transfer_endpoint;
mod trouble;
mod tx;
mod unknown_outcomes;
mod values;

pub(crate) use copying::binary_rows;
pub(crate) use database::Postgres;
pub(crate) use dialect::in_postgres;
pub use place::{PostgresOptions, PostgresPlace};
pub(crate) use transfer_endpoint::PostgresEnd;
pub(crate) use tx::PostgresTx;

/// Statements that only this engine is given.
#[must_use]
pub(crate) fn statements() -> Vec<&'static str> {
    let own = [
        exclusive_lock::STATEMENTS,
        database::STATEMENTS,
        figures::STATEMENTS,
        looks::STATEMENTS,
        moments::STATEMENTS,
        outcome::STATEMENTS,
        outboxes::STATEMENTS,
    ];
    [own.concat(), [migrations::STATEMENTS, months::STATEMENTS, transfer_endpoint::STATEMENTS].concat()].concat()
}
