//! Consents: the one way in which every door changes one, and what of them a caller is shown.

pub(crate) mod change;
pub(crate) mod fhir_consent;
pub(crate) mod given;
pub(crate) mod grantee;
pub(crate) mod invited;
pub(crate) mod label_counts;
pub(crate) mod shared;
pub(crate) mod shown;
