//! How moments, durations and TOML files are written and read.

pub mod durations;
pub mod toml_table;
pub mod when;
pub mod zone;
