//! `recordgate move`, the built program, between a data directory and a PostgreSQL of the tests' own.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what cannot be in a test must fail it")]

mod between;
mod killed;
mod mover;
#[path = "../cli_commands/operator.rs"]
#[expect(dead_code, reason = "the kit of all tests of commands; these use a part of it")]
mod operator;
mod refusing;
mod ring;
mod service;
mod tokens;
