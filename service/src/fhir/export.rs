//! Bulk Data export: kick-off, status, files.

pub(crate) mod claim;
pub mod file;
pub mod kick_off;
pub mod status;
