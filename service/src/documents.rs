//! Documents as both APIs hand them out: their content as bytes, and the note that their patient has read them.

pub mod content;
mod file_name;
pub mod reading;
