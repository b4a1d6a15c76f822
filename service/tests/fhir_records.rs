//! The two APIs' records, sentence by sentence: who reaches what, who writes what, and what counts as read.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is not as it should be must fail the test"
)]

mod records;
mod records_world;
