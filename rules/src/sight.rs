//! Sight: which labels a viewer holds of which patient, derived from what is known of the two.

use crate::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use crate::labels::Labels;
use crate::moment::Moment;
use alloc::vec::Vec;

/// One row of sight. Its end is compared at the call: what closes must not come late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    pub viewer: ViewerId,
    pub patient: PatientId,
    pub labels: Labels,
    pub ends_at: Option<Moment>,
}

/// What is known of one patient.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The teams that the patient is registered with, and the organisation of each.
    pub registrations: Vec<(TeamId, OrganisationId)>,
    /// The teams and organisations that ever made something about the patient.
    pub makers: Vec<ViewerId>,
}

/// Who sees the patient, and how far. A registration gives a team all four labels, and its organisation an association;
/// having made something about the patient is an association too, which stays when the registration ends.
#[must_use]
pub fn of(patient: PatientId, facts: &Facts) -> Vec<Sight> {
    let mut sight: Vec<Sight> = Vec::new();
    let teams = facts.registrations.iter().map(|(team, _)| (ViewerId::from(*team), Labels::ALL));
    let organisations =
        facts.registrations.iter().map(|(_, organisation)| (ViewerId::from(*organisation), Labels::NONE));
    let makers = facts.makers.iter().map(|maker| (*maker, Labels::NONE));
    for (viewer, labels) in teams.chain(organisations).chain(makers) {
        if !sight.iter().any(|known| known.viewer == viewer) {
            sight.push(Sight { viewer, patient, labels, ends_at: None });
        }
    }
    sight
}
