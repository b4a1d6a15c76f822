//! Writing over HTTP: create, update, patch and delete, by id and on criteria.

pub(crate) mod acknowledgement;
pub(crate) mod conditional;
pub mod create;
pub mod delete;
pub(crate) mod if_match;
pub mod patch;
pub mod update;
pub(crate) mod url_target;
