//! What any request needs, whichever part answers it: forms, where it comes from, patience while it arrives.

pub mod forms;
pub mod origin;
pub(crate) mod patience;
