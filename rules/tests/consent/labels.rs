//! The table `labels`.

use crate::consent::read;
use rules::labels::{Coding, LABEL_SYSTEM, LABEL_SYSTEM_ELSEWHERE, Label, Labelling, labelling};

const CONFIDENTIALITY: &str = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality";
const ACT_CODE: &str = "http://terminology.hl7.org/CodeSystem/v3-ActCode";

pub(crate) fn coding<'a>(system: &'a str, code: &'a str) -> Coding<'a> {
    Coding { system: Some(system), code: Some(code) }
}

pub(crate) fn hold(document: &str) {
    let code = format!("code in `meta.security` (system `{LABEL_SYSTEM}`)");
    let header = ["label", "bit", &code, "also understood on write", "JSON name in custom REST"];
    let table = read(document, "labels", &header);
    let names = ["General health", "Mental health", "Sexual health", "Social care"];
    assert_eq!(table.rows().count(), names.len());
    for (name, label) in names.into_iter().zip(Label::ALL) {
        let row = table.row(name);
        row.cell("bit").reads(&label.bit().to_string());
        row.cell(&code).reads(label.code());
        row.cell("JSON name in custom REST").reads(label.code());
        row.cell("also understood on write").means(|text| {
            let consent_only = text.strip_prefix("(Consent only) ");
            let mut sent = consent_only.unwrap_or(text).split(", ").map(foreign);
            sent.all(|sent| sent.is_some_and(|sent| understood(sent, label, consent_only.is_some()))).then_some(())
        });
        for system in [LABEL_SYSTEM, LABEL_SYSTEM_ELSEWHERE] {
            assert_eq!(labelling("Observation", [coding(system, label.code())]), Ok(Labelling::Label(label)));
        }
    }
    table.was_held_in_every_cell();
}

/// `v3-ActCode PSY`.
fn foreign(text: &str) -> Option<Coding<'_>> {
    match text.split_once(' ')? {
        ("v3-Confidentiality", code) => Some(coding(CONFIDENTIALITY, code)),
        ("v3-ActCode", code) => Some(coding(ACT_CODE, code)),
        _ => None,
    }
}

fn understood(sent: Coding<'_>, label: Label, on_consent_only: bool) -> bool {
    let on_item = if on_consent_only { Labelling::Sensitive } else { Labelling::Label(label) };
    labelling("Consent", [sent]) == Ok(Labelling::Label(label)) && labelling("Observation", [sent]) == Ok(on_item)
}

#[test]
fn a_sensitivity_that_no_label_stands_for_leaves_an_item_without_one_and_silence_does_not() {
    for (system, code) in
        [(CONFIDENTIALITY, "R"), (CONFIDENTIALITY, "V"), (ACT_CODE, "SPI"), (ACT_CODE, "HIV"), (ACT_CODE, "SUD")]
    {
        let sensitive = coding(system, code);
        assert_eq!(labelling("Observation", [sensitive]), Ok(Labelling::Sensitive), "{code}");
        let labelled = [sensitive, coding(LABEL_SYSTEM, "SEXUAL_HEALTH")];
        assert_eq!(
            labelling("Observation", labelled),
            Ok(Labelling::Label(Label::SexualHealth)),
            "{code} beside a label"
        );
    }
    for (system, code) in [(CONFIDENTIALITY, "L"), (CONFIDENTIALITY, "M"), (CONFIDENTIALITY, "U"), ("urn:x", "HIV")] {
        assert_eq!(labelling("Observation", [coding(system, code)]), Ok(Labelling::Silent), "{code}");
    }
    assert_eq!(labelling("Observation", []), Ok(Labelling::Silent));
}
