//! Moving a store from one database to another, in every direction between the two engines.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

mod arrival;
mod home;
mod interruption;
mod months;
mod nodes;
#[path = "../contract/notary.rs"]
mod notary;
mod proof;
mod refusals;
