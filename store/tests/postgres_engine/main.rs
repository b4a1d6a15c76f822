//! What PostgreSQL is for: many nodes on one database, and a database that goes away and comes back.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what cannot be in a test must fail it"
)]

mod chains;
mod encrypted;
mod failover;
mod faults;
#[path = "../contract/granted.rs"]
#[expect(dead_code, reason = "the kit of all the store's tests; these use a part of it")]
mod granted;
mod home;
mod lost;
mod nodes;
mod processes;
mod silent;
mod starting;
#[path = "../contract/together.rs"]
mod together;
mod wire;
#[path = "../contract/world.rs"]
#[expect(dead_code, reason = "the kit of all the store's tests; these use a part of it")]
mod world;
