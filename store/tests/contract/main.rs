//! The store by contract: each file tells one subject in sentences, on a real store in a directory of its own.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

mod asking;
mod backups;
mod checkpoints;
mod child;
mod codes;
mod declared;
mod documents;
mod forms;
mod full_disk;
mod granted;
mod grouping;
mod home;
mod killed;
mod ledger;
mod opening;
mod racing;
mod reach;
mod refreshing;
mod remembering;
mod remembering_records;
mod searching;
mod shelf;
mod statements;
mod sweeping;
mod together;
mod world;
mod writing;
