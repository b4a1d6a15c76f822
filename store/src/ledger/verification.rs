//! Verifying the ledger: every line by the hash of the one before, its end, what it is found by, the roots of its months, and
//! what was kept of it elsewhere.

use super::{addition, blocks, roots};
use crate::error::Result;
use crate::lines::audit::{Audit, Breach, StoredBlock};
use crate::lines::block::{self, Hash, Head};
use crate::lines::month::Month;
use crate::lines::month_audit::{MonthAudit, MonthFault, MonthFaultKind, joints};
use crate::lines::root::{MonthRoot, Notary, SealState};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use std::collections::{BTreeMap, HashSet};

/// Blocks that are read at a time.
const BLOCKS: i64 = 16;

statements! {
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

/// What a month was closed with, as somebody kept it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptMonth {
    pub month: Month,
    pub first: i64,
    pub last: i64,
    pub hash: Hash,
}

impl KeptMonth {
    /// What is to be kept of a root.
    #[must_use]
    pub const fn of(root: &MonthRoot) -> Self {
        Self { month: root.month, first: root.first, last: root.last, hash: root.hash }
    }
}

/// What the ledger is held to besides itself.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    pub roots: Vec<Root>,
    pub months: Vec<KeptMonth>,
    /// Who can tell whether a seal is good.
    pub notary: Option<&'a dyn Notary>,
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub lines: i64,
    pub breaches: Vec<Breach>,
    /// Lines that somebody would not find, by number.
    pub hidden: Vec<i64>,
    pub faults: Vec<MonthFault>,
    /// The roots of all months that were closed, also of those that were dropped.
    pub months: Vec<MonthRoot>,
    /// Roots that were kept elsewhere, by their lines, and cannot be held to anything: those lines were dropped.
    pub beyond_check: Vec<i64>,
}

impl Verdict {
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.breaches.is_empty() && self.hidden.is_empty() && self.faults.is_empty()
    }

    /// Everything that is wrong, each with the line or the month that it is about.
    #[must_use]
    pub fn words(&self) -> Vec<(String, String)> {
        let breaches = self.breaches.iter().map(|breach| (format!("line {}", breach.line), breach.to_string()));
        let hidden = self
            .hidden
            .iter()
            .map(|line| (format!("line {line}"), format!("whom line {line} concerns does not find it")));
        let months = self.faults.iter().map(|fault| (fault.month.to_string(), fault.to_string()));
        breaches.chain(hidden).chain(months).collect()
    }
}

/// Where the ledger ends now.
pub async fn root(store: &Store) -> Result<Root> {
    let Head { number: line, hash, .. } = addition::head(store).await?;
    Ok(Root { line, hash })
}

/// Looks at every line. `progress` hears how many are done, and how many there are.
pub async fn verify(store: &Store, evidence: &Evidence<'_>, mut progress: impl FnMut(i64, i64)) -> Result<Verdict> {
    loop {
        let months = roots::roots(store).await?;
        let verdict = verify_once(store, months, evidence, &mut progress).await?;
        // What was dropped meanwhile was missed, and is no fault.
        let beginning = verdict.months.iter().rfind(|root| root.removal.is_some()).map(|root| root.month);
        if verdict.is_whole() || roots::beginning(store).await?.map(|root| root.month) == beginning {
            return Ok(verdict);
        }
    }
}

async fn verify_once(
    store: &Store,
    months: Vec<MonthRoot>,
    evidence: &Evidence<'_>,
    progress: &mut impl FnMut(i64, i64),
) -> Result<Verdict> {
    let head = addition::head(store).await?;
    // Lines of months that were dropped may still be there in part.
    let dropped = months.iter().rfind(|root| root.removal.is_some());
    let start =
        dropped.map_or(Head::start(), |root| Head { number: root.last, hash: root.hash, id: root.month.ids().1 });
    let mut faults = joints(&months);
    faults.extend(months.iter().filter_map(|root| unsealed(root, evidence.notary)));
    faults.extend(evidence.months.iter().filter_map(|kept| unlike(kept, &months)));
    let (checked, beyond) = beginning_of(evidence, &months, start, &mut faults);
    let mut audit = Audit::new(start, checked);
    let kept = months.iter().filter(|root| dropped.is_none_or(|dropped| root.month > dropped.month));
    let mut by_month = MonthAudit::new(kept.cloned(), start.hash);
    let (mut from, mut hidden) = (start.id, Vec::new());
    loop {
        progress(audit.lines().min(head.number), head.number);
        let blocks = blocks::between(store, from, head.id.saturating_add(1), BLOCKS).await?;
        let Some(last) = blocks.last() else { break };
        from = last.id.saturating_add(1);
        for block in &blocks {
            audit.block(block);
            by_month.block(block);
            hidden.extend(unfound(store, block).await?);
        }
    }
    faults.extend(by_month.end());
    Ok(Verdict { lines: head.number, breaches: audit.end(head), hidden, faults, months, beyond_check: beyond })
}

/// The roots that lines can be held to. Those of lines that were dropped are held to the roots of their months, where they
/// are the last of one; the rest is told.
fn beginning_of(
    evidence: &Evidence<'_>,
    months: &[MonthRoot],
    start: Head,
    faults: &mut Vec<MonthFault>,
) -> (BTreeMap<i64, Hash>, Vec<i64>) {
    let (mut checked, mut beyond) = (BTreeMap::new(), Vec::new());
    for Root { line, hash } in &evidence.roots {
        if *line > start.number {
            checked.insert(*line, *hash);
            continue;
        }
        match months.iter().find(|root| root.last == *line) {
            Some(root) if root.hash != *hash => {
                faults.push(MonthFault { month: root.month, kind: MonthFaultKind::OtherRoot });
            }
            Some(_) => {}
            None if *line == 0 => {}
            None => beyond.push(*line),
        }
    }
    (checked, beyond)
}

/// Whether somebody else made a root.
fn unsealed(root: &MonthRoot, notary: Option<&dyn Notary>) -> Option<MonthFault> {
    let kind = match root.examined(notary?) {
        SealState::Good => return None,
        SealState::Broken => MonthFaultKind::Broken,
        SealState::OtherKey => MonthFaultKind::OtherKey(root.seal.key.clone()),
    };
    Some(MonthFault { month: root.month, kind })
}

/// Whether the root of a month is another than the one that was kept.
fn unlike(kept: &KeptMonth, months: &[MonthRoot]) -> Option<MonthFault> {
    let kind = match months.iter().find(|root| root.month == kept.month) {
        None => MonthFaultKind::NoRoot,
        Some(root) if (root.first, root.last, root.hash) != (kept.first, kept.last, kept.hash) => {
            MonthFaultKind::OtherRoot
        }
        Some(_) => return None,
    };
    Some(MonthFault { month: kept.month, kind })
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
