//! A block: some lines that were added to the ledger together, each bound to the one before by a hash.
//!
//! The hash of a line is made of the hash before it and of the line as it is written. So whoever changes, removes or
//! inserts a line must change every hash after it; and a hash that was kept elsewhere tells.

use super::encoding;
use super::line::Line;
use super::month::Month;
use crate::error::{Error, Result};
use sha2::{Digest, Sha256};

/// Lines of one block: few enough that reading one of them is cheap.
const MOST_LINES: usize = 512;
/// Of each line's hash so much is kept beside it: it names the line where the chain breaks. The whole hash of the last line
/// is what binds the next block.
pub(crate) const CHECK: usize = 8;

pub(crate) type Hash = [u8; 32];

/// Where the ledger ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Lines so far; also the number of the last line.
    pub number: i64,
    /// Of the last line.
    pub hash: Hash,
    /// The id of the last line, or less where there is none; more, where no later line may have one of a month that was
    /// closed.
    pub id: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The id of its first line; those of the others follow. It grows with time.
    pub id: i64,
    /// The number of its first line: lines are numbered from one, without gaps.
    pub number: i64,
    pub count: i64,
    /// Of its last line.
    pub hash: Hash,
    /// Its lines, as they are written.
    pub lines: Vec<u8>,
    /// Of the hash of each line the first bytes.
    pub checks: Vec<u8>,
    pub subjects: Vec<Subject>,
}

/// By whom a line can be found: a number, the moment and the line's id.
pub(crate) type Subject = (i64, i64, i64);

impl Head {
    /// Before the first line.
    pub(crate) fn start() -> Self {
        Self { number: 0, hash: Sha256::digest(b"recordgate ledger").into(), id: 0 }
    }

    /// Adds lines as they are written; `floor` is the least id that they may have.
    pub(crate) fn add(&mut self, written: &[u8], floor: i64) -> Result<Vec<Block>> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut month_end = i64::MAX;
        for line in encoding::each(written) {
            let line = line?;
            let is_full = blocks.last().is_none_or(|block| block.lines_so_far() >= MOST_LINES);
            // A block is of one month: it is closed and dropped with it.
            if is_full || self.id.saturating_add(1) >= month_end {
                let block = self.next_block(floor);
                month_end = Month::of_id(block.id).ids().1;
                blocks.push(block);
            }
            if let Some(block) = blocks.last_mut() {
                self.append(block, line)?;
            }
        }
        Ok(blocks)
    }

    fn next_block(&self, floor: i64) -> Block {
        let id = floor.max(self.id.saturating_add(1));
        let (lines, checks, subjects) = (Vec::new(), Vec::new(), Vec::new());
        Block { id, number: self.number + 1, count: 0, hash: self.hash, lines, checks, subjects }
    }

    fn append(&mut self, block: &mut Block, written: &[u8]) -> Result<()> {
        let line = encoding::read(written)?;
        self.hash = hash_after(&self.hash, written);
        self.number += 1;
        self.id = block.id + block.count;
        let id = self.id;
        block.subjects.extend(line.subjects().map(|subject| (subject, line.at.0, id)));
        block.lines.extend(written);
        block.checks.extend(self.hash.iter().take(CHECK));
        block.count += 1;
        block.hash = self.hash;
        Ok(())
    }
}

impl Block {
    fn lines_so_far(&self) -> usize {
        usize::try_from(self.count).unwrap_or(usize::MAX)
    }
}

/// The hash of a line.
pub(crate) fn hash_after(before: &Hash, written: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update(written);
    hash.finalize().into()
}

/// The lines of a block, with the place of each in it.
pub(crate) fn lines(written: &[u8]) -> impl Iterator<Item = Result<(i64, Line)>> {
    let read = |(at, line): (usize, Result<&[u8]>)| {
        let at = i64::try_from(at).map_err(|_| Error::Impossible("a block of so many lines".into()))?;
        Ok((at, encoding::read(line?)?))
    };
    encoding::each(written).enumerate().map(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::event::Event;
    use crate::lines::line::About;
    use rules::ids::{PatientId, UserId};
    use rules::moment::Moment;

    fn written(count: i64) -> Vec<u8> {
        let mut written = Vec::new();
        for n in 0..count {
            let about = About { patient: Some(PatientId(n)), user: Some(UserId(-1)), ..About::default() };
            encoding::write(&Line::new(Moment(n), Event::Accessed, None, about), &mut written);
        }
        written
    }

    #[test]
    fn the_same_lines_end_in_the_same_hash_however_they_are_cut_into_blocks() {
        let all = written(1300);
        let (mut at_once, mut one_by_one) = (Head::start(), Head::start());
        let blocks = at_once.add(&all, 100).unwrap();
        for line in encoding::each(&all) {
            one_by_one.add(line.unwrap(), 100).unwrap();
        }
        assert_eq!((at_once.number, at_once.hash), (1300, one_by_one.hash));
        assert_eq!(blocks.iter().map(|block| block.count).sum::<i64>(), 1300);
        assert!(blocks.iter().all(|block| block.lines_so_far() <= MOST_LINES));
    }

    #[test]
    fn numbers_have_no_gaps_and_ids_only_grow_even_when_time_does_not() {
        let mut head = Head::start();
        let mut blocks = head.add(&written(700), 5_000).unwrap();
        blocks.extend(head.add(&written(3), 1).unwrap());
        let (mut number, mut id) = (0, 0);
        for block in &blocks {
            assert_eq!(block.number, number + 1);
            assert!(block.id > id);
            number += block.count;
            id = block.id + block.count - 1;
        }
        assert_eq!((number, head.number, head.id), (703, 703, id));
    }

    #[test]
    fn a_block_ends_with_its_month() {
        let month = Month::named("2026-09").unwrap();
        let (_, end) = month.ids();
        let blocks = Head::start().add(&written(5), end - 2).unwrap();
        let placed: Vec<(i64, i64)> = blocks.iter().map(|block| (block.id, block.count)).collect();
        assert_eq!(placed, [(end - 2, 2), (end, 3)]);
    }

    #[test]
    fn a_line_is_found_by_its_patient_and_its_user_at_its_moment() {
        let blocks = Head::start().add(&written(2), 10).unwrap();
        assert_eq!(blocks.first().unwrap().subjects, [(0, 0, 10), (-1, 0, 10), (1, 1, 11), (-1, 1, 11)]);
    }
}
