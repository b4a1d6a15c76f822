//! Holds the tree to the floors that ARCHITECTURE.md draws: what imports what, read off the sources' own `use` lines; and reads
//! the tables of the documents for the tests that hold the program to them, and finds the tests that documents name.

pub mod circles;
pub mod drawing;
pub mod imports;
pub mod operations;
pub mod paths;
pub mod requirements;
pub mod tables;
pub mod test_files;
pub mod tree;
pub mod types;
