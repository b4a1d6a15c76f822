//! What is true of a world, kept beside the store, and what follows from it by the rules alone.

use fhir::types::ResourceType;
use rules::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use rules::moment::Moment;
use rules::reach::{Item, Reach, Right, right, right_to_past, viewer};
use rules::sight::{self, Facts, Sight};
use std::collections::{BTreeMap, BTreeSet};

/// A resource as it should be stored.
#[derive(Clone, Debug)]
pub struct Kept {
    pub resource_type: ResourceType,
    pub id: String,
    pub item: Item,
    /// The compartments of each version, the first first; the last is the one of now.
    pub versions: Vec<Vec<PatientId>>,
    /// Its body but for what the store sets.
    pub written: (String, String),
    /// The id of the Binary that it carries.
    pub carries: Option<String>,
}

#[derive(Debug, Default)]
pub struct World {
    pub teams: Vec<(TeamId, OrganisationId)>,
    pub registrations: BTreeMap<PatientId, Vec<TeamId>>,
    pub makers: BTreeMap<PatientId, BTreeSet<ViewerId>>,
    pub kept: Vec<Kept>,
    /// Rows that were put behind the store's back, in place of those that follow.
    pub openings: Vec<Sight>,
}

impl World {
    /// The sight that follows for a patient.
    pub fn derived(&self, patient: PatientId) -> Vec<Sight> {
        let registered = self.registrations.get(&patient).into_iter().flatten();
        let facts = Facts {
            registrations: registered.map(|team| (*team, self.home_of(*team))).collect(),
            makers: self.makers.get(&patient).into_iter().flatten().copied().collect(),
        };
        sight::of(patient, &facts)
    }

    pub fn home_of(&self, team: TeamId) -> OrganisationId {
        self.teams.iter().find(|(known, _)| *known == team).expect("a team of this world").1
    }

    /// All of it, as it is in force.
    pub fn sight(&self, patients: &[PatientId]) -> Vec<Sight> {
        let same = |one: &Sight, other: &Sight| one.viewer == other.viewer && one.patient == other.patient;
        let derived = patients.iter().flat_map(|patient| self.derived(*patient));
        let kept = derived.filter(|row| !self.openings.iter().any(|opening| same(opening, row)));
        kept.chain(self.openings.iter().copied()).collect()
    }

    /// By which right a resource is read: a Binary also through a document that carries it and has the same source.
    pub fn read(&self, kept: &Kept, reach: &Reach, sight: &[Sight], now: Moment) -> Option<Right> {
        let items = self.opened_by(kept).map(|kept| &kept.item);
        items.filter_map(|item| right(reach, item, sight, now)).min_by_key(|right| right.number())
    }

    /// Through whose eyes: of each of the resources that give this right. Only a Binary has more than itself.
    pub fn viewer(&self, kept: &Kept, by: Right, reach: &Reach, sight: &[Sight], now: Moment) -> Vec<Option<ViewerId>> {
        let items = self.opened_by(kept).map(|kept| kept.item.clone());
        // Where it is out of reach, a record that it has left may give the right to its past.
        let left = |patients: &Vec<PatientId>| Item { patients: patients.clone(), ..kept.item.clone() };
        let past = kept.versions.iter().map(left).filter(|_| right(reach, &kept.item, sight, now).is_none());
        let giving = items.chain(past).filter(|item| right(reach, item, sight, now) == Some(by));
        giving.map(|item| viewer(reach, &item, sight, now)).collect()
    }

    /// The resource itself, and the documents of the same source that carry it.
    fn opened_by<'w>(&'w self, kept: &'w Kept) -> impl Iterator<Item = &'w Kept> {
        let carriers = self.kept.iter().filter(move |document| {
            kept.resource_type == ResourceType::Binary
                && document.carries.as_ref() == Some(&kept.id)
                && document.item.source.is(&kept.item.source)
        });
        std::iter::once(kept).chain(carriers)
    }

    /// By which right a version is read. A document opens a Binary of now only.
    pub fn read_version(
        &self,
        kept: &Kept,
        version: usize,
        reach: &Reach,
        sight: &[Sight],
        now: Moment,
    ) -> Option<Right> {
        if version == kept.versions.len() {
            return self.read(kept, reach, sight, now);
        }
        let then = Item { patients: kept.versions[version - 1].clone(), ..kept.item.clone() };
        right_to_past(reach, (&kept.item, &then), sight, now)
    }
}
