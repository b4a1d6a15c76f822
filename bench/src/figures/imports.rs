//! `import_per_second`, `disk_bytes_per_resource`, `import_rss_mib` and `pg_import_per_second`: how fast the operator's own command
//! brings in the records of invented people, what they take on the disk, and what the command weighs meanwhile.

use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use crate::service::people;
use crate::service::recordgate::{Recordgate, Weight};
use ::people::Population;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

pub(crate) const RATE: &str = "import_per_second";
pub(crate) const DISK: &str = "disk_bytes_per_resource";
pub(crate) const MEMORY: &str = "import_rss_mib";
pub(crate) const PG_RATE: &str = "pg_import_per_second";

const RATE_GOAL: Goal = Goal::AtLeast(6_000.0);
const PG_RATE_GOAL: Goal = Goal::AtLeast(3_000.0);
const DISK_GOAL: Goal = Goal::AtMost(2_048.0);
const MEMORY_GOAL: Goal = Goal::AtMost(200.0);

/// Decides who the people are; the same in every run, so that runs can be compared.
const SEED: u64 = 11;
const YEARS: i64 = 8;

/// Imports into an embedded store of its own, under `directory`.
pub(crate) async fn measure(directory: &Path, quick: bool) -> Result<[Figure; 3], Trouble> {
    let home = directory.join("import");
    std::fs::create_dir(&home)?;
    let service = Recordgate::find(&home, None)?;
    people::lay_organisation(&service).await?;
    let before = service.data_bytes()?;
    let (count, weight) = import(&service, &home, quick, RATE).await?;
    let bytes = service.data_bytes()?.saturating_sub(before) as f64 / count;
    let rate = count / weight.took.as_secs_f64();
    let durability = format!("{count} resources by `recordgate import`, each piece on disk before the next");
    let figure = |name, value, goal| Figure {
        name,
        value,
        goal: Some(goal),
        details: Vec::new(),
        rounds: vec![value],
        durability: durability.clone(),
    };
    Ok([figure(RATE, rate, RATE_GOAL), figure(DISK, bytes, DISK_GOAL), figure(MEMORY, weight.peak_mib, MEMORY_GOAL)])
}

/// Imports into the PostgreSQL of the run, whose world is there already.
pub(crate) async fn measure_on_postgres(
    service: &Recordgate,
    directory: &Path,
    quick: bool,
    durability: &str,
) -> Result<Figure, Trouble> {
    let (count, weight) = import(service, directory, quick, PG_RATE).await?;
    let rate = count / weight.took.as_secs_f64();
    Ok(Figure {
        name: PG_RATE,
        value: rate,
        goal: Some(PG_RATE_GOAL),
        details: vec![("import_rss_mib", weight.peak_mib)],
        rounds: vec![rate],
        durability: format!("{count} resources by `recordgate import`; {durability}"),
    })
}

/// Has the command import as many people as it takes; tells how many resources that were.
async fn import(service: &Recordgate, home: &Path, quick: bool, name: &str) -> Result<(f64, Weight), Trouble> {
    progress::say("inventing people");
    let file = home.join("people.ndjson");
    let count = write(&file, if quick { 2_000 } else { 100_000 })?;
    progress::say(name);
    let weight =
        service.weigh(&["import", "--organisation", people::ORGANISATION, "--team", people::TEAM], &file).await?;
    std::fs::remove_file(&file)?;
    Ok((f64::from(count), weight))
}

/// Writes the records of people, one after the other, until there are at least so many resources.
fn write(path: &Path, least: u32) -> Result<u32, Trouble> {
    let (mut file, mut count) = (BufWriter::new(File::create(path)?), 0);
    for person in Population::of(SEED, "Bench Team") {
        for resource in person.resources(YEARS) {
            writeln!(file, "{resource}")?;
            count += 1;
        }
        if count >= least {
            break;
        }
    }
    file.flush()?;
    Ok(count)
}
