//! The table `rights`: their order, when each holds, and what each reads.

use crate::consent::world::{
    AMINA, BRYN, BY_CLINIC, BY_FEED, CARER, CHENS_USER, DIABETES_TEAM, DR_GREY, DR_OSEI, LARKFIELD, NOW, PROFESSIONAL,
    SLEEP_CLINIC, TEAM, consent, rows,
};
use crate::consent::{read, reads_as_known};
use rules::consent::decision::{ORDER, sees};
use rules::consent::delay::Delay;
use rules::consent::eyes::Eyes;
use rules::consent::item::{Author, ItemFacts, Part, Participant};
use rules::consent::record::Consent;
use rules::consent::viewer::{OpenGlass, Viewer};
use rules::ids::{PatientId, TeamId};
use rules::labels::{Labels, Needs};
use rules::moment::Moment;
use rules::right::Right;
use rules::source::Source;

const HEADER: [&str; 6] = ["right", "holds when", "reads drafts", "reads private", "reads delayed content", "D/I"];
const GLASS: OpenGlass = OpenGlass { patient: AMINA, team: SLEEP_CLINIC, until: Moment(NOW.0 + 1) };
const TEAM_VIEWER: Viewer<'static> = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: None };
const SITE: Viewer<'static> = Viewer::Teams { teams: &[SLEEP_CLINIC], user: None, glass: None };
const BROKEN: Viewer<'static> = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: Some(GLASS) };
const CARER_VIEWER: Viewer<'static> = Viewer::Carer { user: CHENS_USER, patient: AMINA };
const IN_CLINIC: [Participant; 3] =
    [Participant::Team(SLEEP_CLINIC), Participant::Person(CHENS_USER), Participant::Person(DR_OSEI)];

pub(crate) fn hold(document: &str) {
    let table = read(document, "rights", &HEADER);
    let words: Vec<String> = table.rows().map(|row| row.first().text().to_owned()).collect();
    assert_eq!(words, ORDER.map(Right::word), "the order of the table is the order in which they are asked");
    assert!(ORDER.is_sorted_by_key(|right| right.number()));
    for (right, sum) in ORDER.into_iter().zip([0xb4a5_25c4, 0xd845_8552, 0x81f0_f141, 0xe19e_bae3, 0x6ea6_3d82]) {
        let row = table.row(right.word());
        reads_as_known(row, &["holds when", "D/I"], sum);
        holds_when(right);
        row.cell("reads drafts").means(|text| reads_drafts(right, text).then_some(()));
        row.cell("reads private").means(|text| {
            let private = |viewer| ItemFacts { is_private: true, ..item(right, viewer) };
            let reads = viewers(right).into_iter().all(|viewer| seen(&viewer, &private(viewer)) == Some(right));
            (text == if reads { "yes" } else { "no" }).then_some(())
        });
        row.cell("reads delayed content").means(|text| reads_delayed(right, text).then_some(()));
    }
    table.was_held_in_every_cell();
}

fn seen(viewer: &Viewer<'_>, item: &ItemFacts<'_>) -> Option<Right> {
    let consents = [TEAM, CARER, PROFESSIONAL].map(|grantee| consent(AMINA, grantee, Labels(1)));
    sees(viewer, item, &rows(AMINA, &consents, &[Eyes::Individual(DR_OSEI)]), NOW).right()
}

/// Those who can have a right.
fn viewers(right: Right) -> Vec<Viewer<'static>> {
    match right {
        Right::Own => vec![Viewer::Patient(AMINA)],
        Right::Source | Right::Participant | Right::Consent => vec![SITE, CARER_VIEWER, Viewer::Individual(DR_OSEI)],
        Right::Glass => vec![BROKEN],
        Right::Directory => vec![],
    }
}

