//! The table `label-rights`, and the sentences below it.

use crate::consent::world::every_labels;
use crate::consent::{origins, read};
use rules::consent::denial::Denial;
use rules::consent::label_right::{Labeller, StoredLabel, on_update};
use rules::labels::{Label, Labelling, Labels};

const HEADER: [&str; 5] = ["who", "on create", "later, on own items", "later, on others' items", "D/I"];

pub(crate) fn hold(document: &str) {
    let table = read(document, "label-rights", &HEADER);
    for row in table.rows() {
        let who = row.first().means(labellers);
        row.cell("on create").means(|text| who.iter().all(|who| creates(*who, text)).then_some(()));
        row.cell("later, on own items").means(|text| who.iter().all(|who| changes(*who, true, text)).then_some(()));
        row.cell("later, on others' items")
            .means(|text| who.iter().all(|who| changes(*who, false, text)).then_some(()));
    }
    origins(&table, &["D", "I", "D", "I", "I", "I"]);
    table.was_held_in_every_cell();
}

/// Every such labeller, with each set of labels or each default.
fn labellers(text: &str) -> Option<Vec<Labeller>> {
    let persons = || every_labels().map(Labeller::Person).collect();
    Some(match text {
        "patient (self)" => vec![Labeller::Patient],
        "carer" | "individual professional" => persons(),
        "CLINICIAN or SITE, team" => Label::ALL.map(Labeller::Team).to_vec(),
        "System Client" => Label::ALL.into_iter().map(Some).chain([None]).map(Labeller::Organisation).collect(),
        "TEAMCOORD, ADMIN, privacy officer" => vec![Labeller::Nobody],
        _ => return None,
    })
}

fn creates(who: Labeller, text: &str) -> bool {
    let lowest = |held: Labels| Label::ALL.into_iter().find(|label| held.has(*label)).map(Some);
    let (may_set_any, default) = match (text, who) {
        ("any; default GENERAL_HEALTH", Labeller::Patient) => (true, Some(Some(Label::GeneralHealth))),
        ("any; default the team's", Labeller::Team(default)) => (true, Some(Some(default))),
        ("any; default the organisation's", Labeller::Organisation(default)) => (true, Some(default)),
        (
            "a label the carer holds; default GENERAL_HEALTH if held, else the lowest bit held"
            | "a label held; default as carer",
            Labeller::Person(held),
        ) => (false, lowest(held)),
        ("no", Labeller::Nobody) => (false, None),
        _ => return false,
    };
    let each = |label: Label| {
        let may_set = may_set_any || holds(who, label);
        (who.on_create(Labelling::Label(label)) == Ok(Some(label))) == may_set
    };
    let sensitive = who.on_create(Labelling::Sensitive).is_ok() == (who != Labeller::Nobody);
    Label::ALL.into_iter().all(each) && who.on_create(Labelling::Silent).ok() == default && sensitive
}

fn changes(who: Labeller, is_own: bool, text: &str) -> bool {
    let may = |label| match text {
        "any" => Some(true),
        "a label held" => Some(holds(who, label)),
        "no" => Some(false),
        _ => None,
    };
    Label::ALL.into_iter().all(|label| may(label) == Some(who.on_change(label, is_own).is_ok()))
}

fn holds(who: Labeller, label: Label) -> bool {
    matches!(who, Labeller::Person(held) if held.has(label))
}

#[test]
fn a_label_that_is_not_held_is_no_consent_and_anothers_item_is_not_the_source() {
    let carer = Labeller::Person(Labels(1));
    let denied = |result: Result<(), Denial>| result.expect_err("refused").code();
    assert_eq!(denied(carer.on_change(Label::MentalHealth, true)), "NO_CONSENT");
    assert_eq!(denied(Labeller::Team(Label::GeneralHealth).on_change(Label::MentalHealth, false)), "NOT_SOURCE");
    assert_eq!(denied(Labeller::Nobody.on_change(Label::MentalHealth, true)), "USER_TYPE_NOT_PERM");
}

#[test]
fn what_the_patient_chose_stays_whatever_the_source_sends() {
    let feed = Labeller::Organisation(Some(Label::GeneralHealth));
    let chosen = StoredLabel { label: Some(Label::MentalHealth), is_patients_choice: true };
    for sent in [Labelling::Label(Label::GeneralHealth), Labelling::Sensitive, Labelling::Silent] {
        assert_eq!(on_update(feed, chosen, sent), Ok(chosen), "{sent:?}");
    }
    let own = StoredLabel { label: Some(Label::MentalHealth), is_patients_choice: false };
    let general = StoredLabel { label: Some(Label::GeneralHealth), ..own };
    assert_eq!(on_update(feed, own, Labelling::Label(Label::GeneralHealth)), Ok(general));
    assert_eq!(on_update(feed, own, Labelling::Silent), Ok(own), "a PUT without a label keeps the one it had");
    assert_eq!(on_update(feed, own, Labelling::Sensitive), Ok(StoredLabel { label: None, ..own }));
    let again = on_update(Labeller::Patient, chosen, Labelling::Label(Label::SocialCare));
    assert_eq!(again, Ok(StoredLabel { label: Some(Label::SocialCare), is_patients_choice: true }));
}
