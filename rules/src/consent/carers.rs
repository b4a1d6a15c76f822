//! Carers: who is told of a change, and what of them a team is shown.

use crate::consent::record::{Consent, Grantee};
use crate::consent::state::PatientState;
use crate::ids::UserId;
use crate::labels::Labels;
use crate::moment::Moment;
use alloc::vec::Vec;

/// The carers who hold a label: with the patient they are told of every change of a consent. After the patient's death nobody is.
#[must_use]
pub fn told(patient: &PatientState, consents: &[Consent], now: Moment) -> Vec<UserId> {
    if patient.deceased {
        return Vec::new();
    }
    holding(consents, Labels::ALL, now).map(|(user, _)| user).collect()
}

/// The carers whose labels overlap with those of a team, each cut to the overlap.
pub fn holding(consents: &[Consent], held: Labels, now: Moment) -> impl Iterator<Item = (UserId, Labels)> {
    consents.iter().filter_map(move |consent| match consent.grantee {
        Grantee::Carer(user) => {
            Some((user, consent.in_force(now).common(held))).filter(|(_, labels)| !labels.is_none())
        }
        Grantee::Team(_) | Grantee::Professional(_) => None,
    })
}
