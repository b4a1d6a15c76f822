//! Documents as both APIs hand them out: their content as bytes, and the note that their patient has read them.

mod byte_range;
pub mod content;
mod file_name;
mod passage;
pub mod reading;
pub(crate) mod sent_file;
