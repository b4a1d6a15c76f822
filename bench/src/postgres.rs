//! The PostgreSQL that a run uses.

pub(crate) mod connection;
pub(crate) mod database;
pub(crate) mod place;
