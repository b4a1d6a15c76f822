//! The custom REST API's views of FHIR resources (docs/rest.md): pure functions from a resource to what an app is shown, and from
//! what an app sends to a resource. No clock, no I/O.

pub mod elements;
pub mod facts;
pub mod item;
pub mod kinds;
pub mod list;
pub mod measurement_types;
pub mod members;
pub mod observation;
pub mod order;
pub mod section;
pub mod sent;
pub mod view;

pub mod html;
mod tree;
