//! Who sets and changes the label of an item.

use crate::consent::denial::Denial;
use crate::labels::{Label, Labelling, Labels};

/// Who sets a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labeller {
    /// The patient whose record it is.
    Patient,
    /// A carer or an individual professional, who holds these labels.
    Person(Labels),
    /// A CLINICIAN or SITE session of a team with this default.
    Team(Label),
    /// A System Client of an organisation with this default; it may have none.
    Organisation(Option<Label>),
    /// TEAMCOORD, ADMIN, privacy officer.
    Nobody,
}

/// The label that is stored with an item, and whether it was the patient's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredLabel {
    pub label: Option<Label>,
    pub is_patients_choice: bool,
}

/// What a person hears who sets a label that they do not hold.
pub const NOT_HELD: Denial =
    Denial::NoConsent("only a label that you hold yourself can be set; ask the patient to set another");
const NOT_ALLOWED: Denial = Denial::UserTypeNotPermitted("labels are set by the patient and by whoever made the item");

impl Labeller {
    /// The label of an item that is created; `None` where it has none and needs all four.
    pub fn on_create(self, sent: Labelling) -> Result<Option<Label>, Denial> {
        match (self, sent) {
            (Self::Nobody, _) => Err(NOT_ALLOWED),
            (_, Labelling::Sensitive) => Ok(None),
            (_, Labelling::Label(label)) => self.may_set(label).map(|()| Some(label)),
            (Self::Patient, Labelling::Silent) => Ok(Some(Label::GeneralHealth)),
            (Self::Team(default), Labelling::Silent) => Ok(Some(default)),
            (Self::Organisation(default), Labelling::Silent) => Ok(default),
            // General health has the lowest bit: it comes first where it is held.
            (Self::Person(held), Labelling::Silent) => held.each().next().map(Some).ok_or(NOT_HELD),
        }
    }

    /// Whether the label of an item that is there may become this one.
    pub fn on_change(self, label: Label, is_own: bool) -> Result<(), Denial> {
        match self {
            Self::Nobody => Err(NOT_ALLOWED),
            Self::Patient => Ok(()),
            Self::Person(_) | Self::Team(_) | Self::Organisation(_) if !is_own => Err(Denial::NotSource),
            Self::Person(_) | Self::Team(_) | Self::Organisation(_) => self.may_set(label),
        }
    }

    const fn may_set(self, label: Label) -> Result<(), Denial> {
        match self {
            Self::Patient | Self::Team(_) | Self::Organisation(_) => Ok(()),
            Self::Person(held) if held.has(label) => Ok(()),
            Self::Person(_) => Err(NOT_HELD),
            Self::Nobody => Err(NOT_ALLOWED),
        }
    }
}

/// The label of an item that its source writes again. What the patient chose stays, whatever is sent: otherwise each nightly feed
/// would undo it. A write without a label keeps the one that is there.
pub fn on_update(by: Labeller, before: StoredLabel, sent: Labelling) -> Result<StoredLabel, Denial> {
    if before.is_patients_choice && by != Labeller::Patient {
        return Ok(before);
    }
    match sent {
        Labelling::Silent => Ok(before),
        // Who sends back what is there sets nothing.
        Labelling::Label(label) if before.label == Some(label) => Ok(before),
        Labelling::Sensitive => Ok(StoredLabel { label: None, ..before }),
        Labelling::Label(label) => {
            by.on_change(label, true)?;
            let is_patients_choice =
                before.is_patients_choice || (by == Labeller::Patient && before.label != Some(label));
            Ok(StoredLabel { label: Some(label), is_patients_choice })
        }
    }
}
