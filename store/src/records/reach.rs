//! Reach: who sees what, as SQL, and what it is derived from.

pub(crate) mod condition;
pub mod registrations;
pub mod sight;
