//! `recordgate move`: everything to another database, of the other engine or the same.

use super::bar;
use super::context::Context;
use super::failure::Failure;
use crate::app::config::default_keys;
use crate::secrets::keys::{self, KeyTrouble};
use serde::Serialize;
use std::path::{Path, PathBuf};
use store::Place;
use store::moving::{self, Moved};

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate move --from sqlite:/var/lib/recordgate --to postgres://recordgate@db.example.org/records
  recordgate move --from postgres://recordgate@db.example.org/records --to sqlite:/var/lib/recordgate-2
  recordgate move --reopen sqlite:/var/lib/recordgate

Stop the service first: a data directory that is in use is refused. A PostgreSQL database is locked instead: its nodes
go on reading, and whoever wants to write hears 503 until the move has ended.

Every table is copied and read back; counts and content hashes of both sides must agree before anything else happens.
Sessions, tokens, sign-ins, the ledger and the sandbox's clock come along, and every token stays good.

The key ring comes along too. Without --keys it is copied from the source's own place (`keys` in the data directory,
`recordgate-keys` in the working directory for PostgreSQL) to the target's; a different ring there is never
overwritten. With --keys FILE that file goes on being used where it is.

The target must be new: an empty database, or a directory without data. The command may be stopped or killed at any
moment. Then the source is as it was, everyone refuses the target, and the same command again starts over.

After the move the source is refused, because with both in use a refresh token would work once in each, and a
revocation in one would not hold in the other. --reopen makes it usable again: only for a target that was given up.

A URL with a password in it is better kept off the command line, which others can see: RECORDGATE_MOVE_FROM and
RECORDGATE_MOVE_TO say the same.")]
pub(super) struct TransferArgs {
    /// The database to move [environment: RECORDGATE_MOVE_FROM]
    #[arg(long, env = "RECORDGATE_MOVE_FROM", hide_env = true, value_name = "DATABASE")]
    #[arg(required_unless_present = "reopen")]
    from: Option<String>,
    /// A new database to move it to [environment: RECORDGATE_MOVE_TO]
    #[arg(long, env = "RECORDGATE_MOVE_TO", hide_env = true, value_name = "DATABASE")]
    #[arg(required_unless_present = "reopen")]
    to: Option<String>,
    /// Make a database usable again that was moved; what it was moved to must not be used any more
    #[arg(long, value_name = "DATABASE", conflicts_with_all = ["from", "to"])]
    reopen: Option<String>,
}

#[derive(Serialize)]
struct TransferReport<'a> {
    from: String,
    to: String,
    keys: Option<&'a Path>,
    tables: Vec<TableReport<'a>>,
}

#[derive(Serialize)]
struct TableReport<'a> {
    table: &'a str,
    rows: u64,
    hash: String,
}

impl TransferArgs {
    /// The database that the command is about, as an option of the configuration.
    pub(super) fn options(&self) -> Vec<(&'static str, &'static str, String)> {
        let all = [("database", "--from", &self.from), ("database", "--reopen", &self.reopen)];
        all.into_iter().filter_map(|(key, option, value)| Some((key, option, value.clone()?))).collect()
    }
}

pub(super) async fn run(context: &Context, args: TransferArgs) -> Result<(), Failure> {
    let from = &context.config.database;
    let Some(to) = args.to.filter(|_| args.reopen.is_none()) else { return reopen(context, from).await };
    let to = Place::parse(&to).map_err(|error| Failure::usage(vec![format!("--to: {error}")]))?;
    let ring = RingReport::of(context, &to)?;
    ring.check()?;
    let begun = moving::begin(from, &to).await?;
    let ring = ring.bring(begun.has_sessions)?;
    let (bar, progress) = bar::progress("moving");
    let (mut done, all) = (0, begun.rows * 2);
    let mut tick = |rows| {
        done += rows;
        progress(done, all);
    };
    let moved = begun.copy(&mut tick).await?.compare(&mut tick).await?.finish().await?;
    bar.finish_and_clear();
    tell(context, &to, ring.as_deref(), &moved);
    Ok(())
}

async fn reopen(context: &Context, place: &Place) -> Result<(), Failure> {
    moving::reopen(place).await?;
    context.out.value(&serde_json::json!({ "reopened": place.to_string() }));
    context.out.say(&format!("{place} can be used again; what it was moved to must not be"));
    Ok(())
}

/// Where the key ring is, and where it will be looked for.
struct RingReport {
    from: PathBuf,
    to: PathBuf,
}

impl RingReport {
    fn of(context: &Context, to: &Place) -> Result<Self, Failure> {
        let config = &context.config;
        let target = if config.keys_named { config.keys.clone() } else { default_keys(to).0 };
        Ok(Self { from: std::path::absolute(&config.keys)?, to: std::path::absolute(target)? })
    }

    /// Before anything is touched: whether the ring can be used, and nothing is in its way.
    fn check(&self) -> Result<(), KeyTrouble> {
        if self.from.exists() { keys::fits(&self.from, &self.to) } else { Ok(()) }
    }

    /// Brings the ring to its new place, and says where that is. A source that was never served may have none.
    fn bring(self, sessions_exist: bool) -> Result<Option<PathBuf>, KeyTrouble> {
        if self.from.exists() {
            keys::copy(&self.from, &self.to)?;
            return Ok(Some(self.to));
        }
        if sessions_exist { Err(KeyTrouble::Missing(self.from)) } else { Ok(None) }
    }
}

fn tell<'a>(context: &Context, to: &Place, keys: Option<&'a Path>, moved: &'a [Moved]) {
    let from = &context.config.database;
    let table =
        |moved: &'a Moved| TableReport { table: &moved.table, rows: moved.content.rows, hash: moved.content.hash() };
    let tables = moved.iter().map(table).collect();
    let report = TransferReport { from: from.to_string(), to: to.to_string(), keys, tables };
    context.out.value(&report);
    let row = |table: &TableReport<'_>| [table.table.to_owned(), table.rows.to_string(), table.hash.clone()];
    let rows: Vec<[String; 3]> = report.tables.iter().map(row).collect();
    context.out.table(["table", "rows", "hash"], &rows);
    let count: u64 = report.tables.iter().map(|table| table.rows).sum();
    context.out.say(&format!("{} tables with {count} rows are the same in {from} and {to}", rows.len()));
    context.out.say(&format!("{from} is refused from now on; start the service on its new database:"));
    let keys = keys.map(|keys| format!(" --keys {}", keys.display())).unwrap_or_default();
    context.out.say(&format!("  recordgate serve --database {to}{keys}"));
}
