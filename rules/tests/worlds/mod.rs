//! What random worlds are made of, and what is said of them in another way.

pub(crate) mod changes;
pub(crate) mod columns;
pub(crate) mod draw;
pub(crate) mod records;
pub(crate) mod scenes;
