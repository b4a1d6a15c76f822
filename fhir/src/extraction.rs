//! From a resource to the values by which it is found.

pub mod course_rows;
pub mod extract;
pub mod further_row;
pub mod index_row;
pub mod index_value;
pub mod words;

mod codes;
mod division;
mod measures;
pub(crate) mod references;
mod texts;
mod times;
mod walk;
