//! Whether a store is whole: what is checked, and what is found.

mod chain;
mod examination;
mod fault;
mod files;
mod list;

pub(crate) mod contents;
pub(crate) mod derivation;
pub(crate) mod extraction;
pub(crate) mod hashes;
pub(crate) mod index_table;
pub(crate) mod own_values;
pub(crate) mod past;
pub(crate) mod span;

pub use fault::Fault;
pub use list::{CHECKS, Check, Findings, run};
