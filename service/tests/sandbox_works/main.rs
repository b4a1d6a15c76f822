//! The sandbox: its world, its guide, its clock, each client kind's flow, and the sample app, over real sockets.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a sandbox that cannot be started or asked fails the test that wanted it"
)]

mod browser;
mod client_kinds;
mod clock;
mod guide;
mod house;
mod sample_app;
mod started;
mod world;
