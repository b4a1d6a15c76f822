//! How far a caller sees: through whose eyes, and through which lens.

use crate::consent::viewer::{OpenGlass, Viewer};
use crate::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use crate::smart::aimed::AimedLens;
use crate::smart::lens::Lens;
use crate::smart::permissions::Permissions;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The part of the records that a caller reaches. Every record query takes one; it becomes the query's WHERE clause.
/// Its fields are private, so that nobody widens one: who makes a reach says by a constructor's name for whom, and the test
/// of the house lists every file that does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    onlooker: Onlooker,
    /// What the scopes of a session leave of it.
    lens: Option<AimedLens>,
}

/// Who looks, as a reach keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Onlooker {
    Patient(PatientId),
    Carer { user: UserId, patient: PatientId },
    Individual(UserId),
    Teams { teams: Vec<TeamId>, user: Option<UserId>, glass: Option<OpenGlass> },
    Organisation { organisation: OrganisationId, through: Vec<TeamId> },
}

impl Reach {
    const fn looking(onlooker: Onlooker) -> Self {
        Self { onlooker, lens: None }
    }

    /// A PATIENT session about the own record: that one only.
    #[must_use]
    pub const fn of_patient(patient: PatientId) -> Self {
        Self::looking(Onlooker::Patient(patient))
    }

    /// A PATIENT session about a record that its user cares for: that one only, as far as the carer's consent goes.
    #[must_use]
    pub const fn of_carer(user: UserId, patient: PatientId) -> Self {
        Self::looking(Onlooker::Carer { user, patient })
    }

    /// A CLINICIAN without a team: what patients opened to that person.
    #[must_use]
    pub const fn of_individual(user: UserId) -> Self {
        Self::looking(Onlooker::Individual(user))
    }

    /// A SITE session: what its team sees. Sessions of users have several where no team was chosen.
    #[must_use]
    pub const fn of_teams(teams: Vec<TeamId>) -> Self {
        Self::looking(Onlooker::Teams { teams, user: None, glass: None })
    }

    /// A CLINICIAN or TEAMCOORD session: what its teams see, and what its user drafted.
    #[must_use]
    pub const fn of_member(user: UserId, teams: Vec<TeamId>) -> Self {
        Self::looking(Onlooker::Teams { teams, user: Some(user), glass: None })
    }

    /// A System Client: what the organisation sees that it names.
    #[must_use]
    pub const fn of_organisation(organisation: OrganisationId) -> Self {
        Self::looking(Onlooker::Organisation { organisation, through: Vec::new() })
    }

    /// A System Client whose grant looks through teams, too.
    #[must_use]
    pub const fn of_organisation_through(organisation: OrganisationId, through: Vec<TeamId>) -> Self {
        Self::looking(Onlooker::Organisation { organisation, through })
    }

    /// Whoever it is: directories and definitions, nobody's record.
    #[must_use]
    pub const fn of_directories() -> Self {
        Self::looking(Onlooker::Teams { teams: Vec::new(), user: None, glass: None })
    }

    /// The same for a call that presents a valid token of a broken glass; nothing more where it is not that one team that looks.
    #[must_use]
    pub fn through_glass(self, glass: OpenGlass) -> Self {
        let onlooker = match self.onlooker {
            Onlooker::Teams { teams, user, .. } if teams == [glass.team] => {
                Onlooker::Teams { teams, user, glass: Some(glass) }
            }
            other => other,
        };
        Self { onlooker, lens: self.lens }
    }

    /// The same without a broken glass.
    #[must_use]
    pub fn without_glass(&self) -> Self {
        let onlooker = match self.onlooker.clone() {
            Onlooker::Teams { teams, user, .. } => Onlooker::Teams { teams, user, glass: None },
            other => other,
        };
        Self { onlooker, lens: self.lens.clone() }
    }

    /// The same through a lens: what it leaves, and what the lens that was there before leaves as well.
    #[must_use]
    pub fn through_lens(self, lens: Lens) -> Self {
        let lens = self.lens.as_ref().map(|before| before.lens().and(&lens)).unwrap_or(lens);
        Self { onlooker: self.onlooker, lens: Some(AimedLens::new(Arc::new(lens))) }
    }

    /// The same for what needs these permissions of the scopes of its lens. Without one it is no other.
    #[must_use]
    pub fn aimed_at(&self, needed: Permissions) -> Cow<'_, Self> {
        match &self.lens {
            None => Cow::Borrowed(self),
            Some(lens) => Cow::Owned(Self { onlooker: self.onlooker.clone(), lens: Some(lens.to(needed)) }),
        }
    }

    /// The lens through which it looks.
    #[must_use]
    pub const fn lens(&self) -> Option<&AimedLens> {
        self.lens.as_ref()
    }

    /// The patient whose own record it is.
    #[must_use]
    pub const fn own(&self) -> Option<PatientId> {
        match self.onlooker {
            Onlooker::Patient(patient) => Some(patient),
            _ => None,
        }
    }

    /// The patient whose record a PATIENT session is about: the own one, or one cared for.
    #[must_use]
    pub const fn record(&self) -> Option<PatientId> {
        match self.onlooker {
            Onlooker::Patient(patient) | Onlooker::Carer { patient, .. } => Some(patient),
            _ => None,
        }
    }

    /// The person who looks with their own eyes: a carer, or a CLINICIAN without a team.
    #[must_use]
    pub const fn person(&self) -> Option<UserId> {
        match self.onlooker {
            Onlooker::Carer { user, .. } | Onlooker::Individual(user) => Some(user),
            _ => None,
        }
    }

    /// The teams through which it looks.
    #[must_use]
    pub fn teams(&self) -> &[TeamId] {
        match &self.onlooker {
            Onlooker::Teams { teams, .. } => teams,
            Onlooker::Organisation { through, .. } => through,
            Onlooker::Patient(_) | Onlooker::Carer { .. } | Onlooker::Individual(_) => &[],
        }
    }

    /// The organisation through which it looks.
    #[must_use]
    pub const fn organisation(&self) -> Option<OrganisationId> {
        match self.onlooker {
            Onlooker::Organisation { organisation, .. } => Some(organisation),
            _ => None,
        }
    }

    /// The broken glass through which it looks.
    #[must_use]
    pub const fn glass(&self) -> Option<OpenGlass> {
        match self.onlooker {
            Onlooker::Teams { glass, .. } => glass,
            _ => None,
        }
    }

    /// The teams, the organisation or the person through whose eyes it looks; a patient looks through nobody's.
    pub fn viewers(&self) -> impl Iterator<Item = ViewerId> + '_ {
        let others = self.organisation().map(ViewerId::from).into_iter().chain(self.person().map(ViewerId::from));
        self.teams().iter().map(|team| ViewerId::from(*team)).chain(others)
    }

    /// Who looks, as the rules of consent know them.
    #[must_use]
    pub fn viewer(&self) -> Viewer<'_> {
        match &self.onlooker {
            Onlooker::Patient(patient) => Viewer::Patient(*patient),
            Onlooker::Carer { user, patient } => Viewer::Carer { user: *user, patient: *patient },
            Onlooker::Individual(user) => Viewer::Individual(*user),
            Onlooker::Teams { teams, user, glass } => Viewer::Teams { teams, user: *user, glass: *glass },
            Onlooker::Organisation { organisation, through } => {
                Viewer::Organisation { organisation: *organisation, through }
            }
        }
    }
}
