//! Verifying the ledger: every line by the hash of the one before, its end, what it is found by, and roots that were kept
//! elsewhere.

use super::addition;
use crate::error::Result;
use crate::lines::audit::{Audit, Breach, StoredBlock};
use crate::lines::block::{self, Hash, Head};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use std::collections::{BTreeMap, HashSet};

/// Blocks that are read at a time.
const BLOCKS: i64 = 16;

statements! {
    WHOLE = "SELECT id, number, count, hash, lines, checks FROM ledger.blocks WHERE id >= $1 ORDER BY id LIMIT $2";
    FOUND_BY = "SELECT subject, at, id FROM ledger.subjects
    WHERE subject IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND at >= $2 AND at <= $3";
}

/// Where the ledger ended at some moment. Kept elsewhere, it tells whether the ledger up to there is still the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The number of the last line.
    pub line: i64,
    /// Its hash.
    pub hash: Hash,
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub lines: i64,
    pub breaches: Vec<Breach>,
    /// Lines that somebody would not find, by number.
    pub hidden: Vec<i64>,
}

impl Verdict {
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.breaches.is_empty() && self.hidden.is_empty()
    }
}

/// Where the ledger ends now.
pub async fn root(store: &Store) -> Result<Root> {
    let Head { number: line, hash, .. } = addition::head(store).await?;
    Ok(Root { line, hash })
}

/// Looks at every line. `progress` hears how many are done, and how many there are.
pub async fn verify(store: &Store, roots: &[Root], mut progress: impl FnMut(i64, i64)) -> Result<Verdict> {
    let head = addition::head(store).await?;
    let mut audit = Audit::new(roots.iter().map(|root| (root.line, root.hash)).collect::<BTreeMap<_, _>>());
    let (mut from, mut hidden) = (0, Vec::new());
    loop {
        progress(audit.lines().min(head.number), head.number);
        let blocks = read(store, WHOLE, from, head).await?;
        let Some(last) = blocks.last() else { break };
        from = last.id.saturating_add(1);
        for block in &blocks {
            audit.block(block);
            hidden.extend(unfound(store, block).await?);
        }
    }
    Ok(Verdict { lines: head.number, breaches: audit.end(head), hidden })
}

/// The next blocks, of those that were there when the head was read.
async fn read(store: &Store, statement: Statement<'static>, from: i64, head: Head) -> Result<Vec<StoredBlock>> {
    let mut blocks = Vec::new();
    let keep = |block: StoredBlock| {
        if block.id <= head.id {
            blocks.push(block);
        }
        Ok(())
    };
    store.db.each_of_ledger(statement, &[args![from, BLOCKS]], stored_block, keep).await?;
    Ok(blocks)
}

fn stored_block(row: &dyn Row) -> Result<StoredBlock> {
    Ok(StoredBlock {
        id: row.int(0)?,
        number: row.int(1)?,
        count: row.int(2)?,
        hash: row.bytes(3)?,
        lines: row.bytes(4)?,
        checks: row.bytes(5)?,
    })
}

/// The lines of a block that their patient or user would not find.
async fn unfound(store: &Store, block: &StoredBlock) -> Result<Vec<i64>> {
    // A line that cannot be read is a breach already.
    let lines: Vec<_> = block::lines(&block.lines).map_while(Result::ok).collect();
    let wanted: Vec<(i64, i64, i64, i64)> = lines
        .iter()
        .flat_map(|(at, line)| line.subjects().map(move |of| (of, line.at.0, block.id + at, block.number + at)))
        .collect();
    let moments = wanted.iter().map(|(_, at, ..)| *at);
    let (Some(first), Some(last)) = (moments.clone().min(), moments.max()) else { return Ok(Vec::new()) };
    let subjects: HashSet<i64> = wanted.iter().map(|(subject, ..)| *subject).collect();
    let mut found = HashSet::new();
    let entry = |row: &dyn Row| Ok((row.int(0)?, row.int(1)?, row.int(2)?));
    let keep = |entry: (i64, i64, i64)| {
        found.insert(entry);
        Ok(())
    };
    store.db.each_of_ledger(FOUND_BY, &[args![&list(subjects), first, last]], entry, keep).await?;
    let hidden = wanted.into_iter().filter(|(subject, at, id, _)| !found.contains(&(*subject, *at, *id)));
    Ok(hidden.map(|(.., number)| number).collect())
}
