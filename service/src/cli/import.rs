//! `recordgate import`: FHIR resources from files, with an organisation as their source.

use super::context::Context;
use super::failure::Failure;
use super::import_source::Source;
use super::store_presence::StoreChoice;
use super::{bar, out, way};
use crate::operator::check;
use crate::operator::{ImportMode, ImportReport, Reply, Request};
use indicatif::ProgressBar;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate import --organisation 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01 patients.ndjson letters.json
  zcat export.ndjson.gz | recordgate import --organisation 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01 -

A file holds one resource, a Bundle (its entries are stored, not the Bundle), or NDJSON: one resource per line.
NDJSON is read line by line and a Bundle entry by entry, so such a file may be larger than memory.

Ids are kept, so every resource must have one. The organisation and team become the source: a resource that is there
already from the same source becomes its next version, one that is just so already stays unchanged.

What is not valid FHIR R4 is rejected: it is named by line or entry, with what is wrong, and left out; the rest is
stored, and the exit status is 1. Correct it and import it again.

An import that was cut short is finished by the same command with --continue: what the source has stored before is left
alone, and only counted.")]
pub(super) struct ImportArgs {
    /// The organisation that the resources belong to
    #[arg(long, value_name = "UUID")]
    organisation: String,
    /// The team of that organisation that made them
    #[arg(long, value_name = "UUID")]
    team: Option<String>,
    /// Check everything and store nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave alone what is there already from this source, and store only what is not
    #[arg(long = "continue", conflicts_with = "dry_run")]
    goes_on: bool,
    /// FHIR JSON or NDJSON; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) async fn run(context: &Context, args: ImportArgs) -> Result<(), Failure> {
    let organisation = uuid("--organisation", &args.organisation)?;
    let team = args.team.as_deref().map(|team| uuid("--team", team)).transpose()?;
    let mode = match (args.dry_run, args.goes_on) {
        (true, _) => ImportMode::CheckOnly,
        (false, true) => ImportMode::OnlyNew,
        (false, false) => ImportMode::Store,
    };
    let mut way = context.way(StoreChoice::Existing).await?;
    let mut all = ImportReport::default();
    let mut unread = Vec::new();
    for path in &args.files {
        let (mut source, bar) = open(path)?;
        let cannot = |error| Failure::because(format!("{} cannot be read: {error}", path.display()));
        while let Some(batch) = source.batch().map_err(cannot)? {
            let rejected = batch.problems.len() as u64;
            add(&mut all, ImportReport { rejected, problems: batch.problems, ..ImportReport::default() });
            let (organisation, team) = (organisation.clone(), team.clone());
            let request = Request::Import { organisation, team, resources: batch.resources, mode };
            match way.ask(request, &bar::none()).await.map_err(|failure| cut_short(failure, &all, mode))? {
                Reply::Imported(done) => add(&mut all, done),
                other => return Err(way::unexpected(other)),
            }
        }
        bar.finish_and_clear();
        unread.extend(source.is_cut_short().then(|| path.display().to_string()));
    }
    tell(context, &all, mode);
    if all.rejected == 0 {
        return Ok(());
    }
    let untold = all.rejected.saturating_sub(all.problems.len() as u64);
    all.problems.extend((untold > 0).then(|| format!("and {untold} more, which are not told one by one")));
    Err(Failure::all(all.problems).so(upshot(mode, &unread)))
}

/// What became of what was not rejected. A file that was left before its end has something that was neither rejected nor stored.
fn upshot(mode: ImportMode, unread: &[String]) -> String {
    let files = unread.join(", ");
    match (mode, unread) {
        (ImportMode::CheckOnly, []) => "Nothing was stored.".into(),
        (ImportMode::CheckOnly, _) => format!("Nothing was stored, and {files} was not checked to its end."),
        (_, []) => "What was rejected was left out; the rest is stored. Correct it and import it again.".into(),
        (_, _) => format!(
            "What was rejected was left out, and {files} was not read to its end; all that was read before is stored. \
             Correct it and import it again."
        ),
    }
}

/// Trouble in the middle of an import: what was stored before it stays, and the import can go on from there.
fn cut_short(failure: Failure, all: &ImportReport, mode: ImportMode) -> Failure {
    let stored: u64 = all.stored.values().sum();
    if mode == ImportMode::CheckOnly || stored == 0 {
        return failure;
    }
    failure.so(format!("{stored} resources were stored before. The same command with --continue goes on from there."))
}

fn uuid(option: &str, text: &str) -> Result<String, Failure> {
    check::uuid(text).ok_or_else(|| {
        Failure::usage(vec![format!("{option} {text:?} is no UUID; see `recordgate organisation list`")])
    })
}

/// Opens a file with a bar that its bytes move, or standard input with one that only turns.
fn open(path: &Path) -> Result<(Source, ProgressBar), Failure> {
    let name = path.display().to_string();
    let (from, name, bar): (Box<dyn BufRead>, _, _) = if name == "-" {
        let bar = bar::bar("importing", "{msg} {spinner} {bytes}");
        (Box::new(BufReader::new(bar.wrap_read(std::io::stdin()))), "standard input".to_owned(), bar)
    } else {
        let file = File::open(path).map_err(|error| Failure::because(format!("{name} cannot be read: {error}")))?;
        let bar = bar::bar("importing", "{msg} {bar:40} {bytes}/{total_bytes}, {eta} left");
        bar.set_length(file.metadata().map_or(0, |about| about.len()));
        (Box::new(BufReader::with_capacity(1 << 16, bar.wrap_read(file))), name, bar)
    };
    Ok((Source::new(name, from), bar))
}

/// Problems are told up to a number; beyond it, how many there were.
const MOST_TOLD: usize = 1_000;

fn add(all: &mut ImportReport, done: ImportReport) {
    for (counts, more) in
        [(&mut all.stored, done.stored), (&mut all.unchanged, done.unchanged), (&mut all.there, done.there)]
    {
        for (type_name, count) in more {
            *counts.entry(type_name).or_default() += count;
        }
    }
    all.rejected += done.rejected;
    let room = MOST_TOLD.saturating_sub(all.problems.len());
    all.problems.extend(done.problems.into_iter().take(room));
}

fn tell(context: &Context, all: &ImportReport, mode: ImportMode) {
    context.out.value(all);
    if mode == ImportMode::CheckOnly {
        context.out.say("dry run: nothing was stored");
        return;
    }
    let counts = [&all.stored, &all.unchanged, &all.there];
    let types: BTreeSet<&String> = counts.iter().flat_map(|counts| counts.keys()).collect();
    let row = |name: &&String| counts.map(|counts| counts.get(*name).copied().unwrap_or(0).to_string());
    if types.is_empty() {
        if !context.out.json {
            out::complain("no resource was stored");
        }
    } else if mode == ImportMode::OnlyNew {
        let rows = types.iter().map(|name| (name, row(name))).map(|(name, [s, u, t])| [(*name).clone(), s, u, t]);
        context.out.table(["type", "stored", "unchanged", "there"], &rows.collect::<Vec<_>>());
        let there: u64 = all.there.values().sum();
        context.out.say(&format!("{there} were there already"));
    } else {
        let rows = types.iter().map(|name| (name, row(name))).map(|(name, [s, u, _])| [(*name).clone(), s, u]);
        context.out.table(["type", "stored", "unchanged"], &rows.collect::<Vec<_>>());
    }
}
