//! Interactions: read, version, history, search, write, `$everything`, each a function of a caller and of plain values. Whatever
//! shows a record has noted it in the ledger: a resource leaves this room as `Noted`, and in no other way. What is only asked or is
//! refused is counted by `inquiries`.

pub mod absence;
pub(crate) mod access_lines;
pub(crate) mod access_log;
pub(crate) mod arrivals;
pub(crate) mod attachments;
pub(crate) mod choices;
pub(crate) mod consents;
pub(crate) mod deactivation;
pub(crate) mod everything;
pub(crate) mod glass;
pub(crate) mod history;
pub(crate) mod identities;
pub(crate) mod inquiries;
pub(crate) mod invitation;
pub(crate) mod items;
pub(crate) mod last_of_each;
pub(crate) mod lens;
pub(crate) mod letters;
pub(crate) mod messages;
pub(crate) mod meta;
pub(crate) mod noted;
pub(crate) mod notices;
pub(crate) mod opened_attachment;
pub(crate) mod oversight;
pub(crate) mod patient_match;
pub(crate) mod read;
pub(crate) mod receipts;
pub(crate) mod record_view;
pub(crate) mod relabelling;
pub(crate) mod releases;
pub(crate) mod search;
pub(crate) mod snapshot;
pub(crate) mod team_patients;
pub(crate) mod team_search;
pub(crate) mod teams;
pub mod write;
