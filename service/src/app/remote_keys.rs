//! Keys of clients that are registered by URL: fetched within narrow bounds, and kept for as long as their server says.

mod connection;
mod fetch;
mod fetch_fault;
mod shelf;
mod shelves;
mod trusted_roots;

pub use fetch::KeyFetcher;
pub use shelves::{KeysNotFetched, RemoteKeys};
