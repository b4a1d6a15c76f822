//! What is true of a world, kept beside the store, and what follows from it by the rules alone.

use fhir::types::ResourceType;
use rules::consent::eyes::Eyes;
use rules::consent::item::Author;
use rules::consent::record::{Consent, ConsentId, Grantee};
use rules::consent::standing::{self, GivenConsent, Standing};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::reach::{Item, Reach, Right, right, right_to_past, viewer};
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
    pub text: String,
    /// Which of its versions were drafts, and whose the last was.
    pub drafts: Vec<bool>,
    pub author: Option<Author>,
    /// The id of the Binary that it carries.
    pub carries: Option<String>,
}

impl Kept {
    /// Whether it is a message that was sent.
    pub fn is_sent(&self) -> bool {
        self.resource_type == ResourceType::Communication && self.item.draft.is_none()
    }

    /// The item as a version of it shows: where that was a draft, it stays one.
    pub fn at(&self, version: usize) -> Item {
        let author = self.author.filter(|_| self.drafts[version - 1]);
        Item { patients: self.versions[version - 1].clone(), draft: self.item.draft.or(author), ..self.item.clone() }
    }
}

#[derive(Debug, Default)]
pub struct World {
    pub teams: Vec<(TeamId, OrganisationId)>,
    pub consents: BTreeMap<PatientId, Vec<Consent>>,
    pub makers: BTreeMap<PatientId, BTreeSet<Eyes>>,
    pub kept: Vec<Kept>,
    /// Rows that were put behind the store's back, in place of those that follow.
    pub openings: Vec<Standing>,
}

impl World {
    /// The sight that follows for a patient.
    pub fn derived(&self, patient: PatientId) -> Vec<Standing> {
        let consents = self.consents.get(&patient).into_iter().flatten().cloned();
        let given: Vec<GivenConsent> = consents.map(|consent| self.given(consent)).collect();
        let makers: Vec<Eyes> = self.makers.get(&patient).into_iter().flatten().copied().collect();
        standing::of(&PatientState::normal(patient), &given, &makers)
    }

    fn given(&self, consent: Consent) -> GivenConsent {
        let organisation = match consent.grantee {
            Grantee::Team(team) => Some(self.home_of(team)),
            Grantee::Professional(_) | Grantee::Carer(_) => None,
        };
        GivenConsent { consent, organisation }
    }

    /// Makes these teams the ones that have the patient in their care: what they had of the others is discharged.
    pub fn register(&mut self, patient: PatientId, teams: &[TeamId]) {
        let consents = self.consents.entry(patient).or_default();
        for consent in &mut *consents {
            consent.discharged = !matches!(consent.grantee, Grantee::Team(team) if teams.contains(&team));
        }
        for team in teams.iter().map(|team| Grantee::Team(*team)) {
            if !consents.iter().any(|consent| consent.grantee == team) {
                consents.push(Consent { labels: Labels::ALL, ..Consent::new(ConsentId(0), patient, team) });
            }
        }
    }

    pub fn home_of(&self, team: TeamId) -> OrganisationId {
        self.teams.iter().find(|(known, _)| *known == team).expect("a team of this world").1
    }

    /// All of it, as it is in force.
    pub fn sight(&self, patients: &[PatientId]) -> Vec<Standing> {
        let pair = |row: &Standing| (row.sight.viewer, row.sight.patient);
        let same = |one: &Standing, other: &Standing| pair(one) == pair(other);
        let derived = patients.iter().flat_map(|patient| self.derived(*patient));
        let kept = derived.filter(|row| !self.openings.iter().any(|opening| same(opening, row)));
        kept.chain(self.openings.iter().copied()).collect()
    }

    /// By which right a resource is read: a Binary also through a document that carries it and has the same source.
    pub fn read(&self, kept: &Kept, reach: &Reach, sight: &[Standing], now: Moment) -> Option<Right> {
        let items = self.opened_by(kept).map(|kept| &kept.item);
        items.filter_map(|item| right(reach, item, sight, now)).min_by_key(|right| right.number())
    }

    /// Through whose eyes: of each of the resources that give this right. Only a Binary has more than itself.
    pub fn viewer(
        &self,
        kept: &Kept,
        by: Right,
        reach: &Reach,
        sight: &[Standing],
        now: Moment,
    ) -> Vec<Option<ViewerId>> {
        let items = self.opened_by(kept).map(|kept| kept.item.clone());
        // Where it is out of reach, a record that it has left may give the right to its past.
        let past = (1..=kept.versions.len())
            .map(|version| kept.at(version))
            .filter(|_| right(reach, &kept.item, sight, now).is_none());
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
        sight: &[Standing],
        now: Moment,
    ) -> Option<Right> {
        if version == kept.versions.len() {
            return self.read(kept, reach, sight, now);
        }
        right_to_past(reach, (&kept.item, &kept.at(version)), sight, now)
    }
}
