//! The store by contract: each file tells one subject in sentences, on a real store in a directory of its own.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

mod assertions;
mod backups;
mod bearer;
mod binaries;
mod checkpoints;
mod child;
mod codes;
mod declaration;
mod documents;
mod figures;
mod forms;
mod full_disk;
mod grant;
mod group_commit;
mod home;
mod kill;
mod ledger;
mod logins;
mod long_reads;
mod memory;
mod memory_by_key;
mod memory_of_records;
mod races;
mod reach;
mod refresh_tokens;
mod search;
mod settings;
mod shelf;
mod start;
mod statements;
mod sweep;
mod together;
mod versions;
mod world;
mod write;
