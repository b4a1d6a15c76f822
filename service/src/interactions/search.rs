//! Searches: the query, where it looks, and a page of what it finds, noted.

pub(crate) mod context;
pub(crate) mod includes;
pub(crate) mod own_parameters;
pub(crate) mod page;
pub(crate) mod query;
