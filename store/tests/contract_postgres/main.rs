//! The store by contract on PostgreSQL: the same sentences as on SQLite, word for word, in databases of a private cluster.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

#[path = "../contract/asking.rs"]
mod asking;
#[path = "../contract/codes.rs"]
mod codes;
#[path = "../contract/declared.rs"]
mod declared;
#[path = "../contract/documents.rs"]
mod documents;
#[path = "../contract/forms.rs"]
mod forms;
#[path = "../contract/granted.rs"]
mod granted;
mod home;
#[path = "../contract/ledger.rs"]
mod ledger;
mod plans;
#[path = "../contract/racing.rs"]
mod racing;
#[path = "../contract/reach.rs"]
mod reach;
#[path = "../contract/refreshing.rs"]
mod refreshing;
#[path = "../contract/remembering.rs"]
mod remembering;
#[path = "../contract/remembering_records.rs"]
mod remembering_records;
#[path = "../contract/searching.rs"]
mod searching;
#[path = "../contract/shelf.rs"]
mod shelf;
mod statements;
#[path = "../contract/sweeping.rs"]
mod sweeping;
#[path = "../contract/together.rs"]
mod together;
#[path = "../contract/world.rs"]
mod world;
#[path = "../contract/writing.rs"]
mod writing;
