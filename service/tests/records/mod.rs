//! One file per subject; one test binary, because linking is most of what a test costs to build.

mod fhir_binary;
mod fhir_create;
mod fhir_metadata;
mod fhir_patient;
mod fhir_read_receipts;
mod fhir_reading;
mod fhir_search;
mod rest_attachments;
mod rest_users;
