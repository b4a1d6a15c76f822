//! `recordgate import`: FHIR resources from files, with an organisation as their source.

use super::context::Context;
use super::failure::Failure;
use super::import_source::Source;
use super::{bar, out, way};
use crate::operator::check;
use crate::operator::{ImportReport, Reply, Request};
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate import --organisation 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01 patients.ndjson letters.json
  zcat export.ndjson.gz | recordgate import --organisation 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01 -

A file holds one resource, one Bundle (its entries are stored, not the Bundle), or NDJSON: one resource per line.
NDJSON is read line by line, so such a file may be larger than memory.

Ids are kept, so every resource must have one. The organisation and team become the source: a resource that is there
already from the same source becomes its next version, one that is just so already stays unchanged.

Resources are stored in batches of 500, each whole or not at all. All faulty lines are named; correct them and import
the same files again.")]
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
    /// FHIR JSON or NDJSON; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) async fn run(context: &Context, args: ImportArgs) -> Result<(), Failure> {
    let organisation = uuid("--organisation", &args.organisation)?;
    let team = args.team.as_deref().map(|team| uuid("--team", team)).transpose()?;
    let mut way = context.way(false).await?;
    let mut all = ImportReport::default();
    for path in &args.files {
        let (mut source, bar) = open(path)?;
        let cannot = |error| Failure::because(format!("{} cannot be read: {error}", path.display()));
        while let Some(batch) = source.batch().map_err(cannot)? {
            let check_only = args.dry_run || !batch.problems.is_empty();
            all.problems.extend(batch.problems);
            let request = Request::Import {
                organisation: organisation.clone(),
                team: team.clone(),
                resources: batch.resources,
                check_only,
            };
            match way.ask(request, &bar::none()).await? {
                Reply::Imported(done) => add(&mut all, done),
                other => return Err(way::unexpected(other)),
            }
        }
        bar.finish_and_clear();
    }
    tell(context, &all, args.dry_run);
    if all.problems.is_empty() {
        return Ok(());
    }
    Err(Failure::all(all.problems)
        .so("Batches with a problem were not stored. Correct them and import the files again."))
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

fn add(all: &mut ImportReport, done: ImportReport) {
    for (type_name, count) in done.stored {
        *all.stored.entry(type_name).or_default() += count;
    }
    for (type_name, count) in done.unchanged {
        *all.unchanged.entry(type_name).or_default() += count;
    }
    all.problems.extend(done.problems);
}

fn tell(context: &Context, all: &ImportReport, dry_run: bool) {
    context.out.value(all);
    if dry_run {
        context.out.say("dry run: nothing was stored");
        return;
    }
    let types: std::collections::BTreeSet<&String> = all.stored.keys().chain(all.unchanged.keys()).collect();
    let count = |of: &std::collections::BTreeMap<String, u64>, name: &String| of.get(name).copied().unwrap_or(0);
    let rows: Vec<[String; 3]> = types
        .into_iter()
        .map(|name| [name.clone(), count(&all.stored, name).to_string(), count(&all.unchanged, name).to_string()])
        .collect();
    if rows.is_empty() {
        if !context.out.json {
            out::complain("no resource was stored");
        }
    } else {
        context.out.table(["type", "stored", "unchanged"], &rows);
    }
}
