//! How a refusal is said: as an OperationOutcome, as custom REST JSON, as a page.

pub mod api;
pub mod page;
