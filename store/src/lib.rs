//! The store: knows SQL and the database engine, nothing of HTTP. Every change is one transaction with one ruling in it.

mod access;
pub mod accounts;
mod cache;
pub mod checks;
pub mod distribution;
mod engine;
mod error;
pub mod factors;
pub mod figures;
mod ids;
pub mod ledger;
mod lines;
mod obstacle;
mod place;
mod postgres;
mod private_files;
mod records;
mod schema;
mod shorthands;
mod sql;
mod sqlite;
mod store;
mod upkeep;
mod version_clock;

pub use access::{
    assertions, attestation, bearer, client_invitations, client_sessions, clients, deactivation, ended_grants, endings,
    grants, invitation_tries, invitations, invited_accounts, opening, organisations, papers, patients, people, profile,
    proofs, revocation, salt, sessions, sign_ins, standing_grants, team_grants, vocabulary,
};
pub use cache::WriteMark;
pub use error::{Error, Result};
pub use obstacle::Obstacle;
pub use place::Place;
pub use postgres::{PostgresOptions, PostgresPlace};
pub use records::{
    documents, export, history, identities, index, messages, ownership, presence, reach, read, search, sharing, stored,
    write,
};
pub use sql::budget::Budget;
pub use sql::caller_key::{self, CallerKey};
pub use sql::table::{Column, Kind, Table};
pub use store::Store;
#[doc(hidden)]
pub use upkeep::journeys;
pub use upkeep::{
    backup, content, filling, moving, parts, rehearsal, reindex, release, relocation, ring, settings, signing_keys,
    sweep, world,
};

/// Every SQL statement that both engines are given, for the test that prepares them all.
#[must_use]
pub fn statements() -> Vec<String> {
    let lists = [
        accounts::addresses::STATEMENTS,
        accounts::links::STATEMENTS,
        accounts::mails::STATEMENTS,
        accounts::queue::STATEMENTS,
        assertions::STATEMENTS,
        attestation::STATEMENTS,
        bearer::STATEMENTS,
        checks::contents::STATEMENTS,
        checks::derivation::STATEMENTS,
        checks::extraction::STATEMENTS,
        checks::hashes::STATEMENTS,
        checks::index_table::STATEMENTS,
        checks::own_values::STATEMENTS,
        checks::past::STATEMENTS,
        checks::span::STATEMENTS,
        client_invitations::STATEMENTS,
        client_sessions::STATEMENTS,
        clients::STATEMENTS,
        deactivation::STATEMENTS,
        ended_grants::STATEMENTS,
        factors::STATEMENTS,
        factors::links::STATEMENTS,
        factors::passkeys::STATEMENTS,
        grants::STATEMENTS,
        invitation_tries::STATEMENTS,
        invitations::STATEMENTS,
        invited_accounts::STATEMENTS,
        access::memberships::STATEMENTS,
        opening::STATEMENTS,
        organisations::STATEMENTS,
        papers::STATEMENTS,
        patients::STATEMENTS,
        people::STATEMENTS,
        profile::STATEMENTS,
        proofs::STATEMENTS,
        revocation::STATEMENTS,
        sessions::STATEMENTS,
        sign_ins::STATEMENTS,
        standing_grants::STATEMENTS,
        team_grants::STATEMENTS,
        access::user_sessions::STATEMENTS,
        ledger::addition::STATEMENTS,
        ledger::biography::STATEMENTS,
        ledger::blocks::STATEMENTS,
        ledger::closure::STATEMENTS,
        ledger::names::STATEMENTS,
        ledger::older::STATEMENTS,
        ledger::reading::STATEMENTS,
        ledger::roots::STATEMENTS,
        ledger::verification::STATEMENTS,
        sql::outbox::STATEMENTS,
        documents::attachments::STATEMENTS,
        documents::contents::STATEMENTS,
        write::audience::STATEMENTS,
        documents::delays::STATEMENTS,
        write::delay::STATEMENTS,
        write::deletion::STATEMENTS,
        documents::receipts::STATEMENTS,
        messages::STATEMENTS,
        export::jobs::STATEMENTS,
        index::tokens::STATEMENTS,
        index::index_change::STATEMENTS,
        index::index_rows::STATEMENTS,
        stored::origin::STATEMENTS,
        stored::source_names::STATEMENTS,
        history::beginnings::STATEMENTS,
        index::own_parameters::STATEMENTS,
        index::placement::STATEMENTS,
        write::predecessor::STATEMENTS,
        write::staging::STATEMENTS,
        ownership::STATEMENTS,
        presence::STATEMENTS,
        reach::cared_for::STATEMENTS,
        reach::circle::STATEMENTS,
        reach::consents::STATEMENTS,
        reach::grantees::STATEMENTS,
        reach::in_care::STATEMENTS,
        reach::registrations::STATEMENTS,
        search::cached_page::STATEMENTS,
        sharing::change::STATEMENTS,
        sharing::declared::STATEMENTS,
        sharing::glass::STATEMENTS,
        sharing::notices::STATEMENTS,
        sharing::states::STATEMENTS,
        stored::resource_row::STATEMENTS,
        reach::sight::STATEMENTS,
        reach::why::STATEMENTS,
        read::STATEMENTS,
        export::snapshot::STATEMENTS,
        reindex::STATEMENTS,
        release::STATEMENTS,
        relocation::STATEMENTS,
        ring::STATEMENTS,
        settings::STATEMENTS,
        signing_keys::STATEMENTS,
        store::STATEMENTS,
        filling::STATEMENTS,
        sweep::STATEMENTS,
    ];
    let constant = lists.into_iter().flatten().map(|statement| statement.sql.to_owned());
    constant
        .chain(scoped_statements())
        .chain(documents::attachments::longer_statements())
        .chain(documents::delays::longer_statements())
        .chain(documents::receipts::longer_statements())
        .chain(ownership::longer_statements())
        .chain(reach::why::longer_statements())
        .collect()
}

