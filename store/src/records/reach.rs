//! Reach: who sees what, as SQL, and what it is derived from.

pub(crate) mod condition;
mod named_patient;
pub mod registrations;
pub mod sight;
