//! Patients, consents and makers of a random world.

use super::draw::Draw;
use rules::consent::eyes::Eyes;
use rules::consent::record::{Consent, ConsentId, Grantee, Locker};
use rules::consent::standing::GivenConsent;
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::labels::Labels;
use rules::moment::Moment;

pub(crate) const NOW: Moment = Moment(1_800_000_000_000);
pub(crate) const PATIENT: PatientId = PatientId(1);
pub(crate) const ORGANISATION: OrganisationId = OrganisationId(10);
pub(crate) const TEAM: TeamId = TeamId(11);
pub(crate) const CARER: UserId = UserId(31);
pub(crate) const PROFESSIONAL: UserId = UserId(32);
pub(crate) const EYES: [Eyes; 4] =
    [Eyes::Carer(CARER), Eyes::Team(TEAM), Eyes::Individual(PROFESSIONAL), Eyes::Organisation(ORGANISATION)];
pub(crate) const GRANTEES: [Grantee; 3] =
    [Grantee::Team(TEAM), Grantee::Professional(PROFESSIONAL), Grantee::Carer(CARER)];

pub(crate) fn patient(draw: &mut Draw) -> PatientState {
    PatientState {
        frozen: draw.once_in(4),
        sharing_disabled: draw.once_in(4),
        deceased: draw.once_in(4),
        ..PatientState::normal(PATIENT)
    }
}

pub(crate) fn ends_at(draw: &mut Draw) -> Option<Moment> {
    draw.one_of(&[None, None, Some(-1), Some(0), Some(1)]).map(|ms| Moment(NOW.0 + ms))
}

pub(crate) fn consent(draw: &mut Draw, grantee: Grantee) -> Consent {
    Consent {
        labels: Labels(draw.below(16) as i64),
        discharged: draw.once_in(5),
        locked: draw.one_of(&[None, None, None, Some(Locker::Officer), Some(Locker::Team(TEAM))]),
        manages: grantee.is_carer() && draw.once_in(3),
        withdrawn: draw.once_in(4),
        ends_at: ends_at(draw),
        accepted: !grantee.is_carer() || !draw.once_in(4),
        ..Consent::new(ConsentId(7), PATIENT, grantee)
    }
}

/// A consent of some of the grantees.
pub(crate) fn given_consents(draw: &mut Draw) -> Vec<GivenConsent> {
    let mut given = Vec::new();
    for grantee in GRANTEES {
        if !draw.once_in(3) {
            let organisation = matches!(grantee, Grantee::Team(_)).then_some(ORGANISATION);
            given.push(GivenConsent { consent: consent(draw, grantee), organisation });
        }
    }
    given
}

pub(crate) fn makers(draw: &mut Draw) -> Vec<Eyes> {
    EYES.into_iter().filter(|_| draw.once_in(2)).collect()
}
