//! Privacy labels: the tables `labels` and `needs` of docs/gaps.md, held cell by cell, and the sentences around them.
#![expect(clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "a broken table must fail the test")]

#[path = "contract/markdown.rs"]
mod markdown;
#[path = "contract/marked.rs"]
mod marked;

use markdown::Table;
use marked::table;
use rules::labels::{Coding, LABEL_SYSTEM, LABEL_SYSTEM_ELSEWHERE, Label, Labels, Needs, SeveralLabels, needs};
use std::panic::catch_unwind;

const GAPS: &str = include_str!("../../docs/gaps.md");
const CONFIDENTIALITY: &str = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality";
const ACT_CODE: &str = "http://terminology.hl7.org/CodeSystem/v3-ActCode";

/// Ordinary items of a record.
const ITEMS: [&str; 4] = ["Observation", "Condition", "DocumentReference", "Appointment"];

fn coding<'a>(system: &'a str, code: &'a str) -> Coding<'a> {
    Coding { system: Some(system), code: Some(code) }
}

fn of(label: Label) -> Coding<'static> {
    coding(LABEL_SYSTEM, label.code())
}

fn hold_labels(document: &str) {
    let code = format!("code in `meta.security` (system `{LABEL_SYSTEM}`)");
    let table = Table::headed(table(document, "labels"), &["label", "bit", &code, "also understood on write"]);
    let rows = [
        ("General health", Label::GeneralHealth),
        ("Mental health", Label::MentalHealth),
        ("Sexual health", Label::SexualHealth),
        ("Social care", Label::SocialCare),
    ];
    assert_eq!(table.rows().count(), rows.len());
    assert_eq!(rows.map(|(_, label)| label), Label::ALL);
    for (name, label) in rows {
        let row = table.row(name);
        row.cell("bit").reads(&label.bit().to_string());
        row.cell(&code).reads(label.code());
        row.cell("also understood on write").means(|text| {
            let consent = text.strip_prefix("(Consent only) ");
            consent.unwrap_or(text).split(", ").try_for_each(|one| understood(one, label, consent.is_some()))
        });
        for item in ITEMS {
            assert_eq!(needs(item, [of(label)]), Ok(Needs(label.bit())), "{item}");
        }
    }
    table.was_held_in_every_cell();
}

/// Whether a coding such as `v3-ActCode PSY` says this label, on a Consent only or on every item.
fn understood(text: &str, label: Label, on_consent_only: bool) -> Option<()> {
    let system = match text.split_once(' ')? {
        ("v3-Confidentiality", _) => CONFIDENTIALITY,
        ("v3-ActCode", _) => ACT_CODE,
        _ => return None,
    };
    let sent = coding(system, text.split_once(' ')?.1);
    let on_item = if on_consent_only { Needs::ALL } else { Needs(label.bit()) };
    let on_items = ITEMS.iter().all(|item| needs(item, [sent]) == Ok(on_item));
    // A Consent needs all four whatever it is labelled with; which label it has shows where a second one contradicts it.
    let other = Label::ALL.into_iter().find(|other| *other != label)?;
    let on_consent = needs("Consent", [sent, of(other)]) == Err(SeveralLabels(label, other));
    (on_items && on_consent).then_some(())
}

fn hold_needs(document: &str) {
    let table = Table::headed(table(document, "needs"), &["item", "needs", "D/I"]);
    let all = Ok(Needs::ALL);
    for (row, origin) in table.rows().zip(["D", "D", "I", "I", "I", "I", "D"]) {
        let item = row.first().means(|text| Some(text.to_owned()));
        row.cell("D/I").reads(origin);
        row.cell("needs").means(|text| {
            let holds = match (item.as_str(), text) {
                ("any item with a label", "that bit") => {
                    Label::ALL.iter().all(|label| needs("Observation", [of(*label)]) == Ok(Needs(label.bit())))
                }
                ("item without a label", "15 (all four)") => {
                    Needs::ALL.0 == 15 && ITEMS.iter().all(|item| needs(item, []) == all)
                }
                ("Patient", "0 (association)") => {
                    Needs::NONE.0 == 0 && with_any_label("Patient").all(|needs| needs == Ok(Needs::NONE))
                }
                // By itself nobody sees it by consent but who holds all; the store opens it through its document.
                ("Binary", "what the DocumentReference that holds it needs; none holds it: its source only") => {
                    needs("Binary", []) == all
                }
                ("Provenance", "15 (its targets may have any label)") | ("Consent", "15") => {
                    with_any_label(&item).all(|needs| needs == all)
                }
                ("AuditEvent", "self only") => {
                    with_any_label("AuditEvent").all(|needs| needs.is_ok_and(Needs::is_self_only))
                }
                _ => return None,
            };
            holds.then_some(())
        });
    }
    assert_eq!(table.rows().count(), 7);
    table.was_held_in_every_cell();
}

