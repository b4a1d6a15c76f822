//! The built service as an operator has it: its process, its commands, and the world that is laid in its store.

pub(crate) mod accounts;
pub(crate) mod child;
pub(crate) mod clinicians;
pub(crate) mod people;
pub(crate) mod recordgate;
pub(crate) mod sessions;
