//! Viewers: who looks, as far as seeing an item depends on it. A caller has one; building it is the authorisation.

use crate::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use crate::moment::Moment;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer<'v> {
    /// The patient, in a session about the own record.
    Patient(PatientId),
    /// A carer, in a session about this patient's record and no other's.
    Carer { user: UserId, patient: PatientId },
    /// A professional without a team.
    Individual(UserId),
    /// One team; several in sessions from before a team was chosen. SITE has no user.
    Teams { teams: &'v [TeamId], user: Option<UserId>, glass: Option<OpenGlass> },
    /// A System Client's organisation, and the teams that its grant names.
    Organisation { organisation: OrganisationId, through: &'v [TeamId] },
}

/// A broken glass that was found valid for this call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenGlass {
    pub patient: PatientId,
    pub team: TeamId,
    pub until: Moment,
}

impl Viewer<'_> {
    /// Whether they look through the eyes of this number: a team's, an organisation's or a person's.
    #[must_use]
    pub fn looks_through(&self, viewer: ViewerId) -> bool {
        let is_team = |teams: &[TeamId]| teams.iter().any(|team| ViewerId::from(*team) == viewer);
        match self {
            Self::Patient(_) => false,
            Self::Carer { user, .. } | Self::Individual(user) => ViewerId::from(*user) == viewer,
            Self::Teams { teams, .. } => is_team(teams),
            Self::Organisation { organisation, through } => ViewerId::from(*organisation) == viewer || is_team(through),
        }
    }

    /// Whether it is a person who sees nothing of a record that no row of sight opens, not even what they made.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Carer { .. } | Self::Individual(_))
    }

    /// Whether content under delay is kept from them unless they made it.
    #[must_use]
    pub const fn waits_for_release(&self) -> bool {
        matches!(self, Self::Patient(_) | Self::Carer { .. })
    }
}
