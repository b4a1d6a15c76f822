//! How moments, durations, addresses, traces and TOML files are written and read.

pub mod address_prefix;
pub mod durations;
pub mod toml_table;
pub mod trace_parent;
pub mod when;
