//! The command line, and what it asks for.

use crate::bare::order::BARE;
use crate::chaos::plan::ChaosPlan;
use crate::figures::plan::Plan;
use crate::figures::{
    client_credentials, clinician_reads, consent_changes, creates, custom_rest, growth, imports, mixed, neighbours,
    pg_reads, pg_refreshes, read_ratio, refreshes, searches, worst_bodies, worst_stall,
};
use crate::postgres::place::PostgresPlace;
use crate::soak::plan::SoakPlan;
use clap::{Arg, ArgAction, ArgGroup, Command, value_parser};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The figures that put load on the service.
const DRIVEN: [&str; 26] = [
    read_ratio::NAME,
    read_ratio::BEFORE_ANSWER,
    clinician_reads::NAME,
    worst_stall::NAME,
    client_credentials::NAME,
    refreshes::VS_PARTS,
    refreshes::RATIO,
    mixed::NAME,
    imports::RATE,
    imports::DISK,
    imports::MEMORY,
    searches::NAME,
    searches::IDENTIFIER,
    creates::NAME,
    custom_rest::LIST,
    custom_rest::CREATE,
    custom_rest::SEARCH,
    consent_changes::NAME,
    neighbours::NAME,
    neighbours::BARE,
    worst_bodies::NAME,
    growth::READ,
    pg_reads::RATIO,
    pg_reads::VS_PARTS,
    pg_refreshes::NAME,
    imports::PG_RATE,
];

const ABOUT: &str = "\
Measures the built service from outside and prints each figure as a ratio to the barest program that could do the same.

It drives the program beside it, which it builds where cargo finds it stale: of the profile dist, which is shipped, by
`cargo run --profile dist -p bench`. It prepares a store with the public command line (apply, import, grant issue), serves
it on a free loopback port, and drives it and its counterpart in alternating rounds from one load driver. Everything it makes lies under target/bench and is removed at the end.

  read_ratio                authenticated GET /fhir/Patient/{id} on 64 connections, each patient by a token of their
                            own, to a bare hyper server that answers the same bytes
  read_ratio_before_answer  the same with ledger = \"before-answer\": who looked is on disk before the answer leaves; for
                            information, without a target
  clinician_read_ratio      GET /fhir/Patient/{id} by one session of a clinician who has the patients in a team, to a bare
                            hyper server that answers the same bytes
  client_credentials_ratio  POST /apiToken.action of a System Client on 64 connections, to the same
  refresh_vs_parts          durable refreshes of 64 clients, to a bare hyper server that answers the same bytes after a
                            bare group-commit loop has done the same row update on the same disk
  refresh_ratio             the same refreshes, to that loop alone, without HTTP; for information, without a target
  mixed_ratio               the reads again while 32 more clients refresh durably, to the bare hyper server's reads
  worst_stall_ms            the longest wait of a refresh while 150,000 accesses are noted, 200,000 grants issued, and
                            the largest writes made that are allowed; also without those (worst_stall_without_ms), and
                            how late the machine itself was (machine_stall_ms)
  import_per_second         resources of invented people that `recordgate import` brings into a store of their own:
                            100,000, each valid, with its index rows, its line of the ledger, and on the disk
  disk_bytes_per_resource   what that store takes on the disk afterwards, for each of them
  import_rss_mib            resident memory of that command at the most
  search_ratio              Observation?patient=…&code=…&_sort=-date&_count=20 in that store, by a System Client on 64
                            connections, to a bare hyper server that answers the same bytes
  identifier_search_ratio   Patient?identifier=… in that store, to the same
  create_per_second         small Observations created one by one on 64 connections, each on disk before its answer
  rest_list_ratio           GET /json/measurements/byType/weight?limit=20 of 64 patients, to a bare hyper server that
                            answers the same bytes
  rest_create_per_second    measurements that they create through the custom REST API, each on disk before its answer
  clinician_search_ratio    a clinician's search for newest weights, in records that are open to the team in part, to
                            a bare hyper server that answers the same bytes
  consent_change_p99_ms     a patient's change of a consent over a record of 10,000 items, on disk before its answer
  neighbour_p99_ratio       a clinician's reads, a few at a time, beside each of nine nuisances on up to 200 connections:
                            the 99th percentile to that in calm, of the worst of them; each is told under `cases`
  neighbour_p99_bare        the same of a bare hyper server, which does nothing for the same requests; for information
  worst_bodies_rss_mib      resident memory at the most under the worst bodies from 256 connections
  rss_idle_mib              resident memory of the service with all patients loaded, before any load
  start_ms                  from exec to the first 200 on /healthz
  client_credentials_vs_peer  with --peers: to npm's oidc-provider and its store in memory
  introspection_vs_peer     with --peers: what a System Client's token is, asked of both
  revocation_vs_peer        with --peers: System Clients' tokens given up, each just issued; durable on our side only
  read_vs_hfs, search_vs_hfs, identifier_search_vs_hfs, create_vs_hfs
                            with --peers, where helios-hfs is installed (its program `hfs` is found): a Patient, the two
                            searches and the creations above, to that server on SQLite with the same people

