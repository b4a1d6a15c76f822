//! What PostgreSQL is for: many nodes on one database, and a database that goes away and comes back.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what cannot be in a test must fail it"
)]

mod chains;
mod failover;
mod faults;
#[path = "../contract/grant.rs"]
#[expect(dead_code, reason = "the kit of all the store's tests; these use a part of it")]
mod grant;
mod home;
mod lost_commits;
mod nodes;
mod own_parameters;
mod processes;
#[path = "../contract/shelf.rs"]
#[expect(dead_code, reason = "the kit of all the store's tests; these use a part of it")]
mod shelf;
mod silence;
mod start;
mod tls;
#[path = "../contract/together.rs"]
mod together;
mod wire;
#[path = "../contract/world.rs"]
mod world;
