//! The built program where PostgreSQL is needed: several processes on one database, and moves from engine to engine.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is not as expected must fail the test"
)]

mod bound_tokens;
mod bounds;
mod chain;
mod failover;
mod fleet;
mod moves;
mod one_service;
mod polling;
mod purposes;
mod store_presence;
#[path = "../terminal/mod.rs"]
#[expect(dead_code, reason = "the kit of all tests of the built program; these use a part of it")]
mod terminal;
