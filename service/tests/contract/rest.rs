//! The custom REST API (docs/rest.md): a second view of the same record.

mod appointments;
mod attachments;
pub mod callers;
mod documents;
mod enemies;
mod kinds;
mod lists;
mod measurements;
mod operations;
mod plans;
mod tests;
mod users;
mod versions;
