//! The table `needs`.

use crate::consent::world::{
    AMINA, BY_CLINIC, BY_FEED, DIABETES_TEAM, DR_GREY, LARKFIELD, NOW, SLEEP_CLINIC, TEAM, consent, rows,
};
use crate::consent::{origins, read};
use rules::consent::decision::sees;
use rules::consent::item::{Author, ItemFacts, Participant};
use rules::consent::needs::{NeedySort, of};
use rules::consent::viewer::{OpenGlass, Viewer};
use rules::labels::{Label, Labels, Needs};
use rules::moment::Moment;
use rules::right::Right;

pub(crate) fn hold(document: &str) {
    let table = read(document, "needs", &["item", "needs", "D/I"]);
    let labels = || Label::ALL.into_iter().map(Some).chain([None]);
    for row in table.rows() {
        let item = row.first().means(|text| Some(text.to_owned()));
        row.cell("needs").means(|text| {
            let holds = match (item.as_str(), text) {
                ("any item with a label", "that bit") => {
                    Label::ALL.iter().all(|label| of(NeedySort::Item("Condition", Some(*label))) == Needs(label.bit()))
                }
                ("item without a label", "15 (all four)") => of(NeedySort::Item("Condition", None)) == Needs(15),
                ("Patient", "0 (association)") => {
                    labels().all(|label| of(NeedySort::Item("Patient", label)) == Needs(0))
                }
                (
                    "Binary",
                    "what the DocumentReference or Communication that holds it needs; none holds it: its source only",
                ) => {
                    let held = (0..16).all(|bits| of(NeedySort::Binary(&[Needs(bits)])) == Needs(bits));
                    held && alone_shows_to_its_source_only()
                }
                ("Provenance", "the bits of all its targets together") => {
                    let both = of(NeedySort::Provenance(&[Needs(1), Needs(4)]));
                    both == Needs(5) && of(NeedySort::Provenance(&[Needs(0)])) == Needs(0)
                }
                ("Consent", "15 (and the grantee as participant, section 6)") => {
                    labels().all(|label| of(NeedySort::Item("Consent", label)) == Needs(15)) && grantee_sees_it()
                }
                ("AuditEvent", "self only") => {
                    labels().all(|label| is_self_only(of(NeedySort::Item("AuditEvent", label))))
                }
                ("draft (Communication `preparation`, CarePlan `draft`)", "its author only, by no other right") => {
                    draft_shows_to_its_author_only()
                }
                ("private message (extension `urn:recordgate:private` true)", "participants and self only") => {
                    private_shows_to_participants_and_self_only()
                }
                _ => return None,
            };
            holds.then_some(())
        });
    }
    origins(&table, &["D", "D", "I", "I", "I", "I", "D", "D", "D (legacy there)"]);
    table.was_held_in_every_cell();
}

const TEAM_MATE: Viewer<'static> = Viewer::Teams { teams: &[SLEEP_CLINIC], user: None, glass: None };

fn everything() -> Vec<rules::consent::standing::Standing> {
    rows(AMINA, &[consent(AMINA, TEAM, Labels::ALL)], &[])
}

/// Everybody who might look: the patient, the team with all labels, with a glass, a sister team, the organisation.
fn everybody() -> [Viewer<'static>; 5] {
    let glass = OpenGlass { patient: AMINA, team: SLEEP_CLINIC, until: Moment(NOW.0 + 1) };
    [
        Viewer::Patient(AMINA),
        TEAM_MATE,
        Viewer::Teams { teams: &[SLEEP_CLINIC], user: None, glass: Some(glass) },
        Viewer::Teams { teams: &[DIABETES_TEAM], user: None, glass: None },
        Viewer::Organisation { organisation: LARKFIELD, through: &[SLEEP_CLINIC] },
    ]
}

fn right(viewer: &Viewer<'_>, item: &ItemFacts<'_>) -> Option<Right> {
    sees(viewer, item, &everything(), NOW).right()
}

fn alone_shows_to_its_source_only() -> bool {
    let alone = ItemFacts::new(&[], of(NeedySort::Binary(&[])), BY_CLINIC);
    right(&TEAM_MATE, &alone) == Some(Right::Source)
        && right(&Viewer::Patient(AMINA), &alone).is_none()
        && right(&Viewer::Teams { teams: &[DIABETES_TEAM], user: None, glass: None }, &alone).is_none()
}

fn grantee_sees_it() -> bool {
    let form = ItemFacts {
        participants: &[Participant::Team(SLEEP_CLINIC)],
        ..ItemFacts::new(&[AMINA], Needs::ALL, rules::source::Source::Patient(AMINA))
    };
    let discharged = rows(AMINA, &[consent(AMINA, TEAM, Labels::NONE)], &[]);
    sees(&TEAM_MATE, &form, &discharged, NOW).right() == Some(Right::Participant)
}

fn is_self_only(needs: Needs) -> bool {
    let event =
        ItemFacts { participants: &[Participant::Team(SLEEP_CLINIC)], ..ItemFacts::new(&[AMINA], needs, BY_CLINIC) };
    let [patient, others @ ..] = everybody();
    right(&patient, &event) == Some(Right::Own) && others.iter().all(|other| right(other, &event).is_none())
}

fn draft_shows_to_its_author_only() -> bool {
    let draft = ItemFacts {
        draft: Some(Author::Person(DR_GREY)),
        participants: &[Participant::Team(SLEEP_CLINIC)],
        ..ItemFacts::new(&[AMINA], Needs(1), BY_CLINIC)
    };
    let author = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: None };
    right(&author, &draft) == Some(Right::Participant) && everybody().iter().all(|other| right(other, &draft).is_none())
}

fn private_shows_to_participants_and_self_only() -> bool {
    let message = |participants: &'static [Participant]| ItemFacts {
        participants,
        is_private: true,
        ..ItemFacts::new(&[AMINA], Needs(1), BY_FEED)
    };
    let [patient, team, glass, sister, organisation] = everybody();
    let (to_clinic, to_nobody) = (message(&[Participant::Team(SLEEP_CLINIC)]), message(&[]));
    right(&patient, &to_nobody) == Some(Right::Own)
        && right(&team, &to_clinic) == Some(Right::Participant)
        && [team, glass, organisation].iter().all(|other| right(other, &to_nobody).is_none())
        && right(&sister, &to_clinic).is_none()
}