/// What an item of a type needs without a label, and with each.
fn with_any_label(item: &str) -> impl Iterator<Item = Result<Needs, SeveralLabels>> {
    let labelled = Label::ALL.map(|label| needs(item, [of(label)]));
    labelled.into_iter().chain([needs(item, [])])
}

#[test]
fn every_cell_of_the_label_table_is_what_the_rules_say() {
    hold_labels(GAPS);
}

#[test]
fn every_cell_of_the_needs_table_is_what_the_rules_say() {
    hold_needs(GAPS);
}

#[test]
fn no_cell_number_or_row_of_the_two_tables_can_change_alone() {
    let tables = [("labels", hold_labels as fn(&str)), ("needs", hold_needs)];
    assert_eq!(marked::names(GAPS), tables.map(|(name, _)| name));
    for (name, hold) in tables {
        for change in marked::changes(GAPS, name) {
            assert!(catch_unwind(|| hold(&change)).is_err(), "unnoticed in {name}: {}", table(&change, name));
        }
    }
}

#[test]
fn two_different_labels_are_refused_and_the_same_twice_is_one() {
    let (general, mental) = (of(Label::GeneralHealth), of(Label::MentalHealth));
    for item in ["Observation", "Patient", "Consent", "AuditEvent"] {
        let refused = needs(item, [general, mental]);
        assert_eq!(refused, Err(SeveralLabels(Label::GeneralHealth, Label::MentalHealth)), "{item}");
    }
    assert_eq!(needs("Observation", [mental, mental]), Ok(Needs(2)));
    let elsewhere = coding(ACT_CODE, "PSY");
    assert_eq!(needs("Observation", [mental, elsewhere]), Ok(Needs(2)), "two words for one label");
    let third = [mental, elsewhere, coding(CONFIDENTIALITY, "N")];
    assert_eq!(needs("Observation", third), Err(SeveralLabels(Label::MentalHealth, Label::GeneralHealth)));
}

#[test]
fn the_four_codes_mean_the_same_in_the_system_of_the_service_that_the_contract_describes() {
    for label in Label::ALL {
        assert_eq!(needs("Observation", [coding(LABEL_SYSTEM_ELSEWHERE, label.code())]), Ok(Needs(label.bit())));
        let both = [of(label), coding(LABEL_SYSTEM_ELSEWHERE, label.code())];
        assert_eq!(needs("Observation", both), Ok(Needs(label.bit())));
    }
}

#[test]
fn a_sensitivity_that_the_table_does_not_name_is_no_label_and_needs_all_four() {
    for (system, code) in [
        (CONFIDENTIALITY, "R"),
        (CONFIDENTIALITY, "V"),
        (ACT_CODE, "SPI"),
        (ACT_CODE, "HIV"),
        (ACT_CODE, "SUD"),
        (ACT_CODE, "SDV"),
        (ACT_CODE, "N"),
        (CONFIDENTIALITY, "PSY"),
        (LABEL_SYSTEM, "general_health"),
        (LABEL_SYSTEM, ""),
        ("urn:another", "GENERAL_HEALTH"),
    ] {
        assert_eq!(needs("Observation", [coding(system, code)]), Ok(Needs::ALL), "{system} {code}");
        let beside = [coding(system, code), of(Label::SexualHealth)];
        assert_eq!(needs("Observation", beside), Ok(Needs(4)), "{system} {code} beside a label");
    }
    let code = Some("GENERAL_HEALTH");
    for half in [Coding { system: None, code }, Coding { system: Some(LABEL_SYSTEM), code: None }] {
        assert_eq!(needs("Observation", [half]), Ok(Needs::ALL), "{half:?}");
    }
}

#[test]
fn labels_hold_what_is_within_them_and_nobody_can_hold_what_is_for_the_patient_alone() {
    for held in 0..16 {
        for needed in 0..16 {
            assert_eq!(Labels(held).hold(Needs(needed)), held | needed == held, "{held} {needed}");
        }
        assert!(!Labels(held).hold(Needs::SELF_ONLY));
        assert!(!Labels(held).hold(Needs(-1)), "what was not read yet");
        assert!(Labels(held).hold(Needs::NONE));
    }
    assert_eq!(Labels::ALL.0, Label::ALL.iter().map(|label| label.bit()).sum::<i64>());
}
