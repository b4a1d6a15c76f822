//! Sight: who sees a patient and how far, as it follows from registrations and from what was made.

use rules::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use rules::labels::Labels;
use rules::sight::{Facts, Sight, of};

const AMINA: PatientId = PatientId(1);
const LARKFIELD: OrganisationId = OrganisationId(10);
const MARSH_LANE: OrganisationId = OrganisationId(20);
const SLEEP_CLINIC: TeamId = TeamId(11);
const DIABETES_TEAM: TeamId = TeamId(12);
const PRACTICE_TEAM: TeamId = TeamId(21);

/// Viewers and the labels that each holds, by number.
fn seen(facts: &Facts) -> Vec<(ViewerId, Labels)> {
    let sight = of(AMINA, facts);
    for row in &sight {
        assert_eq!((row.patient, row.ends_at), (AMINA, None));
    }
    let mut seen: Vec<_> = sight.iter().map(|Sight { viewer, labels, .. }| (*viewer, *labels)).collect();
    seen.sort_by_key(|(viewer, _)| *viewer);
    seen
}

#[test]
fn nobody_sees_a_patient_of_whom_nothing_is_known() {
    assert_eq!(seen(&Facts::default()), []);
}

#[test]
fn a_registration_gives_the_team_all_labels_and_its_organisation_an_association() {
    let facts = Facts { registrations: vec![(SLEEP_CLINIC, LARKFIELD)], makers: vec![] };
    assert_eq!(seen(&facts), [(LARKFIELD.into(), Labels::NONE), (SLEEP_CLINIC.into(), Labels::ALL)]);
}

#[test]
fn a_sister_team_and_another_organisation_see_nothing_of_a_registration() {
    let facts = Facts { registrations: vec![(SLEEP_CLINIC, LARKFIELD)], makers: vec![] };
    let strangers = [ViewerId::from(DIABETES_TEAM), PRACTICE_TEAM.into(), MARSH_LANE.into()];
    assert!(seen(&facts).iter().all(|(viewer, _)| !strangers.contains(viewer)));
}

#[test]
fn having_made_something_is_an_association_that_stays_when_the_registration_ends() {
    let made = vec![ViewerId::from(SLEEP_CLINIC), LARKFIELD.into()];
    let facts = Facts { registrations: vec![], makers: made };
    assert_eq!(seen(&facts), [(LARKFIELD.into(), Labels::NONE), (SLEEP_CLINIC.into(), Labels::NONE)]);
}

#[test]
fn whoever_is_registered_and_made_something_has_one_row_with_all_labels() {
    let facts = Facts {
        registrations: vec![(SLEEP_CLINIC, LARKFIELD), (DIABETES_TEAM, LARKFIELD), (PRACTICE_TEAM, MARSH_LANE)],
        makers: vec![LARKFIELD.into(), PRACTICE_TEAM.into(), SLEEP_CLINIC.into()],
    };
    let expected = [
        (LARKFIELD.into(), Labels::NONE),
        (SLEEP_CLINIC.into(), Labels::ALL),
        (DIABETES_TEAM.into(), Labels::ALL),
        (MARSH_LANE.into(), Labels::NONE),
        (PRACTICE_TEAM.into(), Labels::ALL),
    ];
    assert_eq!(seen(&facts), expected);
}
