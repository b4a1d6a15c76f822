//! Absence or refusal: what a caller hears in each situation. An item's existence is never told by a code, and a code about a
//! patient is said only to a caller with an association.

use crate::consent::decision::Decision;
use crate::consent::delay::Hides;
use crate::consent::denial::Denial;
use crate::consent::missing::Missing;
use crate::consent::view::View;
use crate::moment::Moment;

/// Where a caller is, as far as answers depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Nothing hides it.
    Seen,
    NoAssociation,
    LabelNotGranted,
    /// Sees it, is not its source, and wants to change it.
    OtherSource,
    /// Associated without a label, creates.
    NoLabel,
    /// Sharing disabled; creates, shares or breaks the glass.
    SharingDisabled,
    /// Record frozen; a carer or an individual professional who names the patient.
    FrozenInward,
    /// Own account frozen, or the patient has died.
    FrozenOutward,
    /// Content under delay, for the patient and carers.
    NotYetReleased(Moment),
    /// A glass token that is wrong, over, or of another patient or session.
    GlassInvalid,
    WrongUserType,
}

/// How a record is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// A search, list, chain or count.
    Search,
    /// A direct read, or a history.
    Read,
    Write,
}

/// What comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hearing {
    Shown,
    /// As if it were not there, in a list.
    Omitted,
    /// The resource is shown, its content is not.
    MetadataShown,
    Denied(Denial),
    /// It cannot be asked so.
    Nothing,
}

const NO_LABEL: Denial = Denial::NoConsent("no label of this patient is held, and no glass is broken");
const WRONG_TYPE: Denial = Denial::UserTypeNotPermitted("users of this type do not do this");

impl Situation {
    /// What the decision about one item, and the view of its record, come to for reading.
    #[must_use]
    pub fn of(decision: &Decision, view: View) -> Self {
        match (view, decision.missing()) {
            (View::Out, _) => Self::FrozenOutward,
            (View::In, _) => Self::FrozenInward,
            (_, None) => Self::Seen,
            (_, Some(Missing::Delayed(delay))) if delay.hides == Hides::Content => Self::NotYetReleased(delay.until),
            (View::None, Some(_)) => Self::NoAssociation,
            (_, Some(_)) => Self::LabelNotGranted,
        }
    }

    #[must_use]
    pub const fn denial(&self) -> Option<Denial> {
        match self {
            Self::Seen => None,
            Self::NoAssociation | Self::LabelNotGranted => Some(Denial::NotFound),
            Self::OtherSource => Some(Denial::NotSource),
            Self::NoLabel => Some(NO_LABEL),
            Self::SharingDisabled => Some(Denial::SharingDisabled),
            Self::FrozenInward => Some(Denial::FrozenInward),
            Self::FrozenOutward => Some(Denial::FrozenOutward),
            Self::NotYetReleased(until) => Some(Denial::NotYetReleased(*until)),
            Self::GlassInvalid => Some(Denial::GlassInvalid),
            Self::WrongUserType => Some(WRONG_TYPE),
        }
    }

    /// What is heard by whoever asks so.
    #[must_use]
    pub fn hearing(&self, asking: Asking) -> Hearing {
        let Some(denial) = self.denial() else { return Hearing::Shown };
        match (self, asking) {
            (Self::NoAssociation | Self::LabelNotGranted | Self::FrozenInward, Asking::Search) => Hearing::Omitted,
            (Self::OtherSource, Asking::Search | Asking::Read) => Hearing::Shown,
            (Self::NoLabel | Self::SharingDisabled, Asking::Search | Asking::Read) => Hearing::Nothing,
            (Self::NotYetReleased(_), Asking::Search) => Hearing::MetadataShown,
            _ => Hearing::Denied(denial),
        }
    }
}
