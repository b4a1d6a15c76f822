//! Reads that can be long keep to themselves: whoever reads one row is answered while they are at it, and they end in time.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

mod embedded;
mod held;
mod server;
mod world;
