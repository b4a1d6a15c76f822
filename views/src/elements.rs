//! Elements of FHIR that several views show: how each is read off a resource, and how it is changed there.

pub mod attachment;
pub mod code;
pub mod party;
pub mod source;

pub(crate) mod choice;
pub(crate) mod extension;
pub(crate) mod note;
pub(crate) mod quantity;
pub(crate) mod value_text;
