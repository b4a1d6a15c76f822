//! Reach: who sees what, as SQL, and what it is derived from.

pub mod cared_for;
pub mod circle;
pub(crate) mod condition;
pub mod consents;
pub mod grantees;
pub mod in_care;
mod lens;
mod named_patient;
mod parties;
pub mod registrations;
pub mod sight;
pub mod why;
