//! A small world to test the service in: two organisations, their people, their records and one client of each make.
//! Everything goes through the routes, with a clock that stands still until it is told to move.
#![expect(dead_code, reason = "every test binary uses its own part of this kit")]

pub mod browser;
pub mod calls;
pub mod client_app;
pub mod clients;
pub mod page;
pub mod people;
pub mod records;
pub mod reply;
pub mod secrets;
pub mod token_reply;

use axum::body::Body;
use axum::http::{Method, Request, header};
use client_app::ClientApp;
use people::Person;
use reply::Reply;
use rules::moment::Moment;
use secrets::Witness;
use service::app::clock::Clock;
use service::app::{App, AppParts, Settings, Shared};
use service::http::origin::Peer;
use service::routes::dispatch::Dispatch;
use service::secrets::keys::Keys;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use store::clients::Client;
use store::organisations::{self, Organisation, Team};
use store::{Place, Store};

/// 2026-11-15T09:30:00Z.
pub const START: Moment = Moment(1_794_735_000_000);
pub const RIVERSIDE: &str = "3b241101-e2bb-4255-8caf-4136c566a962";
pub const HILLSIDE: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
pub const RIVERSIDE_TEAM: &str = "16fd2706-8baf-433b-82eb-8c7fada847da";
pub const HILLSIDE_TEAM: &str = "886313e1-3b8a-4372-9b90-0c9aee199e5d";
pub const MINUTE: i64 = 60;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// The running service, with what the tests know of it.
pub struct World {
    pub app: Shared,
    pub witness: Witness,
    dispatch: Arc<Dispatch>,
    directory: tempfile::TempDir,
}

impl World {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A world whose operator has set something otherwise.
    pub async fn with(set: impl FnOnce(&mut Settings)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let database = cluster::database(&directory.path().join("data"));
        Self::on(&database, directory, set).await
    }

    /// A world in this database, with its files in this directory.
    pub async fn on(database: &str, directory: tempfile::TempDir, set: impl FnOnce(&mut Settings)) -> Self {
        Self::at(&Place::parse(database).unwrap(), directory, set).await
    }

    pub async fn at(place: &Place, directory: tempfile::TempDir, set: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings {
            base_url: "http://records.test".into(),
            attempts: 1,
            api_body_bytes: rules::limits::API_BODY_BYTES,
            trust_forwarded_for: false,
            sandbox: true,
        };
        set(&mut settings);
        let store = Store::open(place, 1).await.unwrap();
        store::world::apply(&store, declared(), START).await.unwrap();
        records::put_all(&store).await;
        let app = App::new(AppParts {
            store,
            clock: Clock::standing(START),
            keys: Keys::open(&directory.path().join("keys"), false).unwrap(),
            settings,
        })
        .unwrap();
        let dispatch = Arc::new(Dispatch::new(app.clone()));
        Self { app, witness: Witness::default(), dispatch, directory }
    }

