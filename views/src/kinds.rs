//! The kinds of items, one file each: what of a resource is shown, and how what is sent becomes one.

pub mod allergy;
pub mod appointment;
pub mod consent;
pub mod contact;
pub mod conversation;
pub mod deactivation;
pub mod diagnosis;
pub mod document;
pub mod document_types;
pub mod glass;
pub mod invitation;
pub mod journal;
pub mod labelling;
pub mod log_line;
pub mod measurement;
pub mod medication;
pub mod message;
pub mod notice;
pub mod person;
pub mod plan;
pub mod reactions;
pub mod symptom;
pub mod team;
pub mod test_list;
pub mod test_result;

mod dosage;
mod subject;
