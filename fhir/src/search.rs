//! Searches: what a query asks, read from its text into a tree, and which resources that finds.

pub mod belonging;
pub mod comparison;
pub mod controls;
pub mod criterion;
pub mod evaluation;
pub mod modifier;
pub mod naming;
pub mod prefix;
pub mod query;
pub mod query_fault;
pub mod reading;
pub mod sieve;
pub mod unknown_parameters;
pub mod word_test;
pub mod wording;

mod escapes;
mod values;
