//! The custom REST API (docs/rest.md): a second view of the same record.

mod access_log;
mod accounts;
mod appointments;
mod arrivals;
mod attachments;
pub mod callers;
mod documents;
mod enemies;
mod glass;
mod kinds;
mod lists;
mod measurements;
mod messages;
mod notices;
mod operations;
mod plans;
mod sharing;
mod teams;
mod tests;
mod users;
mod versions;
