//! The custom REST API, `{base_url}/json/…`.

pub mod attachments;
pub mod users;
