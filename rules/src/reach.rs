//! Reach: whose records a caller may see and by which right, and who becomes the source of what a caller writes.

use crate::consent::decision::{Decision, sees};
use crate::consent::item::ItemFacts;
use crate::consent::standing::Standing;
use crate::consent::viewer::Viewer;
use crate::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use crate::labels::Needs;
use crate::moment::Moment;
use crate::scope::Scope;
use crate::sight::Sight;
use alloc::vec::Vec;

pub use crate::right::{Right, RightValidity};
pub use crate::source::Source;

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
    decision(reach, item, sight, now).right()
}

/// What is decided of an item, for a caller of this reach. A row of sight that is past its end opens nothing at all.
fn decision<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>, sight: &[Sight], now: Moment) -> Decision {
    let viewer = match (reach.own, reach.organisation) {
        (Some(patient), _) => Viewer::Patient(patient),
        (None, Some(organisation)) => Viewer::Organisation { organisation, through: &reach.teams },
        (None, None) => Viewer::Teams { teams: &reach.teams, user: None, glass: None },
    };
    let facts = ItemFacts {
        is_directory: item.is_directory,
        ..ItemFacts::new(item.patients.as_ref(), item.needs, item.source)
    };
    let rows: Vec<Standing> = sight.iter().map(|row| Standing { sight: *row, stays: false }).collect();
    sees(&viewer, &facts, &rows, now)
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
