//! The custom REST API (docs/rest.md): a second view of the same record.

mod callers;
mod enemies;
mod kinds;
mod lists;
mod measurements;
mod operations;
mod versions;
