//! The barest programs that could do the same work: the ceilings that the service is measured against.

pub(crate) mod commit_loop;
#[cfg(test)]
mod driver_tests;
pub(crate) mod order;
mod places;
mod postgres_journeys;
pub(crate) mod postgres_reads;
pub(crate) mod postgres_refreshes;
pub(crate) mod server;
pub(crate) mod sessions_file;
pub(crate) mod worker;
