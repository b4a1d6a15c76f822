//! The store by contract on PostgreSQL: the same sentences as on SQLite, word for word, in databases of a private cluster.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be in a test must fail it")]

#[path = "../contract/assertions.rs"]
mod assertions;
#[path = "../contract/bearer.rs"]
mod bearer;
#[path = "../contract/binaries.rs"]
mod binaries;
#[path = "../contract/changes.rs"]
mod changes;
#[path = "../contract/checks.rs"]
mod checks;
#[path = "../contract/codes.rs"]
mod codes;
#[path = "../contract/contents.rs"]
mod contents;
#[path = "../contract/damage.rs"]
mod damage;
#[path = "../contract/declaration.rs"]
mod declaration;
#[path = "../contract/deeds.rs"]
mod deeds;
#[path = "../contract/documents.rs"]
mod documents;
#[path = "../contract/exports.rs"]
mod exports;
#[path = "../contract/figures.rs"]
mod figures;
#[path = "../contract/forms.rs"]
mod forms;
#[path = "../contract/grant.rs"]
mod grant;
mod home;
#[path = "../contract/invitations.rs"]
mod invitations;
#[path = "../contract/ledger.rs"]
mod ledger;
#[path = "../contract/logins.rs"]
mod logins;
#[path = "../contract/long_reads.rs"]
mod long_reads;
#[path = "../contract/memory.rs"]
mod memory;
#[path = "../contract/memory_of_records.rs"]
mod memory_of_records;
#[path = "../contract/months.rs"]
mod months;
#[path = "../contract/notary.rs"]
mod notary;
#[path = "../contract/own_parameters.rs"]
mod own_parameters;
#[path = "../contract/passkeys.rs"]
mod passkeys;
#[path = "../contract/pieces.rs"]
mod pieces;
mod plans;
#[path = "../contract/proofs.rs"]
mod proofs;
#[path = "../contract/races.rs"]
mod races;
#[path = "../contract/reach.rs"]
mod reach;
#[path = "../contract/refresh_tokens.rs"]
mod refresh_tokens;
#[path = "../contract/retention.rs"]
mod retention;
#[path = "../contract/search.rs"]
mod search;
#[path = "../contract/settings.rs"]
mod settings;
#[path = "../contract/shelf.rs"]
mod shelf;
mod statements;
#[path = "../contract/sweep.rs"]
mod sweep;
#[path = "../contract/together.rs"]
mod together;
#[path = "../contract/transactions.rs"]
mod transactions;
#[path = "../contract/versions.rs"]
mod versions;
#[path = "../contract/words.rs"]
mod words;
#[path = "../contract/world.rs"]
mod world;
#[path = "../contract/write.rs"]
mod write;