With --growth a store of a million resources is laid beside one of a hundred thousand, and the 99th percentile of an answer
from the large one is held against that from the small one, after each was asked once (…_first_p99_ms tells of that):

  read_growth, identifier_search_growth, patient_search_growth, include_growth, chain_growth
                            a read and four searches
  shared_identifier_growth  a page of 50,000 patients who share one number, to a page of 50 who do

With --database the service runs on PostgreSQL instead, and the bare program is a loop of the same statements:

  pg_read_ratio             the reads again, to a bare tokio-postgres loop that sends the same statements, from 64
                            tasks over as many connections as a node has
  pg_read_vs_parts          the same reads, to a bare hyper server that answers the same bytes after such a loop's
                            statements; for information, without a target
  pg_refresh_ratio          durable refreshes of 64 clients, to such a loop of the same statements in the same
                            transactions
  pg_import_per_second      `recordgate import` of the same people into the database of the run

postgres: starts a private server (initdb in the temporary folder; its data is as durable as that folder's disk) and
removes it at the end; postgres://USER@HOST:PORT/DATABASE makes a database of its own on that server and drops it.

With --chaos nothing is measured. Two nodes run on one database; clients refresh, read, try again when they are put off,
replay used tokens and present one token many times at once, an operator revokes; and all the while nodes and the
private PostgreSQL are killed and started again at random. Then the history of all answers is held to the contract: the
last line is \"violations: 0\", or each violation is told in a sentence and the exit status is 1.

With --soak nothing is measured either. One service runs on the embedded store for --minutes; clients refresh, read and
search, a System Client gets tokens, people sign in; deaf clients never read, slow ones send and read a byte at a time,
others connect and drop and try invented names; and the service is killed at random. Answers are judged as in chaos, the
looks at records are counted against the ledger, and memory is told at the start and the end of each run of the service.

A ratio is the median of its rounds' ratios; the sides of a figure take turns, round by round. The exit status says whether everything ran, never how fast it was.";

#[derive(Debug)]
pub(crate) enum Order {
    Bare,
    Measure(Plan),
    Chaos(ChaosPlan),
    Soak(SoakPlan),
}

pub(crate) fn read() -> Order {
    let matches = command().get_matches();
    if matches.subcommand_name() == Some(BARE) {
        return Order::Bare;
    }
    let seconds: Option<f64> = matches.get_one("seconds").copied();
    let json = matches.get_flag("json");
    let seed = || matches.get_one("seed").copied().unwrap_or_else(|| RandomState::new().hash_one(std::process::id()));
    if matches.get_flag("soak") {
        let minutes: f64 = matches.get_one("minutes").copied().unwrap_or(10.0);
        return Order::Soak(SoakPlan { json, length: Duration::from_secs_f64(minutes * 60.0), seed: seed() });
    }
    if matches.get_flag("chaos") {
        return Order::Chaos(ChaosPlan {
            json,
            length: Duration::from_secs_f64(seconds.unwrap_or(60.0)),
            seed: seed(),
            nodes: matches.get_one("nodes").copied().unwrap_or(2),
            database: matches.get_one("database").cloned().unwrap_or(PostgresPlace::Private),
        });
    }
    let quick = matches.get_flag("quick");
    Order::Measure(Plan {
        json,
        quick,
        peers: matches.get_flag("peers"),
        growth: matches.get_flag("growth"),
        rounds: matches.get_one("rounds").copied().unwrap_or(if quick { 1 } else { 5 }),
        length: Duration::from_secs_f64(seconds.unwrap_or(if quick { 0.5 } else { 2.5 })),
        patients: if quick { 200 } else { 10_000 },
        database: matches.get_one("database").cloned(),
        only: DRIVEN.into_iter().find(|name| matches.get_one::<String>("only").is_some_and(|only| only == name)),
    })
}

fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("bench")
        .about("Measures the built service against the barest program that could do the same")
        .long_about(ABOUT)
        .arg(flag("json", "Print one JSON object instead of the table"))
        .arg(flag("quick", "A smoke run: one round of half a second, 200 patients; its figures mean nothing"))
        .arg(flag("peers", "Also measure beside npm's oidc-provider, installed under target/peers, and beside helios-hfs where it is installed"))
        .arg(
            flag("growth", "Also lay a store of a million resources, and tell how much slower its answers come")
                .conflicts_with("database"),
        )
        .arg(
            Arg::new("rounds")
                .long("rounds")
                .value_name("N")
                .value_parser(|text: &str| text.parse().ok().filter(|n: &usize| *n > 0).ok_or("at least 1"))
                .help("Rounds of each side per figure, of refreshes three times as many and shorter [default: 5]"),
        )
        .arg(
            Arg::new("seconds")
                .long("seconds")
                .value_name("S")
                .value_parser(|text: &str| {
                    text.parse().ok().filter(|s: &f64| (0.1..=3600.0).contains(s)).ok_or("between 0.1 and 3600")
                })
                .help("How long a round counts [default: 2.5], or chaos lasts [default: 60]"),
        )
        .arg(
            flag("chaos", "Kill nodes and PostgreSQL at random under load, and hold what was answered to the contract")
                .conflicts_with_all(["quick", "peers", "growth", "rounds", "only"]),
        )
        .arg(
            flag("soak", "Kill the service at random under load and nuisances, and hold its answers and its ledger to the contract")
                .conflicts_with_all(["quick", "peers", "growth", "rounds", "only", "seconds", "database"]),
        )
        .group(ArgGroup::new("deaths").args(["chaos", "soak"]))
        .arg(
            Arg::new("minutes")
                .long("minutes")
                .value_name("N")
                .value_parser(|text: &str| {
                    text.parse().ok().filter(|n: &f64| (0.1..=10_080.0).contains(n)).ok_or("between 0.1 and 10080")
                })
                .requires("soak")
                .help("How long a soak lasts [default: 10]"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .requires("deaths")
                .help("Repeats the schedule of a run of chaos, or of a soak"),
        )
        .arg(
            Arg::new("nodes")
                .long("nodes")
                .value_name("N")
                .value_parser(|text: &str| text.parse().ok().filter(|n| (1..=16).contains(n)).ok_or("between 1 and 16"))
                .requires("chaos")
                .help("How many nodes live through the chaos [default: 2]"),
        )
        .arg(
            Arg::new("database")
                .long("database")
                .value_name("URL")
                .value_parser(PostgresPlace::parse)
                .conflicts_with("peers")
                .help("PostgreSQL: postgres://… for a new database on that server, postgres: for a private one"),
        )
        .arg(
            Arg::new("only")
                .long("only")
                .value_name("FIGURE")
                .value_parser(DRIVEN)
                .help("Drive one figure alone, as when profiling, with whatever shares its rounds; memory and start-up come along"),
        )
        .subcommand(Command::new(BARE).hide(true))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
