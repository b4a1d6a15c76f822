//! The table `delay`: what is kept back, drafts and conversations.

use crate::consent::world::{
    AMINA, BY_CLINIC, BY_FEED, CARER, CHENS_USER, DR_GREY, DR_OSEI, LARKFIELD, NOW, PROFESSIONAL, SLEEP_CLINIC, TEAM,
    consent, rows,
};
use crate::consent::{read, reads_as_known};
use rules::consent::caller::CallerKind;
use rules::consent::decision::sees;
use rules::consent::delay::{DELAYED_TYPES, Delay, HIDDEN_DAYS_EXTENSION, Hides, wanted};
use rules::consent::denial::Denial;
use rules::consent::eyes::Eyes;
use rules::consent::item::{Author, ItemFacts, Part, Participant};
use rules::consent::record::Consent;
use rules::consent::view::View;
use rules::consent::viewer::Viewer;
use rules::ids::PatientId;
use rules::labels::{Labels, Needs};
use rules::limits::HIDDEN_DAYS;
use rules::moment::Moment;
use rules::right::Right;
use rules::source::Source;

const HEADER: [&str; 3] = ["thing", "decision", "D/I"];
const DAY: i64 = 86_400_000;
const CLINIC: Viewer<'static> = Viewer::Teams { teams: &[SLEEP_CLINIC], user: None, glass: None };

pub(crate) fn hold(document: &str) {
    let table = read(document, "delay", &HEADER);
    let rows: [(&str, u32, fn()); 6] = [
        ("delay", 0x616e_d2ff, delay),
        ("during it", 0x5c39_4e8c, during),
        ("release", 0xcc5f_8110, release),
        ("receipt", 0x8a57_e0fb, receipt),
        ("draft", 0xeaf9_ea3d, draft),
        ("conversation", 0x1ca5_22ab, conversation),
    ];
    assert_eq!(table.rows().count(), rows.len());
    for (thing, sum, holds) in rows {
        reads_as_known(table.row(thing), &HEADER, sum);
        holds();
    }
    table.was_held_in_every_cell();
}

fn delay() {
    assert_eq!((HIDDEN_DAYS_EXTENSION, HIDDEN_DAYS), ("urn:recordgate:hidden-days", 30));
    assert_eq!(DELAYED_TYPES, ["DocumentReference", "DiagnosticReport", "Observation"]);
    let ask = |type_name, source: Source, days| wanted(type_name, &source, days, HIDDEN_DAYS, NOW);
    for type_name in DELAYED_TYPES {
        for source in [BY_CLINIC, BY_FEED] {
            let until = |days| ask(type_name, source, days).map(|delay| delay.map(|delay| delay.until));
            assert_eq!(until(0), Ok(None));
            assert_eq!(until(30), Ok(Some(Moment(NOW.0 + 30 * DAY))));
            for wrong in [-1, 31, i64::MAX] {
                assert_eq!(until(wrong).expect_err("out of bounds").status(), 422);
            }
        }
        for source in [Source::Patient(PatientId(1)), Source::Person(DR_OSEI)] {
            assert_eq!(ask(type_name, source, 1).expect_err("teams and organisations only").status(), 422);
        }
    }
    assert_eq!(ask("Condition", BY_CLINIC, 1).expect_err("another type").status(), 422);
}

fn seen(viewer: &Viewer<'_>, item: &ItemFacts<'_>) -> Option<Right> {
    let consents = [TEAM, CARER, PROFESSIONAL].map(|grantee| consent(AMINA, grantee, Labels(1)));
    sees(viewer, item, &rows(AMINA, &consents, &[]), NOW).right()
}

fn during() {
    let until = Moment(NOW.0 + DAY);
    for type_name in DELAYED_TYPES {
        let delay = Delay::of(type_name, until);
        let item = |part| ItemFacts { delay: Some(delay), part, ..ItemFacts::new(&[AMINA], Needs(1), BY_FEED) };
        let is_letter = type_name == "DocumentReference";
        assert_eq!(delay.hides == Hides::Content, is_letter);
        for waits in [Viewer::Patient(AMINA), Viewer::Carer { user: CHENS_USER, patient: AMINA }] {
            assert_eq!(seen(&waits, &item(Part::Resource)).is_some(), is_letter, "{type_name}");
            assert_eq!(seen(&waits, &item(Part::Content)), None, "{type_name}");
        }
        let feed = Viewer::Organisation { organisation: LARKFIELD, through: &[] };
        for professional in [CLINIC, Viewer::Individual(DR_OSEI), feed] {
            assert!(seen(&professional, &item(Part::Content)).is_some(), "{type_name} {professional:?}");
        }
        assert_eq!(delay.notice(), "a result has arrived, to be read from 2027-01-16");
    }
    assert_eq!(Denial::NotYetReleased(until).code(), "NOT_YET_RELEASED");
}

fn release() {
    let delay = Delay::of("Observation", NOW);
    assert!(delay.is_due(NOW) && !delay.is_due(Moment(NOW.0 - 1)));
    let kept = ItemFacts { delay: Some(delay), ..ItemFacts::new(&[AMINA], Needs(1), BY_FEED) };
    assert_eq!(seen(&Viewer::Patient(AMINA), &kept), None, "until the write is made, whatever the time is");
    let released = ItemFacts { delay: None, ..kept };
    assert_eq!(seen(&Viewer::Patient(AMINA), &released), Some(Right::Own));
}

fn receipt() {
    for right in Right::ALL {
        assert_eq!(right.marks_read(), right == Right::Own, "{right:?}");
    }
    let letter = ItemFacts { part: Part::Content, ..ItemFacts::new(&[AMINA], Needs(1), BY_FEED) };
    let carers = seen(&Viewer::Carer { user: CHENS_USER, patient: AMINA }, &letter);
    assert_eq!(carers.map(Right::marks_read), Some(false), "a carer's opening does not count");
}

fn draft() {
    let draft = ItemFacts { draft: Some(Author::Person(DR_GREY)), ..ItemFacts::new(&[AMINA], Needs(1), BY_CLINIC) };
    let grey = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: None };
    assert_eq!(seen(&grey, &draft), Some(Right::Participant));
    let organisation = Viewer::Organisation { organisation: LARKFIELD, through: &[SLEEP_CLINIC] };
    for other in [CLINIC, Viewer::Patient(AMINA), organisation, Viewer::Carer { user: CHENS_USER, patient: AMINA }] {
        assert_eq!(seen(&other, &draft), None, "{other:?}");
    }
}

fn conversation() {
    let message = ItemFacts {
        participants: &[Participant::Patient(AMINA), Participant::Team(SLEEP_CLINIC)],
        is_private: true,
        ..ItemFacts::new(&[AMINA], Needs(2), Source::Patient(AMINA))
    };
    let over = Consent { discharged: true, ..consent(AMINA, TEAM, Labels::ALL) };
    let withdrawn = Consent { withdrawn: true, ..consent(AMINA, TEAM, Labels::NONE) };
    for consent in [over, withdrawn] {
        let rows = rows(AMINA, &[consent], &[Eyes::Team(SLEEP_CLINIC)]);
        let member = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: None };
        assert_eq!(sees(&member, &message, &rows, NOW).right(), Some(Right::Participant), "they still see it");
        let start = CallerKind::TeamClinician.may_create(View::Own, false);
        assert_eq!(start.expect_err("they start none").code(), "NO_CONSENT");
    }
    assert_eq!(seen(&Viewer::Patient(AMINA), &message), Some(Right::Own));
}
