//! `recordgate move`, between a data directory and a PostgreSQL of the tests' own.

mod key_ring;
mod kills;
mod last_writes;
pub(crate) mod mover;
mod refusals;
mod tokens;
