//! The store by contract: each file tells one subject in sentences, on a real store in a directory of its own.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what cannot be in a test must fail it"
)]

mod checkpoints;
mod codes;
mod declared;
mod documents;
mod forms;
mod granted;
mod grouping;
mod killed;
mod racing;
mod reach;
mod refreshing;
mod remembering;
mod searching;
mod shelf;
mod sweeping;
mod together;
mod world;
mod writing;
