//! Reading the lines of an archive, with the names that the store knows.

use super::names::{NamedLine, PlacedLine, name};
use super::reading::LedgerSpan;
use crate::error::Result;
use crate::lines::block;
use crate::lines::line::{Concern, Line};
use crate::sqlite::ArchiveFile;
use crate::store::Store;
use std::path::Path;

/// Blocks that are read at a time.
const BLOCKS: i64 = 32;

/// Gives every line of an archive that is in the span and concerns somebody, if one is given, in the order in which they
/// were added, as long as `line` says yes to more.
pub async fn each_archived(
    store: &Store,
    file: &Path,
    (span, whom): (LedgerSpan, Option<Concern>),
    wanted: impl Fn(&Line) -> bool,
    mut line: impl FnMut(NamedLine) -> bool,
) -> Result<()> {
    let archive = ArchiveFile::open(file)?;
    // What is no archive is told as that.
    archive.root()?;
    let mut from = 0;
    loop {
        let blocks = archive.blocks(from, BLOCKS)?;
        let Some(last) = blocks.last() else { return Ok(()) };
        from = last.id.saturating_add(1);
        let mut found = Vec::new();
        for stored in &blocks {
            for read in block::lines(&stored.lines) {
                let (at, line) = read?;
                let concerns = whom.is_none_or(|whom| line.concerns(whom));
                if concerns && span.holds(line.at) && wanted(&line) {
                    found.push(PlacedLine { id: stored.id + at, number: stored.number + at, line });
                }
            }
        }
        for named in name(store, found).await? {
            if !line(named) {
                return Ok(());
            }
        }
    }
}
