//! `import_per_second`, `disk_bytes_per_resource`, `import_rss_mib` and `pg_import_per_second`: how fast the operator's own command
//! brings in the records of invented people, what they take on the disk, and what the command weighs meanwhile.

use super::record::Record;
use crate::measure::figure::{Figure, Goal};
use crate::measure::trouble::Trouble;
use crate::service::recordgate::Recordgate;
use std::path::Path;

pub(crate) const RATE: &str = "import_per_second";
pub(crate) const DISK: &str = "disk_bytes_per_resource";
pub(crate) const MEMORY: &str = "import_rss_mib";
pub(crate) const PG_RATE: &str = "pg_import_per_second";

const RATE_GOAL: Goal = Goal::AtLeast(6_000.0);
const PG_RATE_GOAL: Goal = Goal::AtLeast(3_000.0);
const DISK_GOAL: Goal = Goal::AtMost(2_048.0);
const MEMORY_GOAL: Goal = Goal::AtMost(200.0);

/// What it took to import the record of an embedded store.
pub(crate) fn figures(record: &Record) -> Result<[Figure; 3], Trouble> {
    let bytes = record.service.data_bytes()? as f64 / record.count;
    let rate = record.count / record.weight.took.as_secs_f64();
    let durability = format!("{} resources by `recordgate import`, each piece on disk before the next", record.count);
    let figure = |name, value, goal| Figure::of(name, value, Some(goal), durability.clone());
    let memory = record.weight.peak_mib;
    Ok([figure(RATE, rate, RATE_GOAL), figure(DISK, bytes, DISK_GOAL), figure(MEMORY, memory, MEMORY_GOAL)])
}

/// Imports into the PostgreSQL of the run, whose world is there already.
pub(crate) async fn measure_on_postgres(
    service: Recordgate,
    directory: &Path,
    quick: bool,
    durability: &str,
) -> Result<Figure, Trouble> {
    let record = Record::import(service, directory, Record::least(quick)).await?;
    let rate = record.count / record.weight.took.as_secs_f64();
    let durability = format!("{} resources by `recordgate import`; {durability}", record.count);
    Ok(Figure::of(PG_RATE, rate, Some(PG_RATE_GOAL), durability).with("import_rss_mib", record.weight.peak_mib))
}
