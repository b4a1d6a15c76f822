//! The one list of routes, and finding the route of a request.

pub mod dispatch;
mod fhir_list;
mod lens_table;
mod list;
mod operations;
mod paths;
mod report;
mod rest_list;
mod route;
mod served;
mod wrong_place;

pub use crate::callers::requirement::Who;
pub use crate::voices::stop::Voice;
pub use list::routes;
pub use route::Route;
