//! Reach: who sees what, as SQL, and what it is derived from.

mod audience;
pub mod cared_for;
pub mod circle;
pub(crate) mod condition;
pub mod consents;
pub mod grantees;
pub mod in_care;
mod named_patient;
pub mod registrations;
pub mod sight;
pub mod why;
