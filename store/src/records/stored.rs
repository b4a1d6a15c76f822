//! What is stored of a resource: its row, its body, its hashes.

pub(crate) mod digest;
pub(crate) mod origin;
pub(crate) mod packing;
pub mod resource;
pub(crate) mod resource_row;
pub mod source_names;
