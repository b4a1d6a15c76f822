//! Holds the views to docs/rest.md and to FHIR: its tables, its examples, and that nothing is lost on the way.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what cannot be read must fail the test"
)]

mod examples;
mod keeping;
mod kit;
mod lists;
mod observations;
mod odd_fhir;
mod refusals;
mod round_trips;
mod specimens;
mod tables;
