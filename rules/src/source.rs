//! Sources: who made an item, and who sees it by having made it.

use crate::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};

/// Who made a resource; only the same source may change or delete it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Patient(PatientId),
    /// A person who is neither the patient nor acts for a team.
    Person(UserId),
    /// A team, and the organisation that it belonged to.
    Team(TeamId, OrganisationId),
    Organisation(OrganisationId),
}

impl Source {
    /// Whether both are the same; a team stays itself when it moves to another organisation.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Team(one, _), Self::Team(other, _)) => one == other,
            _ => self == other,
        }
    }

    /// Who has an association with a patient by having made something about them. The patient needs none.
    pub fn makers(&self) -> impl Iterator<Item = ViewerId> {
        let (first, second) = match *self {
            Self::Patient(_) => (None, None),
            Self::Person(user) => (Some(user.into()), None),
            Self::Team(team, organisation) => (Some(team.into()), Some(organisation.into())),
            Self::Organisation(organisation) => (Some(organisation.into()), None),
        };
        first.into_iter().chain(second)
    }

    /// Whether a viewer sees it as its source. An organisation sees what its teams made; a team does not see what its
    /// organisation or a sister team made.
    #[must_use]
    pub fn is_seen_by(&self, viewer: ViewerId) -> bool {
        self.makers().any(|maker| maker == viewer)
    }
}
