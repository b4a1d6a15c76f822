//! A world on its way into the store: its people and places, and what is written in it.

use crate::bodies::{BASE, Draft, KINDS, PLACES, body, id};
use fhir::limits::{Limits, Shape};
use fhir::preparation;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::labels::{self, Coding};
use rules::moment::Moment;
use rules::reach::{Reach, Source};
use rules::scope::UserType;
use std::collections::BTreeMap;
use store::organisations;
use store::people::{PasswordHash, User};
use store::world::{WantedOrganisation, WantedTeam};
use store::write::resource_write::{self, NewResource, Outcome, Stored};
use store::{Store, patients, world};

pub const NOW: Moment = Moment(1_800_000_000_000);
pub const UPDATED: &str = "2027-01-15T08:00:00.000Z";
const LIMITS: Limits = Limits { shape: Shape { depth: 64, values: 200_000 }, tokens: 200, token_bytes: 1024 };

pub struct Stage<'s> {
    pub store: &'s Store,
    pub world: usize,
    organisation: OrganisationId,
    pub teams: Vec<TeamId>,
    pub patients: Vec<PatientId>,
    /// What is stored, by kind and place, in the order in which it first was.
    pub kept: BTreeMap<usize, (usize, String)>,
    places: BTreeMap<(usize, usize), (usize, Source)>,
}

impl<'s> Stage<'s> {
    /// Two teams of one organisation: the first has the first patient, the second has the first two.
    pub async fn set(store: &'s Store, world: usize) -> Self {
        let name = |what: &str, at: usize| format!("{what}-{at}-of-{world}");
        let (home, teams) = (name("organisation", 0), [name("team", 0), name("team", 1)]);
        let registered = [teams.to_vec(), vec![teams[1].clone()], vec![]];
        let declared = world::World {
            organisations: vec![organisation(&home)],
            teams: teams.iter().map(|team| WantedTeam::of(team, team, &home)).collect(),
            users: (0..PLACES).map(|at| (patient(&id(0, at, world)), registered[at].clone())).collect(),
            ..world::World::default()
        };
        world::apply(store, declared, NOW).await.unwrap();
        let organisation = organisations::find(store, &home).await.unwrap().unwrap().id;
        let mut stage = Self {
            store,
            world,
            organisation,
            teams: Vec::new(),
            patients: Vec::new(),
            kept: BTreeMap::new(),
            places: BTreeMap::new(),
        };
        for team in &teams {
            stage.teams.push(organisations::find_team(store, team).await.unwrap().unwrap().id);
        }
        for at in 0..PLACES {
            stage.patients.push(patients::find(store, &id(0, at, world)).await.unwrap().unwrap());
        }
        stage
    }

    /// Writes it; what is there already is written anew by its own source.
    pub async fn write(&mut self, draft: &Draft) {
        let place = (draft.kind, draft.place);
        let order = self.places.len();
        let source = self.places.get(&place).map_or_else(|| self.source(draft.maker), |(_, source)| *source);
        let stored = self.put(&body(draft, self.world), source).await;
        if stored.outcome != Outcome::Unchanged {
            let (order, _) = *self.places.entry(place).or_insert((order, source));
            self.kept.insert(order, (draft.kind, stored.body));
        }
    }

    /// Writes a body as it is.
    pub async fn put(&self, body: &str, source: Source) -> Stored {
        let content = preparation::prepare(body, BASE, &LIMITS).expect("a sound body");
        let codings = content.security.iter();
        let codings = codings.map(|coding| Coding { system: coding.system.as_deref(), code: coding.code.as_deref() });
        let needs = labels::needs(content.resource_type.name(), codings).expect("one label at the most");
        let new = NewResource::as_sent(content, needs);
        let mut stored = resource_write::put(self.store, vec![new], source, NOW, UPDATED.into()).await.unwrap();
        stored.remove(0)
    }

    fn source(&self, maker: usize) -> Source {
        match maker {
            0 => Source::Organisation(self.organisation),
            1 => Source::Patient(self.patients[0]),
            other => Source::Team(self.teams[other - 2], self.organisation),
        }
    }

    pub fn reaches(&self) -> Vec<Reach> {
        let all = Reach::of_organisation_through(self.organisation, self.teams.clone());
        let one = |team: usize| Reach::of_teams(vec![self.teams[team]]);
        vec![all, one(0), one(1), Reach::of_patient(self.patients[0]), Reach::of_teams(vec![])]
    }

    /// The kind and id of everything, the newest first.
    pub fn newest_first(&self) -> Vec<(&'static str, String)> {
        let mut places: Vec<_> = self.places.iter().map(|(place, (order, _))| (*order, *place)).collect();
        places.sort_unstable();
        places.into_iter().rev().map(|(_, (kind, at))| (KINDS[kind], id(kind, at, self.world))).collect()
    }
}

pub fn organisation(name: &str) -> WantedOrganisation {
    WantedOrganisation::of(name, name)
}

fn patient(name: &str) -> User {
    User {
        id: UserId(0),
        name: name.into(),
        username: name.into(),
        password_hash: PasswordHash("nobody signs in".into()),
        user_type: UserType::Patient,
        patient_id: Some(name.into()),
        frozen_at: None,
        deceased: false,
        record_frozen: false,
        organisation: None,
    }
}
