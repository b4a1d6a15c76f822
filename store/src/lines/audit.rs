//! Holding the ledger to its own hashes: which line is not what was written, and where lines are missing or too many.

use super::block::{CHECK, Hash, Head, hash_after};
use super::encoding;
use std::collections::BTreeMap;

/// What is wrong with the ledger, and at which line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The number of the line.
    pub line: i64,
    pub kind: BreachKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreachKind {
    /// It is not what was written.
    Changed,
    /// This line and those after it are not there, up to this number.
    Missing(i64),
    /// It was not written where it stands.
    Inserted,
    /// The ledger was another one up to here when this root was made.
    AnotherRoot,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let line = self.line;
        match self.kind {
            BreachKind::Changed => write!(f, "line {line} is not what was written"),
            BreachKind::Missing(last) if last == line => write!(f, "line {line} is missing"),
            BreachKind::Missing(last) => write!(f, "lines {line} to {last} are missing"),
            BreachKind::Inserted => write!(f, "line {line} was put in where it does not belong"),
            BreachKind::AnotherRoot => {
                write!(f, "up to line {line} the ledger is not the one that the root was made of")
            }
        }
    }
}

/// A block as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredBlock {
    pub id: i64,
    pub number: i64,
    pub count: i64,
    pub hash: Vec<u8>,
    pub lines: Vec<u8>,
    pub checks: Vec<u8>,
}

/// Walks along the blocks. What it finds in one does not keep it from judging the next.
#[derive(Debug)]
pub(crate) struct Audit {
    at: Head,
    roots: BTreeMap<i64, Hash>,
    pub(crate) breaches: Vec<Breach>,
}

impl Audit {
    /// Begins behind `start`. Roots are hashes that were kept elsewhere, by the number of their line.
    pub(crate) fn new(start: Head, roots: BTreeMap<i64, Hash>) -> Self {
        Self { at: start, roots, breaches: Vec::new() }
    }

    /// How many lines have been looked at.
    pub(crate) const fn lines(&self) -> i64 {
        self.at.number
    }

    fn find(&mut self, line: i64, kind: BreachKind) {
        self.breaches.push(Breach { line, kind });
    }

    pub(crate) fn block(&mut self, block: &StoredBlock) {
        let expected = self.at.number + 1;
        if block.number > expected {
            self.find(expected, BreachKind::Missing(block.number - 1));
        } else if block.number < expected {
            self.find(block.number, BreachKind::Inserted);
        } else {
            self.lines_of(block);
        }
        // From here on the block is taken at its word: only so can the next be judged by itself.
        self.at.number = self.at.number.max(block.number.saturating_add(block.count) - 1);
        match block.hash.as_slice().try_into() {
            Ok(hash) => self.at.hash = hash,
            Err(_) => self.find(self.at.number, BreachKind::Changed),
        }
    }

    /// Each line of a block that stands where it should.
    fn lines_of(&mut self, block: &StoredBlock) {
        let (mut hash, mut number) = (self.at.hash, block.number - 1);
        let checks = block.checks.chunks(CHECK).chain(std::iter::repeat(&[][..]));
        for (line, check) in encoding::each(&block.lines).zip(checks) {
            number += 1;
            if check.is_empty() {
                return self.find(number, BreachKind::Inserted);
            }
            let Ok(line) = line else { return self.find(number, BreachKind::Changed) };
            hash = hash_after(&hash, line);
            if !hash.starts_with(check) || check.len() != CHECK {
                return self.find(number, BreachKind::Changed);
            }
            if self.roots.remove(&number).is_some_and(|root| root != hash) {
                self.find(number, BreachKind::AnotherRoot);
            }
        }
        let last = block.number.saturating_add(block.count) - 1;
        if number < last {
            self.find(number + 1, BreachKind::Missing(last));
        } else if number > last {
            self.find(last + 1, BreachKind::Inserted);
        } else if block.hash != hash {
            self.find(number, BreachKind::Changed);
        }
    }

    /// The end, as the ledger itself says where it is.
    pub(crate) fn end(mut self, head: Head) -> Vec<Breach> {
        if self.at.number < head.number {
            self.find(self.at.number + 1, BreachKind::Missing(head.number));
        } else if self.at.number > head.number {
            self.find(head.number + 1, BreachKind::Inserted);
        } else if self.at.hash != head.hash {
            self.find(head.number, BreachKind::Changed);
        }
        let beyond: Vec<i64> = self.roots.keys().copied().filter(|number| *number > head.number).collect();
        for number in beyond {
            self.find(head.number + 1, BreachKind::Missing(number));
        }
        self.breaches
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
