//! How moments, durations, addresses, browsers, traces and TOML files are written and read.

pub mod address_prefix;
pub mod audit_event;
pub mod browser_name;
pub mod csv;
pub mod durations;
pub mod toml_table;
pub mod trace_parent;
pub mod when;
pub mod zone;
