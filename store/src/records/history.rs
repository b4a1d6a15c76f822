//! The past of resources: versions, and the history of a type.

pub mod beginnings;
pub mod type_history;
pub mod versions;
pub mod window;
