//! Holding months to the roots that they were closed with. Each is hashed from the root before it, whatever hashes are
//! stored beside its lines: so a month that was changed is told from those that only follow it.

use super::audit::StoredBlock;
use super::block::{Hash, hash_after};
use super::encoding;
use super::month::Month;
use super::root::MonthRoot;
use std::collections::VecDeque;

/// What is wrong with a month that was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthFault {
    pub month: Month,
    pub kind: MonthFaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MonthFaultKind {
    /// One of these lines is not what was written.
    Changed(i64, i64),
    /// It was closed with so many lines, and has so many.
    Count { closed: i64, found: i64 },
    /// Nobody who has the key ring made its root.
    Broken,
    /// Its root says that this key made it, and the ring has no such key.
    OtherKey(String),
    /// There is no root of it.
    NoRoot,
    /// It does not begin where the month before ends.
    Apart,
    /// It was dropped before the one before it.
    DroppedTooEarly,
    /// Its root is another than the one that was kept elsewhere.
    OtherRoot,
}

impl std::fmt::Display for MonthFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let month = self.month;
        match &self.kind {
            MonthFaultKind::Changed(first, last) if first == last => {
                write!(f, "line {first}, of {month}, is not what was written when the month was closed")
            }
            MonthFaultKind::Changed(first, last) => {
                write!(
                    f,
                    "one of the lines {first} to {last}, of {month}, is not what was written when the month was closed"
                )
            }
            MonthFaultKind::Count { closed, found } if found < closed => {
                write!(f, "lines of {month} are missing: it was closed with {closed} and has {found}")
            }
            MonthFaultKind::Count { closed, found } => {
                write!(f, "lines were put into {month}: it was closed with {closed} and has {found}")
            }
            MonthFaultKind::Broken => write!(f, "the root of {month} was not made by the key ring"),
            MonthFaultKind::OtherKey(key) => {
                write!(f, "the root of {month} names the key {key}, which is not in the key ring")
            }
            MonthFaultKind::NoRoot => write!(f, "the root of {month} is missing"),
            MonthFaultKind::Apart => write!(f, "the root of {month} does not begin where the month before ends"),
            MonthFaultKind::DroppedTooEarly => {
                write!(f, "the root of {month} says that it was dropped, and the month before was not")
            }
            MonthFaultKind::OtherRoot => write!(f, "the root of {month} is not the one that was kept elsewhere"),
        }
    }
}

/// Walks along the blocks, from where the last dropped month ends.
#[derive(Debug)]
pub(crate) struct MonthAudit {
    roots: VecDeque<MonthRoot>,
    hash: Hash,
    lines: i64,
    faults: Vec<MonthFault>,
}

impl MonthAudit {
    /// `before` is the hash before the first line of the first of these months.
    pub(crate) fn new(roots: impl IntoIterator<Item = MonthRoot>, before: Hash) -> Self {
        Self { roots: roots.into_iter().collect(), hash: before, lines: 0, faults: Vec::new() }
    }

    pub(crate) fn block(&mut self, block: &StoredBlock) {
        while self.roots.front().is_some_and(|root| block.id >= root.month.ids().1) {
            self.end_month();
        }
        if self.roots.is_empty() {
            return;
        }
        for line in encoding::each(&block.lines).map_while(Result::ok) {
            self.hash = hash_after(&self.hash, line);
            self.lines += 1;
        }
    }

    fn end_month(&mut self) {
        let Some(root) = self.roots.pop_front() else { return };
        let kind = if self.lines != root.lines() {
            Some(MonthFaultKind::Count { closed: root.lines(), found: self.lines })
        } else if self.hash != root.hash {
            Some(MonthFaultKind::Changed(root.first, root.last))
        } else {
            None
        };
        self.faults.extend(kind.map(|kind| MonthFault { month: root.month, kind }));
        // The next month is judged by itself.
        (self.hash, self.lines) = (root.hash, 0);
    }

    pub(crate) fn end(mut self) -> Vec<MonthFault> {
        while !self.roots.is_empty() {
            self.end_month();
        }
        self.faults
    }
}

/// What is wrong with roots by themselves: each follows the one before, and none is dropped before another.
pub(crate) fn joints(roots: &[MonthRoot]) -> Vec<MonthFault> {
    let mut faults = Vec::new();
    let mut find = |month, kind| faults.push(MonthFault { month, kind });
    if let Some(first) = roots.first()
        && first.first != 1
    {
        find(first.month, MonthFaultKind::Apart);
    }
    for (one, other) in roots.iter().zip(roots.iter().skip(1)) {
        let mut missing = one.month.next();
        // A month beyond all calendars must not be waited for.
        for _ in 0..MOST_GAPS {
            if missing >= other.month {
                break;
            }
            find(missing, MonthFaultKind::NoRoot);
            missing = missing.next();
        }
        if other.first != one.last + 1 {
            find(other.month, MonthFaultKind::Apart);
        }
        if other.removal.is_some() && one.removal.is_none() {
            find(other.month, MonthFaultKind::DroppedTooEarly);
        }
    }
    faults
}

/// Missing months that are named one by one.
const MOST_GAPS: usize = 1200;

#[cfg(test)]
#[path = "month_audit_tests.rs"]
mod tests;
