//! The documentation of the routes, made from their list and from the rules: OpenAPI, a page, and docs/api.md.

mod components;
mod content;
mod examples;
mod fhir_bodies;
pub mod inputs;
pub mod listing;
mod markdown;
mod openapi;
pub mod outputs;
mod page;
mod refusals;
mod schemas;

pub use markdown::markdown;
pub use openapi::read as openapi;
pub use page::show as page;
