//! Holds the tree to the floors that ARCHITECTURE.md draws: what imports what, read off the sources' own `use` lines.

pub mod circles;
pub mod drawing;
pub mod imports;
pub mod paths;
pub mod tree;
pub mod types;
