//! The custom REST API, `{base_url}/json/…`.

pub mod attachments;
pub mod users;

mod national_ids;
pub(crate) mod person;
mod person_of_patient;
