//! Records to test with: a Patient, a letter with its content for each of two organisations and for a patient's own.

use crate::world::{NOW, World, organisation, team, user};
use fhir::limits::{Limits, Shape};
use fhir::preparation::{Preparation, prepare};
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::ids::{OrganisationId, PatientId, TeamId};
use rules::labels::{self, Coding};
use rules::limits::{RESOURCE_DEPTH, RESOURCE_TOKENS, RESOURCE_VALUES, TOKEN_BYTES};
use rules::moment::Moment;
use rules::reach::{Reach, Source};
use rules::scope::UserType;
use store::search::compile::Search;
use store::search::post_filter;
use store::write::resource_write::{self, Demand, NewResource, Outcome, Stored};
use store::write::transaction::{self, Act, Effect, Hindrance, Plan, PlanOutcome};
use store::{Store, organisations, read, world};

pub const GENERAL: &str = "f3b1c3de-9d0e-4a0b-8f53-5f2a1e0f9b02";
pub const EAST: &str = "1f0c2a74-55a3-4c4e-8b1f-6f7f4c4f0a03";
pub const UPDATED: &str = "2027-01-15T08:00:00.000Z";
pub const NHS: &str = "https://fhir.nhs.uk/Id/nhs-number";

/// The small world and a second organisation, General, with a team East and its patient Eva.
pub struct Shelf {
    pub w: World,
    pub general: OrganisationId,
    pub east: TeamId,
    pub amina: PatientId,
    pub eva: PatientId,
}

impl Shelf {
    pub async fn new() -> Self {
        let w = World::new().await;
        let second = world::World {
            organisations: vec![organisation(GENERAL, "General")],
            teams: vec![team(EAST, "East", GENERAL)],
            users: vec![user("eva", UserType::Patient, Some("eva"), &[EAST])],
            ..Default::default()
        };
        world::apply(&w.store, second, NOW).await.unwrap();
        let general = organisations::find(&w.store, GENERAL).await.unwrap().unwrap().id;
        let east = organisations::find_team(&w.store, EAST).await.unwrap().unwrap().id;
        let (amina, eva) = (w.patient("amina").await, w.patient("eva").await);
        Self { w, general, east, amina, eva }
    }

    /// Each kind of reach that sees something of its own: Amina's, Eva's, the teams', the organisations'.
    pub fn reaches(&self) -> [(&'static str, Reach); 8] {
        [
            ("amina", Reach::of_patient(self.amina)),
            ("eva", Reach::of_patient(self.eva)),
            ("nobody", Reach::of_patient(PatientId(0))),
            ("north", of_teams(&[self.w.north])),
            ("south and east", of_teams(&[self.w.south, self.east])),
            ("no team", of_teams(&[])),
            ("elsewhere", of_organisation(self.w.elsewhere)),
            ("general", of_organisation(self.general)),
        ]
    }

    pub async fn put(&self, resource: NewResource, source: Source) -> Stored {
        self.put_at(resource, source, NOW).await
    }

    pub async fn put_at(&self, resource: NewResource, source: Source, now: Moment) -> Stored {
        let stored = resource_write::put(&self.w.store, vec![resource], source, now, UPDATED.into()).await.unwrap();
        stored.into_iter().next().expect("an answer")
    }

    pub async fn put_new(&self, resource: NewResource, source: Source) {
        assert_eq!(self.put(resource, source).await.outcome, Outcome::Version(1));
    }

    pub fn by_elsewhere(&self) -> Source {
        Source::Organisation(self.w.elsewhere)
    }

    pub fn by_general(&self) -> Source {
        Source::Organisation(self.general)
    }

    pub fn by_north(&self) -> Source {
        Source::Team(self.w.north, self.w.elsewhere)
    }

    pub fn by_east(&self) -> Source {
        Source::Team(self.east, self.general)
    }

    pub fn by_amina(&self) -> Source {
        Source::Patient(self.amina)
    }

    /// Makes `teams` the teams that Amina is registered with.
    pub async fn register_amina(&self, teams: &[&str]) {
        let users = vec![user("amina", UserType::Patient, Some("amina"), teams)];
        world::apply(&self.w.store, world::World { users, ..Default::default() }, NOW).await.unwrap();
    }

    /// Who reads a resource when everybody tries.
    pub async fn readers_of(&self, resource_type: ResourceType, id: &str) -> Vec<&'static str> {
        let mut readers = Vec::new();
        for (name, reach) in self.reaches() {
            if read::read(&self.w.store, &reach, resource_type, id, NOW).await.unwrap().is_some() {
                readers.push(name);
            }
        }
        readers
    }

