//! Reach: whose records a caller may see and by which right, and who becomes the source of what a caller writes.

pub mod extent;

use crate::consent::decision::{Decision, sees};
use crate::consent::delay::Delay;
use crate::consent::item::{Author, ItemFacts, Participant};
use crate::consent::standing::Standing;
use crate::ids::{PatientId, ViewerId};
use crate::labels::Needs;
use crate::moment::Moment;
use crate::scope::Scope;
use crate::smart::aimed::LensedItem;
use crate::smart::query::ItemCode;
use alloc::vec::Vec;

pub use crate::right::{Right, RightValidity};
pub use crate::source::Source;
pub use extent::Reach;

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
    /// The name of its type, and by which codes the queries of scopes find it.
    pub of: &'static str,
    pub codes: Vec<ItemCode>,
}

/// By which right a caller sees an item; `None` where it does not. What the store's builder says in SQL, said plainly: a
/// test holds the two together.
#[must_use]
pub fn right<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>, sight: &[Standing], now: Moment) -> Option<Right> {
    decision(reach, item, sight, now).right().filter(|_| is_in_lens(reach, item))
}

/// Whether the lens of a reach, where it has one, leaves the item in it.
fn is_in_lens<P: AsRef<[PatientId]>>(reach: &Reach, item: &Item<P>) -> bool {
    let Item { of, is_directory, .. } = *item;
    let patients = item.patients.as_ref();
    reach.lens().is_none_or(|lens| lens.shows(LensedItem { of, patients, is_directory, codes: &item.codes }))
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
