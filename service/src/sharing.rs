//! What every door needs that changes a consent: its FHIR form, and when the patient was born.

pub(crate) mod birth;
pub(crate) mod default_label;
pub(crate) mod form;
