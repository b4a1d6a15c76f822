//! The two APIs' records, sentence by sentence: who reaches what, who writes what, and what counts as read.

mod associations;
mod conditional;
mod deletions;
mod downloads;
mod every_type;
mod exchanges;
mod fhir_binary;
mod fhir_create;
mod fhir_document;
mod fhir_metadata;
mod fhir_patient;
mod fhir_read_receipts;
mod fhir_search;
mod history;
mod imports;
mod opened_versions;
mod patches;
mod reach;
mod rest_attachments;
mod rest_users;
mod rights;
mod shared_records;
mod sources;
mod updates;
mod uploads;
mod versions;
