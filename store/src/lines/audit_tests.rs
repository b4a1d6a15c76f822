//! Whatever is done to the ledger behind its back is found, and the line is named.

use super::*;
use crate::lines::block::Block;
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use proptest::prelude::*;
use rules::ids::PatientId;
use rules::moment::Moment;

fn written(number: i64) -> Vec<u8> {
    let about = About { patient: Some(PatientId(number)), ..About::default() };
    let mut written = Vec::new();
    encoding::write(&Line::new(Moment(number), Event::Accessed, None, about), &mut written);
    written
}

fn stored_as(made: Block) -> StoredBlock {
    let Block { id, number, count, hash, lines, checks, .. } = made;
    StoredBlock { id, number, count, hash: hash.to_vec(), lines, checks }
}

/// A ledger of so many blocks of so many lines, and its head.
fn ledger(blocks: i64, lines: i64) -> (Vec<StoredBlock>, Head) {
    let mut head = Head::start();
    let mut stored = Vec::new();
    for block in 0..blocks {
        let all: Vec<u8> = (0..lines).flat_map(|line| written(block * lines + line)).collect();
        for made in head.add(&all, 0).unwrap() {
            stored.push(stored_as(made));
        }
    }
    (stored, head)
}

fn found(blocks: &[StoredBlock], head: Head, roots: BTreeMap<i64, Hash>) -> Vec<Breach> {
    let mut audit = Audit::new(Head::start(), roots);
    blocks.iter().for_each(|block| audit.block(block));
    audit.end(head)
}

fn lines_of(block: &StoredBlock) -> Vec<Vec<u8>> {
    encoding::each(&block.lines).map(|line| line.unwrap().to_vec()).collect()
}

proptest! {
    #[test]
    fn a_ledger_that_nobody_touched_has_no_breach(blocks in 0..5_i64, lines in 1..5_i64) {
        let (stored, head) = ledger(blocks, lines);
        let roots = BTreeMap::from([(head.number, head.hash)]).into_iter().filter(|(number, _)| *number > 0).collect();
        prop_assert_eq!(found(&stored, head, roots), []);
    }

    #[test]
    fn a_changed_line_is_named(block in 0..4_usize, line in 0..5_usize, byte in 2..19_usize, by in 1..=255_u8) {
        let (mut stored, head) = ledger(4, 5);
        let mut lines = lines_of(&stored[block]);
        // Not its length: that would change where every line after it begins.
        lines[line][byte] ^= by;
        stored[block].lines = lines.concat();
        let number = i64::try_from(block * 5 + line).unwrap() + 1;
        prop_assert_eq!(found(&stored, head, BTreeMap::new()), [Breach { line: number, kind: BreachKind::Changed }]);
    }

    #[test]
    fn a_line_that_was_taken_out_or_put_in_is_found(block in 0..4_usize, line in 0..5_usize, put in any::<bool>(), neat in any::<bool>()) {
        let (mut stored, head) = ledger(4, 5);
        let mut lines = lines_of(&stored[block]);
        let mut checks: Vec<Vec<u8>> = stored[block].checks.chunks(CHECK).map(<[u8]>::to_vec).collect();
        if put {
            lines.insert(line, written(99));
            checks.insert(line, vec![7; CHECK]);
        } else {
            lines.remove(line);
            checks.remove(line);
        }
        stored[block].lines = lines.concat();
        if neat {
            stored[block].checks = checks.concat();
            stored[block].count = i64::try_from(lines.len()).unwrap();
        }
        let found = found(&stored, head, BTreeMap::new());
        let number = i64::try_from(block * 5 + line).unwrap() + 1;
        // The last line of a block leaves no other in it that would not fit.
        prop_assert!(!found.is_empty());
        prop_assert!(found[0].line == number || !put && line == 4, "{found:?} for {number}");
    }
}

#[test]
fn a_block_that_was_taken_out_is_told_by_the_numbers_of_its_lines() {
    let (mut stored, head) = ledger(4, 5);
    stored.remove(1);
    let missing = Breach { line: 6, kind: BreachKind::Missing(10) };
    assert_eq!(found(&stored, head, BTreeMap::new()), [missing]);
    assert_eq!(missing.to_string(), "lines 6 to 10 are missing");
}

#[test]
fn an_end_that_was_cut_off_is_told_by_the_head() {
    let (mut stored, head) = ledger(4, 5);
    stored.pop();
    assert_eq!(found(&stored, head, BTreeMap::new()), [Breach { line: 16, kind: BreachKind::Missing(20) }]);
}

#[test]
fn a_ledger_that_was_made_anew_as_a_whole_is_told_by_a_root_that_was_kept_elsewhere() {
    let (_, before) = ledger(4, 5);
    let mut head = Head::start();
    let other: Vec<u8> = (100..120).flat_map(written).collect();
    let stored: Vec<StoredBlock> = head.add(&other, 0).unwrap().into_iter().map(stored_as).collect();
    assert_eq!(found(&stored, head, BTreeMap::new()), [], "by itself it is whole");
    let root = BTreeMap::from([(before.number, before.hash)]);
    assert_eq!(found(&stored, head, root), [Breach { line: 20, kind: BreachKind::AnotherRoot }]);
    let beyond = BTreeMap::from([(25, before.hash)]);
    assert_eq!(found(&stored, head, beyond), [Breach { line: 21, kind: BreachKind::Missing(25) }]);
}
