//! Writing over HTTP: create, update, patch and delete, by id and on criteria.

pub(crate) mod acknowledgement;
pub(crate) mod authority;
pub mod create;
pub(crate) mod criteria;
pub mod delete;
pub(crate) mod execution;
pub(crate) mod identities;
pub(crate) mod if_match;
pub mod patch;
pub(crate) mod patch_body;
pub(crate) mod request;
pub(crate) mod submission;
pub(crate) mod target;
pub mod update;
pub(crate) mod url_target;
