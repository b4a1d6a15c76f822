//! The table of states: what a viewer gets of a patient's record as a whole, at a moment.

use crate::consent::denial::Denial;
use crate::consent::eyes::Eyes;
use crate::consent::record::{Consent, ConsentState};
use crate::consent::state::{AccountState, PatientState};
use crate::labels::{Labels, Needs};
use crate::moment::Moment;

/// What a viewer gets of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Every item but others' drafts and content under delay.
    All,
    /// Items whose needs are within the labels granted, and `Own`.
    Labels(Labels),
    /// The Patient, and items of which the viewer is source or participant: "team data only".
    Own,
    /// As if the patient did not exist.
    None,
    /// Every call is refused; no sign-in, no refresh.
    Out,
    /// Searches omit; a call that names the patient is refused.
    In,
    /// All four labels and `Own`, until this moment; no drafts, no private messages.
    Glass(Moment),
}

impl View {
    /// What a call that names the patient hears instead of an answer, if anything.
    #[must_use]
    pub const fn denial(self) -> Option<Denial> {
        match self {
            Self::Out => Some(Denial::FrozenOutward),
            Self::In => Some(Denial::FrozenInward),
            Self::None => Some(Denial::NotFound),
            Self::All | Self::Labels(_) | Self::Own | Self::Glass(_) => None,
        }
    }

    /// Whether all consents of the record are shown, and not the viewer's own alone: they need all four labels.
    #[must_use]
    pub const fn opens_consents(self) -> bool {
        match self {
            Self::All | Self::Glass(_) => true,
            Self::Labels(held) => held.hold(Needs::ALL),
            Self::Own | Self::None | Self::Out | Self::In => false,
        }
    }

    /// Whether the viewer has an association with the patient, so that a code about the patient may be said.
    #[must_use]
    pub const fn is_associated(self) -> bool {
        !matches!(self, Self::None)
    }
}

/// What ties a viewer to a patient, as it is loaded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tie<'t> {
    /// The consent of the pair. For an organisation: that of any of its teams.
    pub consent: Option<&'t Consent>,
    /// Whether the viewer ever made something about the patient.
    pub made: bool,
    /// Until when a valid glass of the viewer's is open for this patient.
    pub glass: Option<Moment>,
}

/// What a patient gets of the own record.
#[must_use]
pub const fn own(patient: &PatientState, account: AccountState) -> View {
    if patient.shuts_out() || account.is_out() { View::Out } else { View::All }
}

/// What a viewer who is not the patient gets of a patient's record. `account` is the one that looks, where there is one.
#[must_use]
pub fn of(eyes: Eyes, patient: &PatientState, tie: &Tie<'_>, account: Option<AccountState>, now: Moment) -> View {
    if !matches!(eyes, Eyes::Organisation(_)) && account.is_some_and(AccountState::is_out) {
        return View::Out;
    }
    let labels = match tie.consent {
        Some(consent) if !patient.sharing_disabled => consent.in_force(now),
        _ => Labels::NONE,
    };
    let is_grantee = tie.consent.is_some_and(|consent| consent.state(now) != ConsentState::Pending);
    match eyes {
        Eyes::Carer(_) if labels.is_none() => View::None,
        Eyes::Individual(_) if labels.is_none() && !tie.made => View::None,
        Eyes::Carer(_) | Eyes::Individual(_) if patient.frozen => View::In,
        Eyes::Carer(_) => View::Labels(labels),
        Eyes::Individual(_) if labels.is_none() => View::Own,
        Eyes::Individual(_) => View::Labels(labels),
        Eyes::Team(_) => match tie.glass.filter(|until| !now.is_past(*until) && !patient.sharing_disabled) {
            Some(until) => View::Glass(until),
            None if !labels.is_none() => View::Labels(labels),
            None if is_grantee || tie.made => View::Own,
            None => View::None,
        },
        Eyes::Organisation(_) if is_grantee || tie.made => View::Own,
        Eyes::Organisation(_) => View::None,
    }
}
