//! The index: the rows by which resources are found.

pub(crate) mod index_change;
pub(crate) mod index_rows;
pub mod own_parameters;
pub(crate) mod own_rows;
pub(crate) mod placement;
pub(crate) mod shared_key;
pub(crate) mod tokens;
