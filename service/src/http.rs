//! What any request needs, whichever part answers it: its call, forms, where it comes from, patience while it arrives.

pub mod call;
pub(crate) mod compression;
pub(crate) mod cors;
pub(crate) mod delivery;
pub mod encoding;
pub mod forms;
pub(crate) mod head;
pub mod origin;
pub(crate) mod pacing;
mod path;
pub(crate) mod patience;
pub(crate) mod receipt;
pub(crate) mod streams;
pub(crate) mod unpacked;
pub mod well_known;
