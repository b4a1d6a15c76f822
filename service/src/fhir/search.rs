//! Searching over HTTP: the query string, its context, pages and the Bundle.

pub mod endpoint;
pub(crate) mod page_token;
pub(crate) mod query_string;
pub(crate) mod searchset;