/// An item that a viewer sees by this right and by no other.
fn item(right: Right, viewer: Viewer<'_>) -> ItemFacts<'static> {
    let hidden = ItemFacts::new(&[AMINA], Needs(2), Source::Patient(BRYN));
    match (right, viewer) {
        (Right::Source, Viewer::Teams { .. }) => ItemFacts { source: BY_CLINIC, ..hidden },
        (Right::Source, Viewer::Carer { user, .. } | Viewer::Individual(user)) => {
            ItemFacts { source: Source::Person(user), ..hidden }
        }
        (Right::Participant, _) => ItemFacts { participants: &IN_CLINIC, ..hidden },
        (Right::Consent, _) => ItemFacts { needs: Needs(1), ..hidden },
        _ => hidden,
    }
}

fn holds_when(right: Right) {
    for viewer in viewers(right) {
        assert_eq!(seen(&viewer, &item(right, viewer)), Some(right), "{viewer:?}");
    }
    match right {
        Right::Own => {
            assert_eq!(
                seen(&Viewer::Patient(BRYN), &item(right, Viewer::Patient(BRYN))),
                Some(Right::Source),
                "made it"
            );
            assert_eq!(seen(&Viewer::Patient(PatientId(3)), &item(right, SITE)), None);
            assert_eq!(seen(&CARER_VIEWER, &item(right, CARER_VIEWER)), None, "the user is not the patient");
        }
        Right::Source => {
            let (of_feed, of_team) =
                (ItemFacts::new(&[AMINA], Needs(2), BY_FEED), ItemFacts::new(&[AMINA], Needs(2), BY_CLINIC));
            let organisation = Viewer::Organisation { organisation: LARKFIELD, through: &[] };
            let sister = Viewer::Teams { teams: &[DIABETES_TEAM], user: None, glass: None };
            assert_eq!(seen(&organisation, &of_feed), Some(right), "itself");
            assert_eq!(seen(&organisation, &of_team), Some(right), "one of its teams");
            assert_eq!(
                (seen(&SITE, &of_feed), seen(&sister, &of_team)),
                (None, None),
                "a team is not its organisation"
            );
        }
        Right::Participant => {
            let draft = ItemFacts { draft: Some(Author::Person(DR_GREY)), ..item(Right::Own, SITE) };
            assert_eq!(seen(&TEAM_VIEWER, &draft), Some(right), "author of the draft");
            let others = ItemFacts { participants: &[Participant::Team(TeamId(99))], ..item(Right::Own, SITE) };
            assert_eq!(seen(&SITE, &others), None);
        }
        Right::Consent => {
            let over = Consent { ends_at: Some(NOW), ..consent(AMINA, TEAM, Labels(1)) };
            let decision = sees(&SITE, &item(right, SITE), &rows(AMINA, &[over], &[]), NOW);
            assert_eq!(decision.right(), None, "past its end");
            assert_eq!(seen(&SITE, &item(Right::Own, SITE)), None, "another label");
        }
        Right::Glass => {
            let of = |glass| Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: Some(glass) };
            for other in [
                OpenGlass { patient: BRYN, ..GLASS },
                OpenGlass { team: DIABETES_TEAM, ..GLASS },
                OpenGlass { until: NOW, ..GLASS },
            ] {
                assert_eq!(seen(&of(other), &item(right, BROKEN)), None, "{other:?}");
            }
        }
        Right::Directory => {}
    }
}

fn reads_drafts(right: Right, text: &str) -> bool {
    let draft =
        |viewer, author| seen(&viewer, &ItemFacts { draft: Some(author), ..item(right, viewer) }) == Some(right);
    let all = |author| viewers(right).into_iter().map(|viewer| draft(viewer, author)).collect::<Vec<_>>();
    let by_somebody_else = all(Author::Person(rules::ids::UserId(99)));
    let by_no_person = all(Author::Source);
    let none = |found: &[bool]| found.iter().all(|found| !found);
    match (right, text) {
        (Right::Own, "own") => {
            draft(Viewer::Patient(AMINA), Author::Patient(AMINA)) && none(&by_somebody_else) && none(&by_no_person)
        }
        (Right::Source, "if the author is no person (SITE, System Client)") => {
            by_no_person.iter().all(|found| *found) && none(&by_somebody_else)
        }
        (Right::Participant, "own") => {
            let own = [(TEAM_VIEWER, DR_GREY), (CARER_VIEWER, CHENS_USER), (Viewer::Individual(DR_OSEI), DR_OSEI)];
            own.into_iter().all(|(viewer, author)| draft(viewer, Author::Person(author)))
                && none(&by_somebody_else)
                && none(&by_no_person)
        }
        (Right::Consent | Right::Glass, "no") => none(&by_somebody_else) && none(&by_no_person),
        _ => false,
    }
}

fn reads_delayed(right: Right, text: &str) -> bool {
    let delay = Some(Delay::of("DocumentReference", Moment(NOW.0 + 1)));
    let reads = |viewer: Viewer<'static>| {
        let content = ItemFacts { delay, part: Part::Content, ..item(right, viewer) };
        assert_eq!(seen(&viewer, &ItemFacts { part: Part::Resource, ..content }), Some(right), "the resource shows");
        seen(&viewer, &content) == Some(right)
    };
    let expected = |viewer: &Viewer<'_>| match text {
        "no" => Some(false),
        "yes" => Some(true),
        "carer: no; others: yes" => Some(!matches!(viewer, Viewer::Carer { .. })),
        _ => None,
    };
    viewers(right).into_iter().all(|viewer| expected(&viewer) == Some(reads(viewer)))
}
