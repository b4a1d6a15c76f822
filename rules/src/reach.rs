//! Reach: whose records a caller may see and by which right, and who becomes the source of what a caller writes.

use crate::consent::decision::{Decision, sees};
use crate::consent::delay::Delay;
use crate::consent::item::{Author, ItemFacts, Participant};
use crate::consent::standing::Standing;
use crate::consent::viewer::{OpenGlass, Viewer};
use crate::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use crate::labels::Needs;
use crate::moment::Moment;
use crate::scope::Scope;
use alloc::vec::Vec;

pub use crate::right::{Right, RightValidity};
pub use crate::source::Source;

/// The part of the records that a caller reaches. Every record query takes one; it becomes the query's WHERE clause.
/// Its fields are private, so that nobody widens one: who makes a reach says by a constructor's name for whom, and the test
/// of the house lists every file that does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reach(Onlooker);

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
    /// A PATIENT session about the own record: that one only.
    #[must_use]
    pub const fn of_patient(patient: PatientId) -> Self {
        Self(Onlooker::Patient(patient))
    }

    /// A PATIENT session about a record that its user cares for: that one only, as far as the carer's consent goes.
    #[must_use]
    pub const fn of_carer(user: UserId, patient: PatientId) -> Self {
        Self(Onlooker::Carer { user, patient })
    }

    /// A CLINICIAN without a team: what patients opened to that person.
    #[must_use]
    pub const fn of_individual(user: UserId) -> Self {
        Self(Onlooker::Individual(user))
    }

    /// A SITE session: what its team sees. Sessions of users have several where no team was chosen.
    #[must_use]
    pub const fn of_teams(teams: Vec<TeamId>) -> Self {
        Self(Onlooker::Teams { teams, user: None, glass: None })
    }

    /// A CLINICIAN or TEAMCOORD session: what its teams see, and what its user drafted.
    #[must_use]
    pub const fn of_member(user: UserId, teams: Vec<TeamId>) -> Self {
        Self(Onlooker::Teams { teams, user: Some(user), glass: None })
    }

    /// A System Client: what the organisation sees that it names.
    #[must_use]
    pub const fn of_organisation(organisation: OrganisationId) -> Self {
        Self(Onlooker::Organisation { organisation, through: Vec::new() })
    }

    /// A System Client whose grant looks through teams, too.
    #[must_use]
    pub const fn of_organisation_through(organisation: OrganisationId, through: Vec<TeamId>) -> Self {
        Self(Onlooker::Organisation { organisation, through })
    }

    /// Whoever it is: directories and definitions, nobody's record.
    #[must_use]
    pub const fn of_directories() -> Self {
        Self(Onlooker::Teams { teams: Vec::new(), user: None, glass: None })
    }

    /// The same for a call that presents a valid token of a broken glass; nothing more where it is not that one team that looks.
    #[must_use]
    pub fn through_glass(self, glass: OpenGlass) -> Self {
        match self.0 {
            Onlooker::Teams { teams, user, .. } if teams == [glass.team] => {
                Self(Onlooker::Teams { teams, user, glass: Some(glass) })
            }
            other => Self(other),
        }
    }

    /// The same without a broken glass.
    #[must_use]
    pub fn without_glass(&self) -> Self {
        match self.clone().0 {
            Onlooker::Teams { teams, user, .. } => Self(Onlooker::Teams { teams, user, glass: None }),
            other => Self(other),
        }
    }

    /// The patient whose own record it is.
    #[must_use]
    pub const fn own(&self) -> Option<PatientId> {
        match self.0 {
            Onlooker::Patient(patient) => Some(patient),
            _ => None,
        }
    }

    /// The patient whose record a PATIENT session is about: the own one, or one cared for.
    #[must_use]
    pub const fn record(&self) -> Option<PatientId> {
        match self.0 {
            Onlooker::Patient(patient) | Onlooker::Carer { patient, .. } => Some(patient),
            _ => None,
        }
    }

    /// The person who looks with their own eyes: a carer, or a CLINICIAN without a team.
    #[must_use]
    pub const fn person(&self) -> Option<UserId> {
        match self.0 {
            Onlooker::Carer { user, .. } | Onlooker::Individual(user) => Some(user),
            _ => None,
        }
    }

    /// The teams through which it looks.
    #[must_use]
    pub fn teams(&self) -> &[TeamId] {
        match &self.0 {
            Onlooker::Teams { teams, .. } => teams,
            Onlooker::Organisation { through, .. } => through,
            Onlooker::Patient(_) | Onlooker::Carer { .. } | Onlooker::Individual(_) => &[],
        }
    }

    /// The organisation through which it looks.
    #[must_use]
    pub const fn organisation(&self) -> Option<OrganisationId> {
        match self.0 {
            Onlooker::Organisation { organisation, .. } => Some(organisation),
            _ => None,
        }
    }

    /// The broken glass through which it looks.
    #[must_use]
    pub const fn glass(&self) -> Option<OpenGlass> {
        match self.0 {
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
        match &self.0 {
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

/// An item of a record, as far as reach goes.
#[derive(Clone, Debug)]
pub struct Item<P = Vec<PatientId>> {
    /// The patients in whose compartments it is.
    pub patients: P,
    pub needs: Needs,
    pub source: Source,
    /// Whether its type is a directory's or a definition's.
    pub is_directory: bool,
    /// Whose draft it is, where it is one.
    pub draft: Option<Author>,
    /// Senders and recipients of a conversation that was sent, in the order of their numbers.
    pub participants: Vec<Participant>,
}

/// By which right a caller sees an item; `None` where it does not. What the store's builder says in SQL, said plainly: a
/// test holds the two together.
#[must_use]
pub fn right<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>, sight: &[Standing], now: Moment) -> Option<Right> {
    decision(reach, item, sight, now).right()
}

/// What is decided of an item, for a caller of this reach.
fn decision<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>, sight: &[Standing], now: Moment) -> Decision {
    let facts = ItemFacts {
        is_directory: item.is_directory,
        participants: &item.participants,
        draft: item.draft,
        is_private: item.needs.is_private(),
        delay: item.needs.is_held_back().then_some(Delay::OF_AN_ITEM),
        ..ItemFacts::new(item.patients.as_ref(), item.needs.for_consent(), item.source)
    };
    sees(&reach.viewer(), &facts, sight, now)
}

/// By which right a caller sees a past version of an item, `then` being the item as it was. That is the right to the item as it
/// is, where the version is in reach too: what was taken away from a viewer is taken with its past. But an item that its source
/// took out of a record stays there as it was: whom that record is open to sees the versions that were in it.
#[must_use]
pub fn right_to_past<P: AsRef<[PatientId]>>(
    reach: &Reach,
    (item, then): (&Item<P>, &Item<P>),
    sight: &[Standing],
    now: Moment,
) -> Option<Right> {
    let past = right(reach, then, sight, now)?;
    right(reach, item, sight, now).or_else(|| (!matches!(past, Right::Source | Right::Directory)).then_some(past))
}

/// Through whose eyes a caller sees an item that `right` lets them see: the team or organisation that made it, or the one
/// whom the patient's sight names, the first by number where it names several. Nobody's where the right is nobody's.
#[must_use]
pub fn viewer<P: AsRef<[PatientId]>>(
    reach: &Reach,
    item: &Item<P>,
    sight: &[Standing],
    now: Moment,
) -> Option<ViewerId> {
    decision(reach, item, sight, now).through()
}

/// "Who may write over FHIR: whoever becomes the source." A TEAMCOORD session writes no clinical data.
#[must_use]
pub const fn may_write(scope: Option<Scope>) -> bool {
    match scope {
        None => true, // a System Client, for the organisation it names
        Some(Scope::Patient | Scope::Clinician | Scope::Site) => true,
        Some(Scope::TeamCoord) => false,
    }
}

/// What sort of resource is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A directory's or a definition's, which every caller reads.
    Directory,
    /// Who a patient is: the Patient resource.
    Patient,
    /// Anything else: a part of somebody's record, or of what its source keeps for itself.
    Record,
}

/// Whether a caller who may write may write this. What every caller reads, and who somebody is, is said by organisations.
#[must_use]
pub const fn may_write_in(scope: Option<Scope>, area: Area) -> bool {
    match area {
        Area::Directory | Area::Patient => scope.is_none(),
        Area::Record => may_write(scope),
    }
}

/// Whether a caller of this reach writes as this source.
#[must_use]
pub fn may_act_as(reach: &Reach, source: Source) -> bool {
    match source {
        Source::Patient(patient) => reach.own() == Some(patient),
        Source::Organisation(organisation) => reach.organisation() == Some(organisation),
        Source::Team(team, _) => reach.organisation().is_none() && reach.teams().contains(&team),
        Source::Person(user) => reach.person() == Some(user),
    }
}

/// Patients are invited by their organisation, through a System Client.
#[must_use]
pub const fn may_invite(scope: Option<Scope>) -> bool {
    scope.is_none()
}

/// A read-receipt query is for the sender's side: a PATIENT session gets 403.
#[must_use]
pub const fn may_query_read_receipts(scope: Option<Scope>) -> bool {
    !matches!(scope, Some(Scope::Patient))
}
