//! Documents: Binaries, their content, and whether it was read.

pub mod attachments;
pub(crate) mod binary;
pub mod contents;
pub mod delays;
pub mod receipts;
