//! How moments, durations, addresses, browsers, traces, TOML files, what a client accepts and how an answer is packed are written and read.

pub mod accept;
pub mod address_prefix;
pub mod answer_coding;
pub mod audit_event;
pub mod browser_name;
pub mod clinical_date;
pub mod csv;
pub mod durations;
pub mod toml_table;
pub mod trace_parent;
pub mod when;
pub mod zone;
