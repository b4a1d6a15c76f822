//! Callers: what each kind of caller reads, creates, changes and learns.

use crate::consent::denial::Denial;
use crate::consent::view::View;
use crate::ids::TeamId;
use crate::source::Source;

/// The kinds of caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallerKind {
    /// A PATIENT session about the own record.
    OwnRecord,
    /// A PATIENT session about a record that the user cares for.
    RecordCaredFor,
    TeamClinician,
    LoneClinician,
    TeamCoord,
    Site,
    SystemClient,
    Admin,
    PrivacyOfficer,
}

/// Of whom a caller can find out that there is such a patient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// Of nobody but those that the viewer sees.
    Nobody,
    /// By an exact national identifier, in the organisation.
    Organisation,
    /// By an exact national identifier, everywhere: a team that may break the glass.
    Everywhere,
    /// Account names and patient ids.
    Accounts,
}

/// The team that a session writes for: the one that it is for. Sessions from before a team was chosen may have several.
pub const fn writing_team(teams: &[TeamId]) -> Result<TeamId, Denial> {
    match teams {
        [only] => Ok(*only),
        _ => Err(Denial::TeamNotChosen),
    }
}

const NOTHING_CLINICAL: Denial = Denial::UserTypeNotPermitted("users of this type write nothing into a record");
const NO_LABEL: Denial = Denial::NoConsent(
    "no label of this patient is held, so nothing can be added; ask the patient to share, or break the glass where the team may",
);

impl CallerKind {
    pub const ALL: [Self; 9] = [
        Self::OwnRecord,
        Self::RecordCaredFor,
        Self::TeamClinician,
        Self::LoneClinician,
        Self::TeamCoord,
        Self::Site,
        Self::SystemClient,
        Self::Admin,
        Self::PrivacyOfficer,
    ];

    /// Whether the caller reads items of records at all. ADMIN and privacy officer have pages, and can grant no app.
    #[must_use]
    pub const fn reads_items(self) -> bool {
        !matches!(self, Self::Admin | Self::PrivacyOfficer)
    }

    /// Whether the caller may break a glass, if the team may.
    #[must_use]
    pub const fn may_break_glass(self) -> bool {
        matches!(self, Self::TeamClinician | Self::Site)
    }

    /// Whether the caller may create something about a patient of whom the viewer gets this. A patient without an association is
    /// answered as one who does not exist.
    pub fn may_create(self, view: View, sharing_disabled: bool) -> Result<(), Denial> {
        if matches!(self, Self::TeamCoord | Self::Admin | Self::PrivacyOfficer) {
            return Err(NOTHING_CLINICAL);
        }
        if let Some(denial) = view.denial() {
            return Err(denial);
        }
        match (self, view) {
            (Self::OwnRecord, _) | (Self::SystemClient, _) => Ok(()),
            (Self::TeamClinician | Self::LoneClinician | Self::Site, _) if sharing_disabled => {
                Err(Denial::SharingDisabled)
            }
            (Self::TeamClinician | Self::Site, View::Glass(_)) | (_, View::Labels(_)) => Ok(()),
            _ => Err(NO_LABEL),
        }
    }

    /// Whether the caller may change or delete an item that it sees, whose source is another's or its own (`acts_as`). What the
    /// patient's record shows to a carer goes with the consent; labels are another question (`label_right`).
    pub fn may_change(self, view: View, acts_as: &Source, made_by: &Source) -> Result<(), Denial> {
        if matches!(self, Self::TeamCoord | Self::Admin | Self::PrivacyOfficer) {
            return Err(NOTHING_CLINICAL);
        }
        match view.denial() {
            Some(denial) => Err(denial),
            None if acts_as.is(made_by) => Ok(()),
            None => Err(Denial::NotSource),
        }
    }

    /// Of whom the caller can find out that there is such a patient.
    #[must_use]
    pub const fn learns(self, may_break_glass: bool) -> Learning {
        match self {
            Self::OwnRecord | Self::RecordCaredFor | Self::LoneClinician => Learning::Nobody,
            Self::TeamClinician | Self::Site if may_break_glass => Learning::Everywhere,
            Self::TeamClinician | Self::Site | Self::TeamCoord | Self::SystemClient | Self::PrivacyOfficer => {
                Learning::Organisation
            }
            Self::Admin => Learning::Accounts,
        }
    }
}
