//! Searching over HTTP: the query string, its context, pages and the Bundle.

pub(crate) mod context;
pub mod endpoint;
pub(crate) mod includes;
pub(crate) mod own_parameters;
pub(crate) mod page_token;
pub(crate) mod query_string;
pub(crate) mod searchset;
