//! Sight: who sees a patient and how far, as it follows from consents and from what was made.

use rules::consent::eyes::Eyes;
use rules::consent::record::{Consent, ConsentId, Grantee};
use rules::consent::standing::{GivenConsent, of};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use rules::labels::Labels;

const AMINA: PatientId = PatientId(1);
const LARKFIELD: OrganisationId = OrganisationId(10);
const MARSH_LANE: OrganisationId = OrganisationId(20);
const SLEEP_CLINIC: TeamId = TeamId(11);
const DIABETES_TEAM: TeamId = TeamId(12);
const PRACTICE_TEAM: TeamId = TeamId(21);

/// A consent of all labels to a team.
fn given(team: TeamId, organisation: OrganisationId) -> GivenConsent {
    let consent = Consent { labels: Labels::ALL, ..Consent::new(ConsentId(1), AMINA, Grantee::Team(team)) };
    GivenConsent { consent, organisation: Some(organisation) }
}

/// Viewers and the labels that each holds, by number.
fn seen(given: &[GivenConsent], makers: &[Eyes]) -> Vec<(ViewerId, Labels)> {
    let rows = of(&PatientState::normal(AMINA), given, makers);
    for row in &rows {
        assert_eq!((row.sight.patient, row.sight.ends_at, row.stays), (AMINA, None, true));
    }
    rows.iter().map(|row| (row.sight.viewer, row.sight.labels)).collect()
}

#[test]
fn nobody_sees_a_patient_of_whom_nothing_is_known() {
    assert_eq!(seen(&[], &[]), []);
}

#[test]
fn a_consent_gives_the_team_its_labels_and_its_organisation_an_association() {
    let seen = seen(&[given(SLEEP_CLINIC, LARKFIELD)], &[]);
    assert_eq!(seen, [(LARKFIELD.into(), Labels::NONE), (SLEEP_CLINIC.into(), Labels::ALL)]);
}

#[test]
fn a_sister_team_and_another_organisation_see_nothing_of_a_consent() {
    let strangers = [ViewerId::from(DIABETES_TEAM), PRACTICE_TEAM.into(), MARSH_LANE.into()];
    let seen = seen(&[given(SLEEP_CLINIC, LARKFIELD)], &[]);
    assert!(!seen.is_empty() && seen.iter().all(|(viewer, _)| !strangers.contains(viewer)));
}

#[test]
fn having_made_something_is_an_association_that_stays_without_a_consent() {
    let seen = seen(&[], &[Eyes::Team(SLEEP_CLINIC), Eyes::Organisation(LARKFIELD)]);
    assert_eq!(seen, [(LARKFIELD.into(), Labels::NONE), (SLEEP_CLINIC.into(), Labels::NONE)]);
}

#[test]
fn whoever_has_a_consent_and_made_something_has_one_row_with_its_labels() {
    let consents = [given(SLEEP_CLINIC, LARKFIELD), given(DIABETES_TEAM, LARKFIELD), given(PRACTICE_TEAM, MARSH_LANE)];
    let makers = [Eyes::Organisation(LARKFIELD), Eyes::Team(PRACTICE_TEAM), Eyes::Team(SLEEP_CLINIC)];
    let expected = [
        (LARKFIELD.into(), Labels::NONE),
        (SLEEP_CLINIC.into(), Labels::ALL),
        (DIABETES_TEAM.into(), Labels::ALL),
        (MARSH_LANE.into(), Labels::NONE),
        (PRACTICE_TEAM.into(), Labels::ALL),
    ];
    assert_eq!(seen(&consents, &makers), expected);
}