/// Those of them that read records within a reach, for each kind of reach.
#[must_use]
pub fn scoped_statements() -> Vec<String> {
    let lists = [
        history::type_history::statements(),
        read::statements(),
        documents::binary::statements(),
        reach::circle::statements(),
        search::compartment::statements(),
        search::inventory::statements(),
        identities::statements(),
        messages::statements(),
        search::includes::statements(),
        search::cached_page::statements(),
        export::snapshot::statements(),
        history::versions::statements(),
    ];
    lists.concat()
}

/// The text that finds a page of a search within a reach, for the tests that plan it: there are as many as there are shapes
/// of queries, so that no list has them all.
#[must_use]
pub fn search_text(reach: &rules::reach::Reach, search: &search::compile::Search<'_>) -> String {
    search::compile::compile(reach, search).sql
}

/// What a search asks of the database, each with its arguments: its page along each of its walks, and its count. For the tests that
/// count the steps which an engine makes.
#[doc(hidden)]
#[must_use]
pub fn search_statements(
    reach: &rules::reach::Reach,
    search: &search::compile::Search<'_>,
    now: rules::moment::Moment,
) -> Vec<(String, Vec<rusqlite::types::Value>)> {
    use rusqlite::types::Value;
    use sql::arg::{Arg, OwnedArg};
    let own = reach::condition::ReachArgs::of(reach, now);
    let page = search::compile::compile(reach, search);
    let count = search::compile::compile_total(reach, search.query);
    let compilations = [page, count].into_iter();
    let asked = compilations.flat_map(|asked| asked.lists.into_iter().map(move |list| (asked.sql.clone(), list)));
    let value = |arg: Arg<'_>| match arg {
        Arg::Null => Value::Null,
        Arg::Int(number) => Value::Integer(number),
        Arg::Text(text) => Value::Text(text.into()),
        Arg::Bytes(bytes) => Value::Blob(bytes.into()),
    };
    let values = |list: &[OwnedArg]| own.alone().into_iter().chain(list.iter().map(OwnedArg::arg)).map(value).collect();
    asked.map(|(sql, list)| (sql, values(&list))).collect()
}

/// Those of them that PostgreSQL is given with a row lock; SQLite has one writer and needs none.
#[must_use]
pub fn locking_statements() -> Vec<String> {
    let lists = [
        clients::LOCKING,
        invitations::LOCKING,
        patients::LOCKING,
        people::LOCKING,
        sessions::LOCKING,
        sweep::LOCKING,
        write::predecessor::LOCKING,
    ];
    let locking = lists.into_iter().flatten().map(sql::statement::Statement::locking);
    let free = accounts::mails::LOCKING.iter().chain(filling::LOCKING);
    locking.chain(free.map(sql::statement::Statement::locking_free)).collect()
}

/// What only PostgreSQL is given: about its own commits, its migrations, and whose turn it is.
#[must_use]
pub fn postgres_statements() -> Vec<&'static str> {
    postgres::statements()
}

/// A statement of both engines as PostgreSQL is given it.
#[must_use]
pub fn in_postgres(sql: &str) -> String {
    postgres::in_postgres(sql).into_owned()
}

/// A stored body as it was written, for tests that read the database by hand.
#[doc(hidden)]
#[must_use]
pub fn unpacked(stored: &str) -> String {
    stored::packing::unpack(stored.to_owned())
}
