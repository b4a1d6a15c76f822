//! The running service, with what the tests know of it.

use super::reference;
use super::reply::Reply;
use super::requests::{form_request, request};
use super::witness::Witness;
use super::{answer_file, app, clients, laid};
use axum::body::Body;
use axum::http::{Method, Request};
use axum::response::Response;
use rules::clients::ClientIds;
use rules::factors::FactorPolicy;
use rules::moment::Moment;
use service::app::bounds::ConnectionBounds;
use service::app::config::FactorSettings;
use service::app::config::LedgerTime;
use service::app::config::RequestLog;
use service::app::{Settings, Shared};
use service::formats::zone::Zone;
use service::routes::dispatch::Dispatch;
use service::secrets::throttle::Allowance;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use store::clients::Client;
use store::world::WantedGrant;
use store::{Budget, Place};

/// How browsers and clients reach the service.
pub use super::address::BASE;

/// Where requests come from, unless a test says otherwise.
pub const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The running service, with what the tests know of it.
pub struct World {
    pub app: Shared,
    pub witness: Witness,
    /// Where its data is.
    pub place: Place,
    dispatch: Arc<Dispatch>,
    directory: tempfile::TempDir,
}

impl World {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A world whose operator has set something otherwise.
    pub async fn with(set: impl FnOnce(&mut Settings)) -> Self {
        if cluster::is_postgres() {
            let settings = settings(set);
            let (place, directory) = (laid::copy().await, tempfile::tempdir().unwrap());
            let app = app::open(&place, &directory.path().join("keys"), app::patient_budget(), settings).await;
            return Self::of(app, &place, directory);
        }
        Self::embedded_with(set).await
    }

    /// A world on the embedded store, whichever engine is chosen: for what no engine can change.
    pub async fn embedded() -> Self {
        Self::embedded_with(|_| {}).await
    }

    /// The same, and its operator has set something otherwise.
    pub async fn embedded_with(set: impl FnOnce(&mut Settings)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(directory.path().join("data"));
        Self::at(&place, directory, set).await
    }

    /// A world in this database, with its files in this directory.
    pub async fn at(place: &Place, directory: tempfile::TempDir, set: impl FnOnce(&mut Settings)) -> Self {
        Self::within(app::patient_budget(), place, directory, set).await
    }

    /// The same, with these bounds for reads that can be long.
    pub async fn within(
        budget: Budget,
        place: &Place,
        directory: tempfile::TempDir,
        set: impl FnOnce(&mut Settings),
    ) -> Self {
        let app = app::open(place, &directory.path().join("keys"), budget, settings(set)).await;
        laid::lay(&app.store).await;
        Self::of(app, place, directory)
    }

    fn of(app: Shared, place: &Place, directory: tempfile::TempDir) -> Self {
        let dispatch = Arc::new(Dispatch::new(app.clone()));
        Self { app, witness: Witness::default(), place: place.clone(), dispatch, directory }
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
        store::clients::change(&self.app.store, client_id, change, self.now()).await.unwrap().unwrap();
    }

    /// An organisation grants a System Client access.
    pub async fn grants(&self, organisation: &str, product: &str) {
        self.grants_ids(organisation, product, None).await;
    }

    /// The same, with the ids that the client may choose.
    pub async fn grants_ids(&self, organisation: &str, product: &str, client_ids: Option<ClientIds>) {
        let granted = WantedGrant { client_ids, ..WantedGrant::of(organisation, clients::named(product).client_id) };
        let world = store::world::World { organisation_grants: vec![granted], ..Default::default() };
        store::world::apply(&self.app.store, world, self.now()).await.unwrap();
    }

    /// An organisation takes its grant to a System Client back.
    pub async fn withdraws(&self, organisation: &str, product: &str) {
        let home = store::organisations::find(&self.app.store, organisation).await.unwrap().unwrap();
        let client = store::clients::find(&self.app.store, clients::named(product).client_id).await.unwrap().unwrap();
        assert!(store::organisations::withdraw(&self.app.store, home.id, client.id, self.now()).await.unwrap());
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    pub async fn post_form(&self, path: &str, fields: &[(String, String)]) -> Reply {
        self.send(form_request(path, fields)).await
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        self.send_from(LOCAL, request).await
    }

    /// Sends a request from this address.
    pub async fn send_from(&self, address: IpAddr, request: Request<Body>) -> Reply {
        let (request, secrets) = self.witness.hear_request(request).await;
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.dispatch.clone().answer(request, address).await;
        let reply = Reply::read(&path, response).await;
        reference::hold(&method, &path, &reply);
        answer_file::keep(&method, &path, &reply);
        self.witness.hear_reply(&reply, &secrets);
        reply
    }

    /// The answer on its way: nobody has read it yet.
    pub fn answers(&self, request: Request<Body>) -> impl Future<Output = Response> + Send + use<> {
        self.answers_to(LOCAL, request)
    }

    /// The same, for a request from this address.
    pub fn answers_to(&self, address: IpAddr, request: Request<Body>) -> impl Future<Output = Response> + Send + use<> {
        self.dispatch.clone().answer(request, address)
    }

    /// Fires all of these at one moment, each on a task of its own, and gives the answers in their order.
    pub async fn shoots(&self, requests: Vec<Request<Body>>) -> Vec<Reply> {
        let start = Arc::new(tokio::sync::Barrier::new(requests.len()));
        let mut shots = Vec::new();
        for request in requests {
            let (request, secrets) = self.witness.hear_request(request).await;
            let (dispatch, start) = (self.dispatch.clone(), start.clone());
            let shot = tokio::spawn(async move {
                let (method, path) = (request.method().clone(), request.uri().path().to_owned());
                start.wait().await;
                let reply = Reply::read(&path, dispatch.answer(request, LOCAL).await).await;
                reference::hold(&method, &path, &reply);
                answer_file::keep(&method, &path, &reply);
                reply
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
}

fn settings(set: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = Settings {
        base_url: BASE.into(),
        attempts: 1,
        mail: None,
        api_body_bytes: rules::limits::API_BODY_BYTES,
        trust_forwarded_for: false,
        throttle: Allowance::default(),
        time_zone: Zone::UTC,
        ledger: LedgerTime::AfterAnswer,
        retention: None,
        notice_days: 730,
        glass_needs_reason: false,
        second_factor: FactorSettings {
            patient: FactorPolicy::Optional,
            clinician: FactorPolicy::Optional,
            team_coordinator: FactorPolicy::Optional,
            admin: FactorPolicy::Optional,
            privacy_officer: FactorPolicy::Optional,
            remember_days: 30,
        },
        jwks_allow_private: false,
        dpop_nonce: false,
        client_registration: false,
        connections: ConnectionBounds::default(),
        log_requests: RequestLog::Failures,
        telemetry: None,
        sandbox: true,
    };
    set(&mut settings);
    settings
}
