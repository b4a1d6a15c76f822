//! Holds the rules to every marked table of docs/consent.md, cell by cell.
#![expect(clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "a broken table must fail the test")]

mod consent;

use consent::{
    CONSENT, answers, callers, consent_rights, delay, effects, examples, fields, glass, label_rights, labels, marked,
    needs, rights, states,
};
use std::panic::catch_unwind;

/// Holds the rules to one table of a document.
type Hold = fn(&str);

/// Every marked table, and what holds the rules to it. The table of the FHIR form is held in `fhir/tests`.
const TABLES: [(&str, Hold); 14] = [
    ("labels", labels::hold),
    ("needs", needs::hold),
    ("label-rights", label_rights::hold),
    ("consent-fields", fields::hold),
    ("consent-rights", consent_rights::hold),
    ("states", states::hold),
    ("rights", rights::hold),
    ("callers", callers::hold),
    ("answers", answers::hold),
    ("glass", glass::hold),
    ("delay", delay::hold),
    ("effects", effects::hold_effects),
    ("examples", examples::hold),
    ("changes", effects::hold_changes),
];
const IN_FHIR: &str = "consent-fhir";

#[test]
fn every_marked_table_is_held_by_a_test() {
    let held: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    let marked: Vec<&str> = marked::names(CONSENT).into_iter().filter(|name| *name != IN_FHIR).collect();
    assert_eq!(marked, held);
}

#[test]
fn every_cell_of_every_table_is_what_the_rules_say() {
    let broken: Vec<&str> =
        TABLES.iter().filter(|(_, hold)| catch_unwind(|| hold(CONSENT)).is_err()).map(|(name, _)| *name).collect();
    assert_eq!(broken, [""; 0]);
}

#[test]
fn no_cell_number_or_row_of_a_table_can_change_alone() {
    for (name, hold) in TABLES {
        for change in marked::changes(CONSENT, name) {
            assert!(catch_unwind(|| hold(&change)).is_err(), "unnoticed in {name}: {}", marked::table(&change, name));
        }
    }
}
