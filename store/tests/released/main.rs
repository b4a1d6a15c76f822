//! A database of the release before, opened by this one: everything is there, on both engines.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

mod arriving;
mod home;
mod kept;
mod old_node;
mod reader;
mod records;
mod stopping;
mod viewers;
