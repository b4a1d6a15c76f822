//! The built program, driven from outside: by an operator at a terminal, and as the sandbox that a newcomer tries.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is not as expected must fail the test"
)]

mod commands;
mod monitoring;
mod operating_document;
mod sandbox;
#[path = "../terminal/mod.rs"]
#[expect(dead_code, reason = "the kit of all tests of the built program; these use a part of it")]
mod terminal;
mod tls;
