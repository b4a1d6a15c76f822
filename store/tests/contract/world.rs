//! A small world to test in: one organisation, two teams, users of each type, one client of each kind.

use crate::home::Home;
use rules::clients::ClientKind;
use rules::ids::{ClientId, OrganisationId, PatientId, TeamId, UserId};
use rules::lifecycle::Terms;
use rules::moment::Moment;
use rules::scope::{Scope, ScopeEcho, ScopeSet, UserType};
use std::sync::Arc;
use store::Store;
use store::clients::{self, Client, Fingerprint, Registration};
use store::ledger::{self, Event, LedgerSpan};
use store::organisations;
use store::patients;
use store::people::{self, PasswordHash, User};
use store::world::{self, WantedGrant, WantedOrganisation, WantedTeam, World as Declared};

/// When every test begins.
pub const NOW: Moment = Moment(1_800_000_000_000);
/// What the contract says of a client that has nothing of its own registered.
pub const TERMS: Terms =
    Terms { access_seconds: 600, refresh_tokens: true, retry_seconds: 0, scopes: ScopeSet::ALL, may_change_key: false };

/// A client of the contract that presents a token.
pub const fn registered(client: ClientId, terms: Terms) -> Registration {
    Registration { client, terms, smart_scopes: Vec::new(), key: None }
}

pub const ELSEWHERE: &str = "8e9a4b52-6a5c-4b7e-9d35-0d3f0a4a1c11";
pub const NORTH: &str = "1f0c2a74-55a3-4c4e-8b1f-6f7f4c4f0a01";
pub const SOUTH: &str = "1f0c2a74-55a3-4c4e-8b1f-6f7f4c4f0a02";

/// An open store with the small world in it.
pub struct World {
    pub store: Arc<Store>,
    pub home: Home,
    pub elsewhere: OrganisationId,
    pub north: TeamId,
    pub south: TeamId,
    pub amina: UserId,
    pub sleep_diary: ClientId,
}

impl World {
    pub async fn new() -> Self {
        Self::at(Home::new()).await
    }

    /// The small world in a new store.
    pub async fn at(home: Home) -> Self {
        let store = Store::open(&home.place(), 1).await.expect("a new store");
        world::apply(&store, declared(), NOW).await.expect("the small world");
        Self::around(store, home).await
    }

    async fn around(store: Store, home: Home) -> Self {
        let elsewhere = organisations::find(&store, ELSEWHERE).await.unwrap().expect("the organisation").id;
        let north = organisations::find_team(&store, NORTH).await.unwrap().expect("the team North").id;
        let south = organisations::find_team(&store, SOUTH).await.unwrap().expect("the team South").id;
        let amina = people::find(&store, "amina").await.unwrap().expect("Amina").id;
        let sleep_diary = clients::find(&store, "sleep-diary").await.unwrap().expect("Sleep Diary").id;
        Self { store: Arc::new(store), home, elsewhere, north, south, amina, sleep_diary }
    }

    /// Closes the store and opens it again: from here on only what is on disk is there.
    pub async fn reopened(self) -> Self {
        drop(Arc::into_inner(self.store).expect("nobody else holds the store"));
        let store = Store::open(&self.home.place(), 1).await.expect("the same store again");
        Self::around(store, self.home).await
    }

    pub async fn user(&self, username: &str) -> User {
        people::find(&self.store, username).await.unwrap().expect("a user of the small world")
    }

    pub async fn client(&self, client_id: &str) -> Client {
        clients::find(&self.store, client_id).await.unwrap().expect("a client of the small world").as_ref().clone()
    }

    /// The number of a patient that we have heard of.
    pub async fn patient(&self, fhir_id: &str) -> PatientId {
        patients::find(&self.store, fhir_id).await.unwrap().expect("a patient of the small world")
    }

    /// How many lines of the ledger tell of this.
    pub async fn noted(&self, event: Event) -> usize {
        noted(&self.store, event).await
    }

    /// The first column of the first row, asked behind the store's back.
    pub fn count(&self, sql: &str) -> i64 {
        self.home.count(sql)
    }
}

/// How many lines of a store's ledger tell of this.
pub async fn noted(store: &Store, event: Event) -> usize {
    ledger::add(store, NOW).await.expect("what waits is added");
    let mut count = 0;
    let counted = |_| {
        count += 1;
        true
    };
    ledger::each(store, LedgerSpan::ALL, |line| line.event == event, counted).await.expect("the ledger");
    count
}

/// The small world as a file would declare it.
pub fn declared() -> Declared {
    Declared {
        organisations: vec![organisation(ELSEWHERE, "St Elsewhere")],
        teams: vec![team(NORTH, "North", ELSEWHERE), team(SOUTH, "South", ELSEWHERE)],
        users: vec![
            user("amina", UserType::Patient, Some("amina"), &[NORTH]),
            user("ben", UserType::Patient, Some("ben"), &[SOUTH]),
            user("clara", UserType::Clinician, None, &[NORTH]),
            user("cora", UserType::TeamCoord, None, &[NORTH]),
            user("ada", UserType::Admin, None, &[]),
        ],
        patients: Vec::new(),
        consents: Vec::new(),
        clients: vec![
            client("sleep-diary", ClientKind::User),
            client("letters", ClientKind::System),
            client("ward-board", ClientKind::Tethered),
        ],
        organisation_grants: vec![WantedGrant::of(ELSEWHERE, "letters")],
    }
}

pub fn organisation(public_id: &str, name: &str) -> WantedOrganisation {
    WantedOrganisation::of(public_id, name)
}

pub fn team(public_id: &str, name: &str, organisation: &str) -> WantedTeam {
    WantedTeam::of(public_id, name, organisation)
}

pub fn user(username: &str, user_type: UserType, patient: Option<&str>, teams: &[&str]) -> (User, Vec<String>) {
    let user = User {
        id: UserId(0),
        username: username.into(),
        password_hash: PasswordHash(format!("the hash of {username}'s password")),
        user_type,
        name: username.to_uppercase(),
        patient_id: patient.map(String::from),
        frozen_at: None,
        deceased: false,
        record_frozen: false,
        organisation: None,
    };
    (user, teams.iter().map(|team| (*team).to_owned()).collect())
}

pub fn client(client_id: &str, kind: ClientKind) -> Client {
    let of_users = kind == ClientKind::User;
    Client {
        id: ClientId(0),
        client_id: client_id.into(),
        kind,
        owner: "Acme Health".into(),
        product: client_id.to_uppercase(),
        redirect_uris: if of_users { vec!["https://app.example/back".into()] } else { Vec::new() },
        scopes: if of_users { vec![Scope::Patient, Scope::Clinician, Scope::TeamCoord] } else { Vec::new() },
        secret: (kind == ClientKind::System).then_some(Fingerprint([7; 32])),
        keys: Vec::new(),
        jwks_url: None,
        session_seconds: kind.has_session().then_some(90 * 86_400),
        access_seconds: kind.access_seconds(),
        refresh_tokens: kind.has_session(),
        require_pkce: false,
        retry_seconds: 0,
        scope_echo: ScopeEcho::Lower,
        redirect_extra_query: false,
        may_introspect: false,
        smart_scopes: Vec::new(),
        user_types: Vec::new(),
        id_token_algorithm: None,
        sector: None,
        default_organisation: None,
        require_par: false,
        dpop_bound: false,
        pkce_when_sent: false,
        launch_url: None,
        post_logout_redirect_uris: Vec::new(),
        registration: None,
        unchecked: false,
        disabled_at: None,
    }
}
