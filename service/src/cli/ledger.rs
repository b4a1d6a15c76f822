//! `recordgate ledger`: what happened and who looked at what, for whoever must answer for it; and whether the ledger is whole.

use super::context::Context;
use super::failure::Failure;
use super::ledger_filter::LedgerFilter;
use super::{bar, ledger_archive, ledger_check, ledger_root, ledger_store};
use crate::formats::{audit_event, csv, when};
use std::path::PathBuf;
use store::ledger::{self, Line, Month, NamedLine};

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_long_help = "Examples:
  recordgate ledger --patient amina-osei --since 2026-11-01
  recordgate ledger --client sleep-diary --event revoked --csv > revoked.csv
  recordgate ledger --user amina --fhir > amina.ndjson
  recordgate ledger root > root-2026-11.json
  recordgate ledger verify --root root-2026-11.json
  recordgate ledger archive 2026-01 ledger-2026-01.sqlite
  recordgate ledger verify --archive ledger-2026-01.sqlite
  recordgate ledger --archive ledger-2026-01.sqlite --user amina

Lines are told in the order in which they were added; those of a patient or a user in the order of their moments. The
service may run meanwhile: what it did in the last second may not be told yet. Nothing is changed.")]
pub(super) struct LedgerArgs {
    #[command(flatten)]
    filter: LedgerFilter,
    /// Lines of this archive of a month; names are those of the store
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// Print CSV, for a spreadsheet
    #[arg(long, conflicts_with_all = ["json", "fhir"])]
    csv: bool,
    /// Print FHIR AuditEvents, one on each line
    #[arg(long, conflicts_with = "json")]
    fhir: bool,
    #[command(subcommand)]
    command: Option<LedgerCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum LedgerCommand {
    /// Check every line by the hash of the one before, and every closed month by its root; exit status 0 if all is whole, 1 if not
    Verify {
        /// A root that was kept elsewhere: up to its line, and in its months, the ledger must still be the same (may be repeated)
        #[arg(long, value_name = "FILE")]
        root: Vec<PathBuf>,
        /// Check this archive of a month instead; the ledger that it is from need not be there
        #[arg(long, value_name = "FILE", conflicts_with = "root")]
        archive: Option<PathBuf>,
    },
    /// Print where the ledger ends now and what its months were closed with, to be kept elsewhere
    Root,
    /// Write a month that is closed into a new file of its own, and check it there
    Archive {
        /// For example 2026-11
        #[arg(value_name = "MONTH", value_parser = month)]
        month: Month,
        /// The file to write, which must not be there yet
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(super) async fn run(context: &Context, args: LedgerArgs) -> Result<(), Failure> {
    match args.command {
        Some(LedgerCommand::Verify { archive: Some(file), .. }) => ledger_archive::verify(context, file).await,
        Some(LedgerCommand::Verify { root, archive: None }) => ledger_check::verify(context, &root).await,
        Some(LedgerCommand::Root) => ledger_root::print(context).await,
        Some(LedgerCommand::Archive { month, file }) => ledger_archive::write(context, month, &file).await,
        None => list(context, &args).await,
    }
}

async fn list(context: &Context, args: &LedgerArgs) -> Result<(), Failure> {
    let store = ledger_store::look(context).await?;
    let wanted = args.filter.find(&store).await?;
    let out = context.out;
    let bar = bar::bar("lines", "{msg} {pos}");
    if args.csv {
        out.line(csv::row(&COLUMNS.map(String::from)).trim_end());
    } else if !args.fhir {
        out.say(&COLUMNS.join("  "));
    }
    let tell = |line: NamedLine| {
        bar.inc(1);
        bar.suspend(|| {
            let cells = cells(&line);
            if args.fhir {
                out.line(&audit_event::of(&line).to_string());
            } else if args.csv {
                out.line(csv::row(&cells).trim_end());
            } else {
                out.value(&COLUMNS.into_iter().zip(&cells).collect::<std::collections::BTreeMap<_, _>>());
                out.say(&cells.join("  "));
            }
        });
        true
    };
    let takes = |line: &Line| wanted.takes(line);
    let told = match (&args.archive, wanted.whom) {
        (Some(file), whom) => ledger::each_archived(&store, file, (wanted.span, whom), takes, tell).await,
        (None, Some(whom)) => ledger::each_about(&store, whom, wanted.span, takes, tell).await,
        (None, None) => ledger::each(&store, wanted.span, takes, tell).await,
    };
    bar.finish_and_clear();
    Ok(told?)
}

fn month(text: &str) -> Result<Month, String> {
    Month::named(text).ok_or_else(|| "write a month, 2026-11".to_owned())
}

const COLUMNS: [&str; 14] = [
    "number",
    "moment",
    "event",
    "client",
    "product",
    "user",
    "team",
    "organisation",
    "patient",
    "times",
    "right",
    "detail",
    "session",
    "operator",
];

fn cells(line: &NamedLine) -> [String; 14] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    [
        line.number.to_string(),
        when::rfc3339(line.at),
        line.event.word().into(),
        text(&line.client),
        text(&line.product),
        text(&line.username),
        text(&line.team),
        text(&line.organisation),
        text(&line.patient),
        line.times.to_string(),
        line.right.map(|right| right.word().to_owned()).unwrap_or_default(),
        text(&line.detail),
        line.session.map(|session| session.to_string()).unwrap_or_default(),
        text(&line.operator),
    ]
}
