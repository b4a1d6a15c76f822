//! Eyes: the kinds of viewer, which are the columns of the table of states.

use crate::consent::record::Grantee;
use crate::ids::{OrganisationId, TeamId, UserId, ViewerId};

/// Through whose eyes somebody who is not the patient looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Eyes {
    Carer(UserId),
    Team(TeamId),
    /// A professional without a team.
    Individual(UserId),
    Organisation(OrganisationId),
}

impl Eyes {
    /// The number by which a row of sight names them.
    #[must_use]
    pub fn id(self) -> ViewerId {
        match self {
            Self::Carer(user) | Self::Individual(user) => user.into(),
            Self::Team(team) => team.into(),
            Self::Organisation(organisation) => organisation.into(),
        }
    }
}

impl From<Grantee> for Eyes {
    fn from(grantee: Grantee) -> Self {
        match grantee {
            Grantee::Team(team) => Self::Team(team),
            Grantee::Professional(user) => Self::Individual(user),
            Grantee::Carer(user) => Self::Carer(user),
        }
    }
}
