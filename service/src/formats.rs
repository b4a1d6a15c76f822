//! How moments, durations, browsers and TOML files are written and read.

pub mod browser_name;
pub mod csv;
pub mod durations;
pub mod toml_table;
pub mod when;
pub mod zone;
