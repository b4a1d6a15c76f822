//! The tables `effects` and `changes`: sentences about what is built on the rules, or was decided otherwise before. What can be
//! asked of the rules alone is asked here; the rest is for the tests of whoever serves it, and its words are held.

use crate::consent::world::{AMINA, BY_FEED, GENERAL, NOW, SLEEP_CLINIC, TEAM, consent, rows};
use crate::consent::{read, reads_as_known};
use rules::consent::glass::{GlassDeed, permits};
use rules::labels::Needs;
use rules::reach::{Item, Reach, right_to_past};
use rules::right::{Right, RightValidity};

pub(crate) fn hold_effects(document: &str) {
    let header = ["what", "rule"];
    let table = read(document, "effects", &header);
    let sums: [u32; 10] = [
        0x9254_9077,
        0x2d1b_f812,
        0x8f03_079b,
        0xc54b_8cd0,
        0x74a7_4b80,
        0x2c7a_a886,
        0xb780_497c,
        0xc01b_f706,
        0x4637_b50e,
        0xaa11_97cc,
    ];
    assert_eq!(table.rows().count(), sums.len());
    for (row, sum) in table.rows().zip(sums) {
        reads_as_known(row, &header, sum);
    }
    table.was_held_in_every_cell();
    the_past_closes_with_the_present();
    assert!(!permits(GlassDeed::Export), "never by glass");
    for right in [Right::Participant, Right::Consent] {
        assert_eq!(right.validity(), RightValidity::WhileInSight, "forgotten by patient");
    }
    assert_eq!(Right::Glass.validity(), RightValidity::ForThatCall);
}

pub(crate) fn hold_changes(document: &str) {
    let header = ["where", "before", "decided here"];
    let table = read(document, "changes", &header);
    let sums: [u32; 12] = [
        0xc2c7_5f1a,
        0x5778_4132,
        0xee30_6252,
        0xb711_499b,
        0xb71c_f6c8,
        0x42dd_2c45,
        0x2103_85ec,
        0x5f2c_eb46,
        0xfb09_41ae,
        0x1d48_af25,
        0xad21_1a94,
        0x71ce_b7bb,
    ];
    assert_eq!(table.rows().count(), sums.len());
    for (row, sum) in table.rows().zip(sums) {
        reads_as_known(row, &header, sum);
    }
    table.was_held_in_every_cell();
}

/// A version that was general, of an item that is mental now.
pub(crate) fn the_past_closes_with_the_present() {
    let item = |needs| Item {
        patients: vec![AMINA],
        needs: Needs(needs),
        source: BY_FEED,
        is_directory: false,
        draft: None,
        participants: vec![],
        of: "Observation",
        codes: vec![],
    };
    let rows = rows(AMINA, &[consent(AMINA, TEAM, GENERAL)], &[]);
    let clinic = Reach::of_teams(vec![SLEEP_CLINIC]);
    let past = |now: i64, then: i64| right_to_past(&clinic, (&item(now), &item(then)), &rows, NOW);
    assert_eq!(past(1, 1), Some(Right::Consent));
    assert_eq!(past(1, 2), None);
}
