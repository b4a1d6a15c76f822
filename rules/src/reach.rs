//! Reach: whose records a caller may see and by which right, and who becomes the source of what a caller writes.

use crate::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use crate::labels::Needs;
use crate::moment::Moment;
use crate::scope::Scope;
use crate::sight::Sight;
use alloc::vec::Vec;

/// The part of the records that a caller reaches. Every record query takes one; it becomes the query's WHERE clause.
/// Its fields are private, so that nobody widens one: who makes a reach says by a constructor's name for whom, and the test
/// of the house lists every file that does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    own: Option<PatientId>,
    teams: Vec<TeamId>,
    organisation: Option<OrganisationId>,
}

impl Reach {
    /// A PATIENT session: its own record only.
    #[must_use]
    pub const fn of_patient(patient: PatientId) -> Self {
        Self { own: Some(patient), teams: Vec::new(), organisation: None }
    }

    /// A CLINICIAN, TEAMCOORD or SITE session: what its teams see.
    #[must_use]
    pub const fn of_teams(teams: Vec<TeamId>) -> Self {
        Self { own: None, teams, organisation: None }
    }

    /// A System Client: what the organisation sees that it names.
    #[must_use]
    pub const fn of_organisation(organisation: OrganisationId) -> Self {
        Self { own: None, teams: Vec::new(), organisation: Some(organisation) }
    }

    /// An organisation that looks through teams, too.
    #[must_use]
    pub const fn of_viewers(teams: Vec<TeamId>, organisation: Option<OrganisationId>) -> Self {
        Self { own: None, teams, organisation }
    }

    /// Whoever it is: directories and definitions, nobody's record.
    #[must_use]
    pub const fn of_directories() -> Self {
        Self { own: None, teams: Vec::new(), organisation: None }
    }

    /// The patient whose own record it is.
    #[must_use]
    pub const fn own(&self) -> Option<PatientId> {
        self.own
    }

    /// The teams through which it looks.
    #[must_use]
    pub fn teams(&self) -> &[TeamId] {
        &self.teams
    }

    /// The organisation through which it looks.
    #[must_use]
    pub const fn organisation(&self) -> Option<OrganisationId> {
        self.organisation
    }

    /// The teams and the organisation through which it looks; a patient looks through nobody.
    pub fn viewers(&self) -> impl Iterator<Item = ViewerId> + '_ {
        self.teams.iter().map(|team| ViewerId::from(*team)).chain(self.organisation.map(ViewerId::from))
    }
}

/// Why an item was seen: the first that fits, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// The session is about this record, and its user is the patient.
    Own,
    /// The viewer made it.
    Source,
    /// The patient's sight allows it.
    Consent,
    /// It is nobody's record: a directory or a definition, there for every caller.
    Directory,
}

impl Right {
    pub const ALL: [Self; 4] = [Self::Own, Self::Source, Self::Consent, Self::Directory];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Own => "self",
            Self::Source => "source",
            Self::Consent => "consent",
            Self::Directory => "directory",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.word() == word)
    }

    /// The number that a query says it by: in the order of rights, with room for those that are not there yet.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Own => 1,
            Self::Source => 2,
            Self::Consent => 4,
            Self::Directory => 6,
        }
    }

    /// How long what was seen by it may be remembered and answered again without asking.
    #[must_use]
    pub const fn validity(self) -> RightValidity {
        match self {
            Self::Own | Self::Source | Self::Directory => RightValidity::WhileUnchanged,
            Self::Consent => RightValidity::WhileInSight,
        }
    }

    /// Whether it is by the eyes of a team or an organisation that something is seen.
    #[must_use]
    pub const fn has_eyes(self) -> bool {
        matches!(self, Self::Source | Self::Consent)
    }

    #[must_use]
    pub fn numbered(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.number() == number)
    }
}

/// How long a right opens what it opened once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightValidity {
    /// As long as the resource is as it is.
    WhileUnchanged,
    /// As long as, besides, nothing changes of who sees its patient, and that sight has not ended, which is compared at each call.
    WhileInSight,
}

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
            Self::Person(user) => (Some(ViewerId(user.0)), None),
            Self::Team(team, organisation) => (Some(team.into()), Some(organisation.into())),
            Self::Organisation(organisation) => (Some(organisation.into()), None),
        };
        first.into_iter().chain(second)
    }

    /// Whether a viewer sees it as its source. An organisation sees what its teams made; a team does not see what its
    /// organisation or a sister team made.
    fn is_seen_by(&self, viewer: ViewerId) -> bool {
        self.makers().any(|maker| maker == viewer)
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
}

/// By which right a caller sees an item; `None` where it does not. What the store's builder says in SQL, said plainly: a
/// test holds the two together.
#[must_use]
pub fn right<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>, sight: &[Sight], now: Moment) -> Option<Right> {
    let is_source = match reach.own {
        Some(own) if item.patients.as_ref().contains(&own) => return Some(Right::Own),
        Some(own) => item.source == Source::Patient(own),
        None => reach.viewers().any(|viewer| item.source.is_seen_by(viewer)),
    };
    if is_source && !item.needs.is_self_only() {
        return Some(Right::Source);
    }
    if sight.iter().any(|row| opens(row, reach, item, now)) {
        return Some(Right::Consent);
    }
    (item.is_directory && item.patients.as_ref().is_empty()).then_some(Right::Directory)
}

/// By which right a caller sees a past version of an item, `then` being the item as it was. That is the right to the item as it
/// is, where the version is in reach too: what was taken away from a viewer is taken with its past. But an item that its source
/// took out of a record stays there as it was: whom that record is open to sees the versions that were in it.
#[must_use]
pub fn right_to_past<P: AsRef<[PatientId]>>(
    reach: &Reach,
    (item, then): (&Item<P>, &Item<P>),
    sight: &[Sight],
    now: Moment,
) -> Option<Right> {
    let past = right(reach, then, sight, now)?;
    right(reach, item, sight, now).or_else(|| matches!(past, Right::Own | Right::Consent).then_some(past))
}

/// Through whose eyes a caller sees an item that `right` lets them see: the team or organisation that made it, or the one
/// whom the patient's sight names, the first by number where it names several. Nobody's where the right is nobody's.
#[must_use]
pub fn viewer<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>, sight: &[Sight], now: Moment) -> Option<ViewerId> {
    match right(reach, item, sight, now)? {
        Right::Own | Right::Directory => None,
        Right::Source => item.source.makers().find(|maker| reach.viewers().any(|viewer| viewer == *maker)),
        Right::Consent => {
            let viewers = sight.iter().filter(|row| opens(row, reach, item, now)).map(|row| row.viewer);
            viewers.min_by_key(|viewer| viewer.0)
        }
    }
}

/// Whether a row of sight opens an item to a caller.
fn opens<P: AsRef<[PatientId]>>(row: &Sight, reach: &Reach, item: &Item<P>, now: Moment) -> bool {
    item.patients.as_ref().contains(&row.patient)
        && reach.viewers().any(|viewer| viewer == row.viewer)
        && row.labels.hold(item.needs)
        && row.ends_at.is_none_or(|end| now < end)
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
        Source::Patient(patient) => reach.own == Some(patient),
        Source::Organisation(organisation) => reach.organisation == Some(organisation),
        Source::Team(team, _) => reach.organisation.is_none() && reach.teams.contains(&team),
        Source::Person(_) => false,
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
