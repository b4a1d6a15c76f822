//! Records to test with: a Patient, a letter with its content for each of two organisations and for a patient's own.

use crate::world::{NOW, World, organisation, team, user};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::UserType;
use store::records;
use store::searching::{self, Sought, SystemAsked, TokenAsked};
use store::writing::{self, CutBody, From, NewResource, Stored, Token, Written};
use store::{organisations, world};

pub const GENERAL: &str = "f3b1c3de-9d0e-4a0b-8f53-5f2a1e0f9b02";
pub const EAST: &str = "1f0c2a74-55a3-4c4e-8b1f-6f7f4c4f0a03";
pub const UPDATED: &str = "2027-01-15T08:00:00.000Z";
pub const NHS: &str = "https://fhir.nhs.uk/Id/nhs-number";

/// The small world and a second organisation, General, with a team East and its patient Eva.
pub struct Shelf {
    pub w: World,
    pub general: i64,
    pub east: i64,
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
        Self { w, general, east }
    }

    /// Each kind of reach that sees something of its own: Amina's, Eva's, the teams', the organisations'.
    pub fn reaches(&self) -> [(&'static str, Reach); 8] {
        [
            ("amina", Reach::Patient("amina".into())),
            ("eva", Reach::Patient("eva".into())),
            ("nobody", Reach::Patient(String::new())),
            ("north", Reach::Teams(vec![self.w.north])),
            ("south and east", Reach::Teams(vec![self.w.south, self.east])),
            ("no team", Reach::Teams(vec![])),
            ("elsewhere", Reach::Organisation(self.w.elsewhere)),
            ("general", Reach::Organisation(self.general)),
        ]
    }

    pub async fn put(&self, resource: NewResource, from: From) -> Stored {
        self.put_at(resource, from, NOW).await
    }

    pub async fn put_at(&self, resource: NewResource, from: From, now: Moment) -> Stored {
        let stored = writing::put(&self.w.store, vec![resource], from, now, UPDATED.into()).await.unwrap();
        stored.into_iter().next().expect("an answer")
    }

    pub async fn put_new(&self, resource: NewResource, from: From) {
        assert_eq!(self.put(resource, from).await.written, Written::Version(1));
    }

    pub fn of_elsewhere(&self) -> From {
        From { organisation: Some(self.w.elsewhere), ..From::default() }
    }

    pub fn of_general(&self) -> From {
        From { organisation: Some(self.general), ..From::default() }
    }

    /// Who reads a resource when everybody tries.
    pub async fn readers_of(&self, type_name: &str, id: &str) -> Vec<&'static str> {
        let mut readers = Vec::new();
        for (name, reach) in self.reaches() {
            if records::read(&self.w.store, &reach, type_name, id).await.unwrap().is_some() {
                readers.push(name);
            }
        }
        readers
    }

    /// The ids of the Patients that a search finds.
    pub async fn found(&self, reach: &Reach, token: &TokenAsked) -> Vec<String> {
        self.found_of(reach, None, Some(std::slice::from_ref(token))).await
    }

    /// The ids of the Patients that have one of the ids, one of the tokens, or both.
    pub async fn found_of(&self, reach: &Reach, ids: Option<&[&str]>, tokens: Option<&[TokenAsked]>) -> Vec<String> {
        let ids: Option<Vec<String>> = ids.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect());
        let tokens = tokens.map(|tokens| ("identifier", tokens));
        let sought = Sought { type_name: "Patient", ids: ids.as_deref(), tokens, after: 0, limit: 100 };
        let found = searching::search(&self.w.store, reach, &sought).await.unwrap();
        found.into_iter().map(|resource| resource.body.split('"').nth(7).unwrap_or_default().to_owned()).collect()
    }
}

/// A resource whose body has its id as the second member.
pub fn resource(type_name: &str, id: &str, patient: Option<&str>, tokens: Vec<Token>) -> NewResource {
    let before = format!(r#"{{"resourceType":"{type_name}","id":"{id}","meta":{{"#);
    NewResource {
        type_name: type_name.into(),
        fhir_id: id.into(),
        patient_id: patient.map(String::from),
        tokens,
        body: CutBody { before, after: "}}".into() },
    }
}

pub fn patient(id: &str, identifiers: &[(Option<&str>, &str)]) -> NewResource {
    let tokens = identifiers.iter().map(|(system, value)| token("identifier", *system, value)).collect();
    resource("Patient", id, Some(id), tokens)
}

/// A letter about a patient, with an identifier and its content in a Binary.
pub fn letter(id: &str, patient: &str, identifier: &str, binary: &str) -> NewResource {
    let tokens = vec![token("identifier", None, identifier), token("content", None, binary)];
    resource("DocumentReference", id, Some(patient), tokens)
}

pub fn token(parameter: &'static str, system: Option<&str>, value: &str) -> Token {
    Token { parameter, system: system.map(String::from), value: value.into() }
}

pub fn asked(system: SystemAsked, value: &str) -> TokenAsked {
    TokenAsked { system, value: value.into() }
}
