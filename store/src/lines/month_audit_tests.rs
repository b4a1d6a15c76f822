//! A month that was closed is told from those beside it, whatever was made anew around it.

use super::*;
use crate::lines::block::Head;
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use crate::lines::root::Seal;
use rules::ids::PatientId;
use rules::moment::Moment;

fn written(patient: i64) -> Vec<u8> {
    let about = About { patient: Some(PatientId(patient)), ..About::default() };
    let mut written = Vec::new();
    encoding::write(&Line::new(Moment(patient), Event::Accessed, None, about), &mut written);
    written
}

/// Three months of so many lines each, about these patients, with their roots.
fn ledger(months: [&[i64]; 3]) -> (Vec<StoredBlock>, Vec<MonthRoot>) {
    let (mut head, mut month) = (Head::start(), Month::named("2026-09").unwrap());
    let (mut blocks, mut roots) = (Vec::new(), Vec::new());
    for patients in months {
        let first = head.number + 1;
        let all: Vec<u8> = patients.iter().flat_map(|patient| written(*patient)).collect();
        for block in head.add(&all, month.ids().0).unwrap() {
            let crate::lines::block::Block { id, number, count, hash, lines, checks, .. } = block;
            blocks.push(StoredBlock { id, number, count, hash: hash.to_vec(), lines, checks });
        }
        let (last, hash, closed_at) = (head.number, head.hash, Moment(0));
        roots.push(MonthRoot { month, first, last, hash, closed_at, removal: None, seal: Seal::default() });
        month = month.next();
    }
    (blocks, roots)
}

fn found(blocks: &[StoredBlock], roots: Vec<MonthRoot>) -> Vec<String> {
    let mut audit = MonthAudit::new(roots, Head::start().hash);
    blocks.iter().for_each(|block| audit.block(block));
    audit.end().iter().map(ToString::to_string).collect()
}

#[test]
fn months_that_nobody_touched_are_what_their_roots_say_also_one_without_a_line() {
    let (blocks, roots) = ledger([&[1, 2], &[], &[3]]);
    assert_eq!(roots[1].lines(), 0);
    assert_eq!(found(&blocks, roots.clone()), [""; 0]);
    assert_eq!(joints(&roots), []);
}

#[test]
fn a_month_whose_lines_were_changed_and_all_hashes_recomputed_is_named_and_no_other() {
    let (_, roots) = ledger([&[1, 2], &[3, 4], &[5]]);
    let (forged, _) = ledger([&[1, 2], &[3, 9], &[5]]);
    let told = "one of the lines 3 to 4, of 2026-10, is not what was written when the month was closed";
    assert_eq!(found(&forged, roots), [told]);
}

#[test]
fn lines_that_were_taken_out_or_put_in_with_all_hashes_recomputed_are_counted() {
    let (_, roots) = ledger([&[1, 2], &[3, 4], &[5]]);
    let (fewer, _) = ledger([&[1, 2], &[4], &[5]]);
    assert_eq!(found(&fewer, roots.clone()), ["lines of 2026-10 are missing: it was closed with 2 and has 1"]);
    let (more, _) = ledger([&[1, 2], &[3, 4], &[5, 6, 7]]);
    assert_eq!(found(&more, roots), ["lines were put into 2026-11: it was closed with 1 and has 3"]);
}

#[test]
fn a_root_that_is_missing_or_does_not_fit_is_named() {
    let (_, roots) = ledger([&[1, 2], &[3], &[4]]);
    let told = |roots: &[MonthRoot]| joints(roots).iter().map(ToString::to_string).collect::<Vec<_>>();
    let gap = [roots[0].clone(), roots[2].clone()];
    assert_eq!(told(&gap)[0], "the root of 2026-10 is missing");
    assert_eq!(told(&roots[1..]), ["the root of 2026-10 does not begin where the month before ends"]);
    let mut early = roots;
    early[1].removal = Some(crate::lines::root::Removal { at: Moment(0), by: "a".into() });
    assert_eq!(told(&early), ["the root of 2026-10 says that it was dropped, and the month before was not"]);
}
