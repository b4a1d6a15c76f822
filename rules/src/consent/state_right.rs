//! Who sets the states of a record, and what becomes of its consents then.

use crate::consent::actor::Actor;
use crate::consent::denial::Denial;
use crate::consent::record::Consent;
use crate::consent::state::PatientState;
use crate::limits::{FREEZING_AGE, SHARING_AGE};
use crate::moment::Moment;
use alloc::vec::Vec;

/// A state that somebody sets or lifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateChange {
    FreezeAccount,
    FreezeRecord,
    DisableSharing,
    /// By the Patient resource; `is_source` is whether the actor made it.
    Decease {
        is_source: bool,
    },
}

const BY_OTHERS: Denial = Denial::UserTypeNotPermitted("this state of a record or an account is set by others");
const TOO_YOUNG: Denial = Denial::NoConsent("sharing is disabled for patients of 16 years or older only");
const NOT_A_CHILD: Denial =
    Denial::NoConsent("a CLINICIAN freezes the records of patients under 18 only; ask a privacy officer");
const NO_LABEL: Denial = Denial::NoConsent("your team holds no label of this patient");

/// Whether an actor may set a state of this patient.
pub fn may_set(actor: Actor, state: StateChange, patient: &PatientState, now: Moment) -> Result<(), Denial> {
    let is_so_old = |years| patient.born.is_some_and(|born| born.is_so_old(years, now));
    match (actor, state) {
        (Actor::Operator, _) | (Actor::PrivacyOfficer(_), StateChange::FreezeRecord) => Ok(()),
        (Actor::PrivacyOfficer(_), StateChange::DisableSharing) if is_so_old(SHARING_AGE) => Ok(()),
        (Actor::PrivacyOfficer(_), StateChange::DisableSharing) => Err(TOO_YOUNG),
        (Actor::Clinician { held, .. }, StateChange::FreezeRecord) if held.is_none() => Err(NO_LABEL),
        // Of whom the age is not known, nobody can say that it is a child.
        (Actor::Clinician { .. }, StateChange::FreezeRecord) if is_so_old(FREEZING_AGE) || patient.born.is_none() => {
            Err(NOT_A_CHILD)
        }
        (Actor::Clinician { .. }, StateChange::FreezeRecord | StateChange::Decease { .. }) => Ok(()),
        (_, StateChange::Decease { is_source: true }) => Ok(()),
        _ => Err(BY_OTHERS),
    }
}

/// The consents of a patient whose sharing is disabled: every one discharged, in the same transaction. Enabling it again restores
/// none of them.
#[must_use]
pub fn without_sharing(consents: &[Consent]) -> Vec<Consent> {
    consents.iter().map(|consent| Consent { discharged: true, ..consent.clone() }).collect()
}
