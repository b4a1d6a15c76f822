//! The table `answers`: what is heard in each situation, and the codes below it.

use crate::consent::read;
use crate::consent::world::{AMINA, BY_FEED, GENERAL, NOW, SLEEP_CLINIC, TEAM, consent, rows};
use rules::consent::decision::sees;
use rules::consent::delay::Delay;
use rules::consent::denial::Denial;
use rules::consent::item::{ItemFacts, Part};
use rules::consent::record_view::{RECORD_VIEW, value};
use rules::consent::situation::{Asking, Hearing, Situation};
use rules::consent::view::View;
use rules::consent::viewer::Viewer;
use rules::labels::{Labels, Needs};
use rules::moment::Moment;

const HEADER: [&str; 6] =
    ["situation", "search, list, chain, count", "direct read, history", "write", "FHIR code", "status"];

pub(crate) fn hold(document: &str) {
    let table = read(document, "answers", &HEADER);
    for row in table.rows() {
        let situation = row.first().means(situation);
        let denial = situation.denial().expect("every situation of the table denies something");
        for (column, asking) in [
            ("search, list, chain, count", Asking::Search),
            ("direct read, history", Asking::Read),
            ("write", Asking::Write),
        ] {
            row.cell(column).means(|text| is(text, asking, &situation, &denial).then_some(()));
        }
        row.cell("FHIR code").reads(denial.code());
        row.cell("status").reads(&denial.status().to_string());
    }
    assert_eq!(table.rows().count(), 10);
    table.was_held_in_every_cell();
}

fn situation(text: &str) -> Option<Situation> {
    Some(match text {
        "no association" => Situation::NoAssociation,
        "associated, label not granted" => Situation::LabelNotGranted,
        "sees it, is not its source" => Situation::OtherSource,
        "associated without a label, creates" => Situation::NoLabel,
        "sharing disabled, associated, creates or shares or breaks glass" => Situation::SharingDisabled,
        "record frozen, carer or individual, patient named" => Situation::FrozenInward,
        "own account frozen, or patient deceased" => Situation::FrozenOutward,
        "content under delay, self or carer" => Situation::NotYetReleased(NOW),
        "glass token wrong, over, or of another patient or session" => Situation::GlassInvalid,
        "wrong user type" => Situation::WrongUserType,
        _ => return None,
    })
}

fn is(text: &str, asking: Asking, situation: &Situation, denial: &Denial) -> bool {
    let heard = situation.hearing(asking);
    let is_denied = heard == Hearing::Denied(denial.clone());
    let is_content = matches!(situation, Situation::NotYetReleased(_)) && asking == Asking::Read;
    match text {
        "omitted" => heard == Hearing::Omitted,
        "shown" => heard == Hearing::Shown && asking == Asking::Search,
        "200" => heard == Hearing::Shown && asking == Asking::Read,
        "metadata shown" => heard == Hearing::MetadataShown,
        "content 403" => is_denied && is_content && denial.status() == 403,
        "–" => heard == Hearing::Nothing,
        status => is_denied && !is_content && denial.status().to_string() == status,
    }
}

#[test]
fn a_decision_and_a_view_come_to_a_situation_and_no_code_tells_that_an_item_exists() {
    let clinic = Viewer::Teams { teams: &[SLEEP_CLINIC], user: None, glass: None };
    let at = |viewer: &Viewer<'_>, needs: i64, view| {
        let rows = rows(AMINA, &[consent(AMINA, TEAM, GENERAL)], &[]);
        Situation::of(&sees(viewer, &ItemFacts::new(&[AMINA], Needs(needs), BY_FEED), &rows, NOW), view)
    };
    assert_eq!(at(&clinic, 1, View::Labels(GENERAL)), Situation::Seen);
    assert_eq!(at(&clinic, 2, View::Labels(GENERAL)), Situation::LabelNotGranted);
    let stranger = Viewer::Teams { teams: &[], user: None, glass: None };
    assert_eq!(at(&stranger, 1, View::None), Situation::NoAssociation);
    let heard = [Situation::LabelNotGranted, Situation::NoAssociation].map(|situation| situation.hearing(Asking::Read));
    assert_eq!(heard[0], heard[1], "hidden and not there are the same");
    assert_eq!(at(&clinic, 1, View::Out), Situation::FrozenOutward);
    assert_eq!(at(&clinic, 1, View::In), Situation::FrozenInward);
}

#[test]
fn what_is_not_released_is_told_of_a_letter_that_is_seen_and_not_of_a_result() {
    let until = Moment(NOW.0 + 86_400_000);
    let at = |type_name, part| {
        let delay = Some(Delay::of(type_name, until));
        let item = ItemFacts { delay, part, ..ItemFacts::new(&[AMINA], Needs(1), BY_FEED) };
        Situation::of(&sees(&Viewer::Patient(AMINA), &item, &[], NOW), View::All)
    };
    assert_eq!(at("DocumentReference", Part::Resource), Situation::Seen);
    assert_eq!(at("DocumentReference", Part::Content), Situation::NotYetReleased(until));
    for absent in ["DiagnosticReport", "Observation"] {
        assert_eq!(at(absent, Part::Resource).denial(), Some(Denial::NotFound), "{absent}");
    }
    let words = Denial::NotYetReleased(until).message();
    assert!(words.contains("2027-01-16"), "{words}");
}

#[test]
fn further_codes_have_their_status_and_every_denial_says_what_to_do() {
    let further = [
        (Denial::ConsentLocked, "CONSENT_LOCKED", 403),
        (Denial::IdentityConflict, "IDENTITY_CONFLICT", 409),
        (Denial::ConsentNotUnderstood("Consent.provision.type is needed".into()), "CONSENT_NOT_UNDERSTOOD", 422),
    ];
    for (denial, code, status) in further {
        assert_eq!((denial.code(), denial.status()), (code, status));
        assert!(denial.message().len() > 20 && !denial.issue().is_empty(), "{denial:?}");
    }
}

#[test]
fn nobody_mistakes_hidden_for_empty() {
    assert_eq!(RECORD_VIEW, "Record-View");
    let said = |views: &[View]| value(views);
    assert_eq!(said(&[View::All]).as_deref(), Some("self"));
    let some = said(&[View::Labels(Labels(9))]);
    assert_eq!(some.as_deref(), Some("consent; labels=\"GENERAL_HEALTH SOCIAL_CARE\""));
    assert_eq!(said(&[View::Own]).as_deref(), Some("own"));
    let glass = said(&[View::Glass(Moment(951_782_400_007))]);
    assert_eq!(glass.as_deref(), Some("glass; until=\"2000-02-29T00:00:00.007Z\""));
    let through = said(&[View::Own, View::Labels(Labels(1)), View::Labels(Labels(4)), View::None]);
    assert_eq!(through.as_deref(), Some("consent; labels=\"GENERAL_HEALTH SEXUAL_HEALTH\""), "the union of labels");
    assert_eq!(said(&[View::Own, View::None]).as_deref(), Some("own"));
    assert_eq!(said(&[View::None]), None, "without association none, as for a patient who does not exist");
}
