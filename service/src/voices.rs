//! How a refusal is said: as token JSON, as an OperationOutcome, as custom REST JSON, as a page.

pub mod api;
pub mod page;
pub mod problem;
pub mod stop;
pub mod token;
