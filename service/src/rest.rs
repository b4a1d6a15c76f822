//! The custom REST API, `{base_url}/json/…`: docs/rest.md. What all kinds of items have is written once (`list`, `create`, `update`,
//! `delete`), for each kind that `interactions/items/kind.rs` knows.

pub(crate) mod access_log;
pub(crate) mod accounts;
pub(crate) mod answer;
pub(crate) mod arrivals;
pub mod attachments;
pub(crate) mod body;
pub(crate) mod consents;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod documents;
pub(crate) mod glass;
pub(crate) mod invitations;
pub(crate) mod list;
pub(crate) mod list_entry;
pub(crate) mod measurements;
pub(crate) mod messages;
pub(crate) mod notices;
pub(crate) mod one;
pub(crate) mod page_link;
pub(crate) mod parts;
pub(crate) mod plans;
pub(crate) mod privacy_labels;
pub(crate) mod teams;
pub(crate) mod test_results;
pub(crate) mod update;
pub mod users;
