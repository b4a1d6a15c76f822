//! `recordgate move`, between a data directory and a PostgreSQL of the tests' own.

mod key_ring;
mod kills;
mod last_writes;
mod mover;
#[path = "../program/commands/operator.rs"]
#[expect(dead_code, reason = "the kit of all tests of commands; these use a part of it")]
mod operator;
mod refusals;
mod service;
mod tokens;
