//! The cast of the examples, and shorthands for what is known of it.

use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::eyes::Eyes;
use rules::consent::record::{Consent, ConsentId, Grantee};
use rules::consent::standing::{self, GivenConsent, Standing};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, SessionId, TeamId, UserId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::source::Source;

pub(crate) const NOW: Moment = Moment(1_800_000_000_000);
pub(crate) const AMINA: PatientId = PatientId(1);
pub(crate) const BRYN: PatientId = PatientId(2);
pub(crate) const CHEN: PatientId = PatientId(3);
pub(crate) const LARKFIELD: OrganisationId = OrganisationId(10);
pub(crate) const SLEEP_CLINIC: TeamId = TeamId(11);
pub(crate) const DIABETES_TEAM: TeamId = TeamId(12);
pub(crate) const MARSH_LANE: OrganisationId = OrganisationId(20);
pub(crate) const PRACTICE_TEAM: TeamId = TeamId(21);
pub(crate) const DR_GREY: UserId = UserId(31);
pub(crate) const DR_LUND: UserId = UserId(32);
/// A professional without a team.
pub(crate) const DR_OSEI: UserId = UserId(34);
/// Chen's account.
pub(crate) const CHENS_USER: UserId = UserId(35);
pub(crate) const SESSION: SessionId = SessionId(41);

pub(crate) const BY_CLINIC: Source = Source::Team(SLEEP_CLINIC, LARKFIELD);
pub(crate) const BY_FEED: Source = Source::Organisation(LARKFIELD);

pub(crate) const GENERAL: Labels = Labels(1);
pub(crate) const CARER: Grantee = Grantee::Carer(CHENS_USER);
pub(crate) const PROFESSIONAL: Grantee = Grantee::Professional(DR_OSEI);
pub(crate) const TEAM: Grantee = Grantee::Team(SLEEP_CLINIC);
pub(crate) const GRANTEES: [Grantee; 4] = [TEAM, Grantee::Team(PRACTICE_TEAM), PROFESSIONAL, CARER];

/// Every set of labels.
pub(crate) fn every_labels() -> impl Iterator<Item = Labels> {
    (0..16).map(Labels)
}

/// A consent in force.
pub(crate) fn consent(patient: PatientId, grantee: Grantee, labels: Labels) -> Consent {
    let basis = Some(Basis::of_patient());
    Consent { labels, basis, accepted: true, ..Consent::new(ConsentId(7), patient, grantee) }
}

pub(crate) const fn implied() -> Basis {
    Basis::new(BasisKind::Implied, Reason::InTreatment)
}

pub(crate) const fn explicit() -> Basis {
    Basis::new(BasisKind::Explicit, Reason::PatientConsented)
}

/// The organisation of a team of the cast.
pub(crate) fn organisation(grantee: Grantee) -> Option<OrganisationId> {
    match grantee {
        Grantee::Team(SLEEP_CLINIC | DIABETES_TEAM) => Some(LARKFIELD),
        Grantee::Team(_) => Some(MARSH_LANE),
        Grantee::Professional(_) | Grantee::Carer(_) => None,
    }
}

/// The rows of sight of a patient in no special state.
pub(crate) fn rows(patient: PatientId, consents: &[Consent], makers: &[Eyes]) -> Vec<Standing> {
    rows_in(&PatientState::normal(patient), consents, makers)
}

pub(crate) fn rows_in(patient: &PatientState, consents: &[Consent], makers: &[Eyes]) -> Vec<Standing> {
    let given: Vec<GivenConsent> = (consents.iter())
        .map(|consent| GivenConsent { consent: consent.clone(), organisation: organisation(consent.grantee) })
        .collect();
    standing::of(patient, &given, makers)
}
