//! Reading one resource.

pub(crate) mod answer;
pub mod instance;
pub(crate) mod options;
pub mod patient;
pub(crate) mod request;