    /// The ids of the Patients that a search finds, the oldest first.
    pub async fn found(&self, reach: &Reach, parameters: &[(&str, &str)]) -> Vec<String> {
        let query = reading::read(ResourceType::Patient, parameters.iter().copied(), BASE, NOW.0 * 1000).unwrap();
        let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 100 };
        let page = post_filter::page(&self.w.store, reach, &search, NOW).await.unwrap();
        page.entries.iter().rev().map(|found| found.resource.id.clone()).collect()
    }
}

/// Deletes a resource for its source: by which version, or why not.
pub async fn delete(
    store: &Store,
    (resource_type, id): (ResourceType, String),
    source: Source,
    demand: Demand,
    now: Moment,
) -> Result<i64, Hindrance> {
    let plan = Plan { acts: vec![Act::Delete { resource_type, id, source, demand }], ..Plan::default() };
    match transaction::make(store, of_teams(&[]), plan, now, UPDATED.into()).await.unwrap() {
        PlanOutcome::Done(effects) => match effects[..] {
            [Effect::Deleted(version)] => Ok(version),
            _ => panic!("{effects:?}"),
        },
        PlanOutcome::Stopped(0, hindrance) => Err(hindrance),
        other => panic!("{other:?}"),
    }
}

pub fn of_teams(teams: &[TeamId]) -> Reach {
    Reach::of_teams(teams.to_vec())
}

pub fn of_organisation(organisation: OrganisationId) -> Reach {
    Reach::of_organisation(organisation)
}

fn coding(coding: &fhir::security::Coding) -> Coding<'_> {
    Coding { system: coding.system.as_deref(), code: coding.code.as_deref() }
}

/// A resource with these members behind its id, prepared as the service prepares it.
pub fn resource(resource_type: ResourceType, id: &str, members: &str) -> NewResource {
    let name = resource_type.name();
    prepared(&format!(r#"{{"resourceType":"{name}","id":"{id}"{members}}}"#)).expect("a resource")
}

const LIMITS: Limits = Limits {
    shape: Shape { depth: RESOURCE_DEPTH, values: RESOURCE_VALUES },
    tokens: RESOURCE_TOKENS,
    token_bytes: TOKEN_BYTES,
};
pub const BASE: &str = "https://records.example/fhir";

/// What somebody sends, as the service prepares it; nothing, if it is no resource.
pub fn prepared(json: &str) -> Option<NewResource> {
    labelled(prepare(json, BASE, &LIMITS).ok()?)
}

/// What a stored body says, as the service reads it.
pub fn reread(body: &str) -> Option<NewResource> {
    labelled(fhir::preparation::reread(body, BASE, &LIMITS).ok()?)
}

fn labelled(content: Preparation) -> Option<NewResource> {
    let needs = labels::needs(content.resource_type.name(), content.security.iter().map(coding));
    Some(NewResource::as_sent(content, needs.expect("one label at the most")))
}

pub fn patient(id: &str, identifiers: &[(Option<&str>, &str)]) -> NewResource {
    let identifiers: Vec<String> = identifiers.iter().map(|(system, value)| identifier(*system, value)).collect();
    resource(ResourceType::Patient, id, &format!(r#","identifier":[{}]"#, identifiers.join(",")))
}

/// A letter about a patient, with an identifier and its content in a Binary.
pub fn letter(id: &str, patient: &str, identifier_of_it: &str, binary: &str) -> NewResource {
    let members = format!(
        r#","identifier":[{}],"subject":{{"reference":"Patient/{patient}"}},"content":[{{"attachment":{{"url":"Binary/{binary}"}}}}]"#,
        identifier(None, identifier_of_it)
    );
    resource(ResourceType::DocumentReference, id, &members)
}

pub fn binary(id: &str) -> NewResource {
    resource(ResourceType::Binary, id, r#","contentType":"text/plain","data":"aGk=""#)
}

fn identifier(system: Option<&str>, value: &str) -> String {
    let system = system.map(|system| format!(r#""system":"{system}","#)).unwrap_or_default();
    format!(r#"{{{system}"value":"{value}"}}"#)
}
