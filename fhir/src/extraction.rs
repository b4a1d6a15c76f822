//! From a resource to the values by which it is found.

pub mod extract;
pub mod further_row;
pub mod index_row;
pub mod index_value;
pub mod narrative_text;
pub mod timeline_rows;
pub mod words;

mod codes;
mod measures;
pub(crate) mod references;
mod texts;
mod times;
mod walk;
