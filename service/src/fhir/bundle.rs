//! Bundles of requests: batches and transactions.

pub mod endpoint;
pub(crate) mod entry;
pub(crate) mod entry_read;
pub(crate) mod responses;
pub(crate) mod transaction;
