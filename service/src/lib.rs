//! The service: knows HTTP and pages, nothing of SQL. A request goes service → store with one ruling in the middle.

pub mod app;
pub mod caller;
pub mod clock;
pub mod dice;
pub mod documents;
pub mod fhir;
pub mod keys;
pub mod metrics;
pub mod passwords;
pub mod reference;
pub mod rest;
pub mod secret;
pub mod throttle;
pub mod tokens;
pub mod voice;
pub mod when;
