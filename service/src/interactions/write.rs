//! Writes: what is asked, at what it is aimed, whether the caller may, and the one transaction.

pub(crate) mod addition;
pub(crate) mod authority;
pub(crate) mod criteria;
pub(crate) mod execution;
pub(crate) mod labeller;
pub(crate) mod patch_body;
pub(crate) mod patient_identities;
pub(crate) mod request;
pub(crate) mod submission;
pub(crate) mod target;
pub(crate) mod version_demand;
