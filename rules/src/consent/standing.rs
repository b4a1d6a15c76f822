//! Standings: the rows of sight that follow for all viewers of one patient from consents, sources and states. The store writes
//! them down in the transaction that changes one of these, so that a query can ask for them.

use crate::consent::eyes::Eyes;
use crate::consent::record::Consent;
use crate::consent::state::PatientState;
use crate::ids::{OrganisationId, PatientId, ViewerId};
use crate::labels::Labels;
use crate::moment::Moment;
use crate::sight::Sight;
use alloc::vec::Vec;

/// A row of sight, and what is left of it after its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub sight: Sight,
    /// Whether the association stays when the labels end: a team's and an organisation's does, that of an individual professional
    /// where they made something, a carer's does not.
    pub stays: bool,
}

impl Standing {
    /// The labels that it holds at a moment; `None` where nothing is left of it.
    #[must_use]
    pub fn held(&self, now: Moment) -> Option<Labels> {
        match self.sight.ends_at {
            Some(end) if now.is_past(end) => self.stays.then_some(Labels::NONE),
            _ => Some(self.sight.labels),
        }
    }
}

/// A consent of the patient's, and the organisation of the team that it is given to.
#[derive(Clone, Debug)]
pub struct GivenConsent {
    pub consent: Consent,
    pub organisation: Option<OrganisationId>,
}

/// The rows of sight of one patient, by number of the viewer. `makers` are those who ever made something about the patient.
#[must_use]
pub fn of(patient: &PatientState, given: &[GivenConsent], makers: &[Eyes]) -> Vec<Standing> {
    let mut rows: Vec<Standing> = Vec::new();
    for GivenConsent { consent, organisation } in given {
        let eyes = Eyes::from(consent.grantee);
        rows.extend(row(patient, eyes, Some(consent), makers.contains(&eyes)));
        rows.extend(organisation.and_then(|organisation| row(patient, Eyes::Organisation(organisation), None, true)));
    }
    rows.extend(makers.iter().filter_map(|eyes| row(patient, *eyes, None, true)));
    // The first of a viewer is the one of its consent: an association adds nothing to it.
    rows.sort_by_key(|row| row.sight.viewer);
    rows.dedup_by_key(|row| row.sight.viewer);
    rows
}

/// The row of one viewer. Carers see nothing without a label, whatever they made; nor does an individual professional without a
/// label who made nothing; and a frozen record is closed to both.
fn row(patient: &PatientState, eyes: Eyes, consent: Option<&Consent>, made: bool) -> Option<Standing> {
    let labels = match consent {
        Some(consent) if !patient.sharing_disabled => consent.until_its_end(),
        _ => Labels::NONE,
    };
    let ends_at = consent.filter(|_| !labels.is_none()).and_then(|consent| consent.ends_at);
    let is_grantee = consent.is_some_and(|consent| consent.accepted);
    let (stays, is_closed) = match eyes {
        Eyes::Carer(_) => (false, patient.frozen),
        Eyes::Individual(_) => (made, patient.frozen),
        Eyes::Team(_) | Eyes::Organisation(_) => (is_grantee || made, false),
    };
    let sight = Sight { viewer: eyes.id(), patient: patient.id, labels, ends_at };
    (!is_closed && (stays || !labels.is_none())).then_some(Standing { sight, stays })
}

/// The rows through which these viewers see these patients.
pub fn between<'s>(
    rows: &'s [Standing],
    viewer: impl Fn(ViewerId) -> bool + 's,
    patients: &'s [PatientId],
) -> impl Iterator<Item = &'s Standing> + 's {
    rows.iter().filter(move |row| viewer(row.sight.viewer) && patients.contains(&row.sight.patient))
}