    pub fn amina(&self) -> Person<'_> {
        Person { world: self, about: &people::AMINA }
    }

    pub fn ben(&self) -> Person<'_> {
        Person { world: self, about: &people::BEN }
    }

    pub fn dr_okafor(&self) -> Person<'_> {
        Person { world: self, about: &people::OKAFOR }
    }

    pub fn grace(&self) -> Person<'_> {
        Person { world: self, about: &people::GRACE }
    }

    /// The Team Coordinator of the other organisation.
    pub fn henry(&self) -> Person<'_> {
        Person { world: self, about: &people::HENRY }
    }

    pub fn admin(&self) -> Person<'_> {
        Person { world: self, about: &people::ADMIN }
    }

    /// The client that goes by this product name.
    pub fn client(&self, product: &str) -> ClientApp<'_> {
        ClientApp { world: self, about: clients::named(product) }
    }

    /// Where the service keeps its files.
    pub fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    pub fn now(&self) -> Moment {
        self.app.clock.now()
    }

    pub fn after(&self, seconds: i64) {
        self.app.clock.advance_seconds(seconds);
    }

    /// The operator changes a client's registration.
    pub async fn change(&self, product: &str, change: impl FnOnce(&mut Client) + Send + 'static) {
        let client_id = clients::named(product).client_id.to_owned();
        store::clients::change(&self.app.store, client_id, change).await.unwrap().unwrap();
    }

    /// An organisation grants a System Client access.
    pub async fn grants(&self, organisation: &str, product: &str) {
        let granted = (organisation.to_owned(), clients::named(product).client_id.to_owned());
        let world = store::world::World { organisation_grants: vec![granted], ..Default::default() };
        store::world::apply(&self.app.store, world, self.now()).await.unwrap();
    }

    /// An organisation takes its grant to a System Client back.
    pub async fn withdraws(&self, organisation: &str, product: &str) {
        let home = organisations::find(&self.app.store, organisation).await.unwrap().unwrap();
        let client = store::clients::find(&self.app.store, clients::named(product).client_id).await.unwrap().unwrap();
        assert!(organisations::withdraw(&self.app.store, home.id, client.id, self.now()).await.unwrap());
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    pub async fn post_form(&self, path: &str, fields: &[(String, String)]) -> Reply {
        self.send(form_request(path, fields)).await
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let (request, secrets) = self.witness.hear_request(request).await;
        let path = request.uri().path().to_owned();
        let response = self.dispatch.answer(request).await;
        let reply = Reply::read(&path, response).await;
        self.witness.hear_reply(&reply, &secrets);
        reply
    }

    /// Fires all of these at one moment, each on a task of its own, and gives the answers in their order.
    pub async fn shoots(&self, requests: Vec<Request<Body>>) -> Vec<Reply> {
        let start = Arc::new(tokio::sync::Barrier::new(requests.len()));
        let mut shots = Vec::new();
        for request in requests {
            let (request, secrets) = self.witness.hear_request(request).await;
            let (dispatch, start) = (self.dispatch.clone(), start.clone());
            let shot = tokio::spawn(async move {
                let path = request.uri().path().to_owned();
                start.wait().await;
                Reply::read(&path, dispatch.answer(request).await).await
            });
            shots.push((shot, secrets));
        }
        let mut replies = Vec::new();
        for (shot, secrets) in shots {
            let reply = shot.await.unwrap();
            self.witness.hear_reply(&reply, &secrets);
            replies.push(reply);
        }
        replies
    }

    /// Sends a request from this address.
    pub async fn send_from(&self, address: IpAddr, mut request: Request<Body>) -> Reply {
        request.extensions_mut().insert(Peer(SocketAddr::new(address, 50_000)));
        self.send(request).await
    }
}

pub fn request(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path)
}

pub fn form_request(path: &str, fields: &[(String, String)]) -> Request<Body> {
    request(Method::POST, path)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(encoded(fields)))
        .unwrap()
}

pub fn encoded(fields: &[(String, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Pairs of parameters, without one or with one set otherwise.
pub fn fields<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

pub fn without(fields: &[(String, String)], name: &str) -> Vec<(String, String)> {
    fields.iter().filter(|(known, _)| known != name).cloned().collect()
}

pub fn with(fields: &[(String, String)], name: &str, value: &str) -> Vec<(String, String)> {
    without(fields, name).into_iter().chain([(name.to_owned(), value.to_owned())]).collect()
}

fn declared() -> store::world::World {
    let organisation =
        |public_id: &str, name: &str| Organisation { id: 0, public_id: public_id.into(), name: name.into() };
    let team = |public_id: &str, name: &str, home: &str| {
        let team = Team {
            id: 0,
            public_id: public_id.into(),
            organisation: 0,
            organisation_name: String::new(),
            name: name.into(),
        };
        (team, home.to_owned())
    };
    store::world::World {
        organisations: vec![organisation(RIVERSIDE, "Riverside"), organisation(HILLSIDE, "Hillside")],
        teams: vec![
            team(RIVERSIDE_TEAM, "Riverside Diabetes Team", RIVERSIDE),
            team(HILLSIDE_TEAM, "Hillside Practice", HILLSIDE),
        ],
        users: people::users(),
        clients: clients::all(),
        organisation_grants: vec![(RIVERSIDE.into(), clients::named("Lab Link").client_id.into())],
    }
}
