//! A store with a clinic, its patient, a session, and as many patients elsewhere as one identifier finds.

use fhir::limits::{Limits, Shape};
use fhir::preparation;
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::clients::ClientKind;
use rules::ids::{ClientId, OrganisationId, SessionId, UserId};
use rules::labels::Needs;
use rules::moment::Moment;
use rules::reach::{Reach, Right, Source};
use rules::scope::{Scope, ScopeEcho, UserType};
use store::clients::Client;
use store::opening::{Holder, Opening, SessionChoice};
use store::people::{PasswordHash, User};
use store::salt::Salt;
use store::search::compile::{Match, Search};
use store::search::post_filter;
use store::world::{WantedOrganisation, WantedTeam};
use store::write::resource_write::{self, NewResource};
use store::{Result, Store, bearer, clients, opening, organisations, people, read, world};

pub const NOW: Moment = Moment(1_800_000_000_000);
/// What people write who know no number.
pub const PLACEHOLDER: &str = "0000000000";
const LIMITS: Limits = Limits { shape: Shape { depth: 64, values: 200_000 }, tokens: 200, token_bytes: 1024 };

pub struct World {
    pub store: Store,
    /// The clinic's eyes, and those of another organisation, whose patients are out of the clinic's reach.
    pub clinic: Reach,
    pub elsewhere: OrganisationId,
    session: SessionId,
}

impl World {
    pub async fn new(store: Store) -> Self {
        let declared = world::World {
            organisations: ["hospital", "elsewhere"].map(organisation).into(),
            teams: vec![team("clinic", "hospital")],
            users: vec![user("amina", UserType::Patient, Some("amina")), user("grey", UserType::Clinician, None)],
            patients: vec![],
            consents: Vec::new(),
            clients: vec![client()],
            organisation_grants: vec![],
        };
        world::apply(&store, declared, NOW).await.unwrap();
        let hospital = organisations::find(&store, "hospital").await.unwrap().unwrap().id;
        put(&store, &["amina".to_owned()], Source::Organisation(hospital)).await;
        Self::found(store).await
    }

    /// The same in a store that holds it already.
    pub async fn found(store: Store) -> Self {
        let clinic = organisations::find_team(&store, "clinic").await.unwrap().unwrap().id;
        let elsewhere = organisations::find(&store, "elsewhere").await.unwrap().unwrap().id;
        let session = session(&store).await;
        Self { store, clinic: Reach::of_teams(vec![clinic]), elsewhere, session }
    }

    /// Makes so many patients elsewhere, each with the placeholder for an identifier.
    pub async fn fill(&self, patients: usize) {
        let ids: Vec<String> = (0..patients).map(|number| format!("stranger-{number}")).collect();
        for batch in ids.chunks(500) {
            put(&self.store, batch, Source::Organisation(self.elsewhere)).await;
        }
    }

    /// All patients of the placeholder that a reach holds.
    pub async fn search(&self, reach: &Reach) -> Result<Vec<Match>> {
        self.ask(reach, ("identifier", PLACEHOLDER)).await
    }

    /// A search that finds its one row at once.
    pub async fn few(&self) -> Result<Vec<Match>> {
        self.ask(&self.clinic, ("_id", "amina")).await
    }

    async fn ask(&self, reach: &Reach, parameter: (&str, &str)) -> Result<Vec<Match>> {
        let query = reading::read(ResourceType::Patient, [parameter], "https://records.example/fhir", 0).unwrap();
        let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 1_000_000 };
        Ok(post_filter::page(&self.store, reach, &search, NOW).await?.entries)
    }

    /// Reads a resource by a consent, which is asked of the database every time, and who calls.
    pub async fn reads_one_row(&self) {
        let found = read::read(&self.store, &self.clinic, ResourceType::Patient, "amina", NOW).await.unwrap();
        assert_eq!(found.expect("in reach").right, Right::Consent);
        let bearer = bearer::find(&self.store, self.session).await.unwrap().expect("the session");
        assert_eq!(bearer.scope, Scope::Clinician);
    }
}

async fn put(store: &Store, ids: &[String], source: Source) {
    let resource = |id: &String| {
        let body = format!(r#"{{"resourceType":"Patient","id":"{id}","identifier":[{{"value":"{PLACEHOLDER}"}}]}}"#);
        let content = preparation::prepare(&body, "https://records.example.org/fhir", &LIMITS).unwrap();
        NewResource::as_sent(content, Needs::NONE)
    };
    let resources = ids.iter().map(resource).collect();
    resource_write::put(store, resources, source, NOW, "2027-01-15T08:00:00.000Z".into()).await.unwrap();
}

async fn session(store: &Store) -> SessionId {
    let client = clients::find(store, "board").await.unwrap().unwrap().id;
    let user = people::find(store, "grey").await.unwrap().unwrap().id;
    let opening = Opening {
        salt: Salt::new([7; 16]),
        client,
        holder: Holder::User(user),
        choice: SessionChoice::default(),
        scope: Scope::Clinician,
        scope_spelt: None,
        smart_scopes: None,
        nonce: None,
        authenticated_at: None,
        sign_in: None,
        factor: None,
        code: None,
        session_seconds: None,
        form: None,
        login: None,
    };
    opening::open(store, opening, NOW).await.unwrap().expect("a session")
}

fn organisation(name: &str) -> WantedOrganisation {
    WantedOrganisation::of(name, name)
}

fn team(name: &str, organisation: &str) -> WantedTeam {
    WantedTeam::of(name, name, organisation)
}

/// A patient of the clinic, or a member of it.
fn user(username: &str, user_type: UserType, patient: Option<&str>) -> (User, Vec<String>) {
    let user = User {
        id: UserId(0),
        username: username.into(),
        password_hash: PasswordHash("nobody signs in".into()),
        user_type,
        name: username.into(),
        patient_id: patient.map(String::from),
        frozen_at: None,
        deceased: false,
        record_frozen: false,
        organisation: None,
    };
    (user, vec!["clinic".into()])
}

fn client() -> Client {
    Client {
        id: ClientId(0),
        client_id: "board".into(),
        kind: ClientKind::User,
        owner: "Nightjar Health Ltd".into(),
        product: "Board".into(),
        redirect_uris: vec!["https://board.example/callback".into()],
        scopes: vec![Scope::Clinician],
        secret: None,
        keys: Vec::new(),
        jwks_url: None,
        session_seconds: None,
        access_seconds: 600,
        refresh_tokens: true,
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
