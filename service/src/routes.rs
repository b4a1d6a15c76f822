//! The one list of routes, and finding the route of a request.

pub mod dispatch;
mod list;

pub use list::{Route, Who, routes};
