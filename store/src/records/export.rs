//! Exports: what was asked for, and the records as they were at that moment.

pub mod jobs;
pub mod snapshot;
