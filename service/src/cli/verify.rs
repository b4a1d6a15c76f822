//! `recordgate verify`: whether a store or a backup is whole.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use super::store_presence::{self, StoreChoice};
use super::vouching::Vouching;
use crate::app::config::Config;
use crate::preparation::{base, prepare_stored};
use serde::Serialize;
use std::sync::Arc;
use store::checks::{self, Fault};

/// What the command ends with where it could not check: neither whole nor damaged is known.
const COULD_NOT_CHECK: u8 = 3;

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate verify --database sqlite:/backups/recordgate-2026-02-01
  recordgate verify --database sqlite:/var/lib/recordgate --json

Checks each file by SQLite's own means, every resource and past version by its hash, labels, compartments and index of
every resource against what its body says, who sees which patient against what that follows from, and the ledger by its
hashes and by the roots of its months. On PostgreSQL the same but for the files, which are the server's.

Nothing is changed, and the service may run meanwhile. The key ring is needed for one thing only: who made the roots of the
ledger's months is checked where it is at hand (--keys), and said not to be where it is not. What references mean depends on the
service's address, so give the --base-url, --config or environment that the service has.

Each fault is told as it is found, with the row that it is about; with --json as an object per line, and one at the end
with `whole` and the numbers; behind that, as of every command that fails, its error. The exit status is 0 if all is whole, 1 if there are faults, 2 for a command that was put
wrongly, 3 if it could not be checked.")]
pub(super) struct VerifyArgs {
    /// How browsers and clients reach the service whose data this is [environment: RECORDGATE_BASE_URL]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

impl VerifyArgs {
    /// As options of the configuration.
    pub(super) fn options(&self) -> Vec<(&'static str, &'static str, String)> {
        self.base_url.clone().map(|value| ("base_url", "--base-url", value)).into_iter().collect()
    }
}

#[derive(Serialize)]
struct FaultLine<'a> {
    check: &'a str,
    at: &'a str,
    problem: &'a str,
}

#[derive(Serialize)]
struct VerifyReport {
    database: String,
    whole: bool,
    faults: u64,
    /// Whether the key ring was there to tell who made the roots of the ledger's months.
    seals_checked: bool,
    /// How many things each check looked at.
    checked: std::collections::BTreeMap<&'static str, u64>,
}

fn not_checked(config: &Config, why: &dyn std::error::Error) -> Failure {
    Failure::because(format!("{} could not be checked: {why}", config.database)).with_status(COULD_NOT_CHECK)
}

pub(super) async fn run(context: &Context) -> Result<(), Failure> {
    let (config, out) = (&context.config, context.out);
    store_presence::check(config, StoreChoice::Existing).await.map_err(|error| not_checked(config, &error))?;
    let base = base(&config.base_url);
    let reader = Arc::new(move |body: &str| prepare_stored(body, &base));
    let bar = bar::bar("checking", "{msg} {bar:40} {pos}/{len}, {eta} left");
    let mut tell = |check: &'static str, Fault { at, problem }: &Fault| {
        bar.suspend(|| {
            out.value(&FaultLine { check, at, problem });
            let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
            out.say(&format!("{check}: {at}{problem}"));
        });
    };
    let mut progress = |check: &'static str, done, all| {
        bar.set_message(check);
        bar.set_length(all);
        bar.set_position(done);
    };
    let vouching = Vouching::of(config);
    let found = checks::run(&config.database, reader, vouching.notary(), &mut tell, &mut progress).await;
    bar.finish_and_clear();
    let found = found.map_err(|error| not_checked(config, &error))?;
    let checked: Vec<String> = found.checked.iter().map(|(check, count)| format!("{count} by {check}")).collect();
    out.value(&VerifyReport {
        database: config.database.to_string(),
        whole: found.faults == 0,
        faults: found.faults,
        seals_checked: vouching.notary().is_some(),
        checked: found.checked.into_iter().collect(),
    });
    out.say(&format!("checked: {}", checked.join(", ")));
    if let Some(why) = vouching.absence() {
        out.say(&format!("who made the roots of the ledger's months was not checked: {why}"));
    }
    match found.faults {
        0 => {
            out.say(&format!("{} is whole", config.database));
            Ok(())
        }
        1 => Err(Failure::because(format!("{} has a fault", config.database))),
        faults => Err(Failure::because(format!("{} has {faults} faults", config.database))),
    }
}
