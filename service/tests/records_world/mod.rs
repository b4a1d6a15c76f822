//! A small world of records to call the two APIs in: two organisations, their patients, and one caller of each kind.

mod answer;
mod seeds;

pub use answer::Answer;
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, header};
use rules::moment::Moment;
use rules::scope::Scope;
pub use seeds::{document, import};
use service::app::clock::Clock;
use service::app::{App, AppParts, Settings, Shared};
use service::routes::dispatch::Dispatch;
use service::secrets::keys::Keys;
use service::secrets::tokens::{self, Kind, TokenContent};
use store::salt::Salt;
use store::sessions::{self, Holder, Opening};
use store::{Place, Store};

pub const BASE: &str = "https://records.example";
pub const NORTH: &str = "11111111-1111-4111-8111-111111111111";
pub const SOUTH: &str = "22222222-2222-4222-8222-222222222222";
pub const NOW: &str = "2026-03-01T09:00:00.000Z";
pub const BODY_LIMIT: usize = 8 * 1024;
const NOW_MS: i64 = 1_772_355_600_000;
const FHIR_JSON: &str = "application/fhir+json";

/// The running service, without a socket.
pub struct World {
    pub app: Shared,
    dispatch: Dispatch,
    _directory: tempfile::TempDir,
}

/// Somebody with a token.
pub struct Caller<'w> {
    world: &'w World,
    token: String,
    organisation: Option<&'static str>,
}

impl World {
    pub async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store =
            Store::open(&Place::parse(&cluster::database(&directory.path().join("data"))).unwrap(), 1).await.unwrap();
        let app = App::new(AppParts {
            store,
            clock: Clock::standing(Moment(NOW_MS)),
            keys: Keys::open(&directory.path().join("keys"), false).unwrap(),
            settings: Settings {
                base_url: BASE.into(),
                attempts: 1,
                api_body_bytes: BODY_LIMIT,
                trust_forwarded_for: false,
                sandbox: false,
            },
        })
        .unwrap();
        let dispatch = Dispatch::new(app.clone());
        let world = Self { app, dispatch, _directory: directory };
        seeds::sow(&world.app.store, world.now()).await;
        world
    }

    pub fn now(&self) -> Moment {
        self.app.clock.now()
    }

    /// Amina, a patient of North's diabetes team, through an app.
    pub async fn amina(&self) -> Caller<'_> {
        self.user("amina", Scope::Patient).await
    }

    /// Bert, a patient of South's renal team, through an app.
    pub async fn bert(&self) -> Caller<'_> {
        self.user("bert", Scope::Patient).await
    }

    /// Clara, a clinician of North's diabetes team, through an app.
    pub async fn clinician(&self) -> Caller<'_> {
        self.user("clara", Scope::Clinician).await
    }

    /// Cora, the Team Coordinator of North's diabetes team, through an app.
    pub async fn coordinator(&self) -> Caller<'_> {
        self.user("cora", Scope::TeamCoord).await
    }

    /// A Tethered-Token client that Cora has granted access to her team.
    pub async fn site(&self) -> Caller<'_> {
        let cora = store::people::find(&self.app.store, "cora").await.unwrap().unwrap().id;
        let team = store::organisations::find_team(&self.app.store, seeds::DIABETES).await.unwrap().unwrap().id;
        self.session("tethered", Holder::Team { team, coordinator: cora }, Scope::Site).await
    }

    /// A System Client that acts for North, which has granted it access.
    pub async fn system(&self) -> Caller<'_> {
        let client = store::clients::find(&self.app.store, "system").await.unwrap().unwrap();
        let salt = Salt::of_fingerprint(&client.secret.as_ref().unwrap().0);
        let expires_at = self.now().plus_seconds(3600);
        let said = TokenContent { kind: Kind::SystemAccess, id: client.id, generation: 7, expires_at };
        let token = tokens::seal(&self.app.keys, &salt, said).unwrap();
        Caller { world: self, token, organisation: Some(NORTH) }
    }

    /// The same System Client, acting for South, which has granted it access too.
    pub async fn system_for_south(&self) -> Caller<'_> {
        Caller { organisation: Some(SOUTH), ..self.system().await }
    }

    async fn user(&self, name: &str, scope: Scope) -> Caller<'_> {
        let user = store::people::find(&self.app.store, name).await.unwrap().unwrap().id;
        self.session("app", Holder::User(user), scope).await
    }

    async fn session(&self, client: &str, holder: Holder, scope: Scope) -> Caller<'_> {
        let client = store::clients::find(&self.app.store, client).await.unwrap().unwrap().id;
        let salt = Salt::new([9; 16]);
        let opening = Opening {
            salt: salt.clone(),
            client,
            holder,
            scope,
            scope_spelt: None,
            code: None,
            session_seconds: None,
            form: None,
        };
        let opened = sessions::open_many(&self.app.store, vec![opening], self.now()).await.unwrap();
        let id = opened.into_iter().next().flatten().unwrap();
        let expires_at = self.now().plus_seconds(86_400);
        let token =
            tokens::seal(&self.app.keys, &salt, TokenContent { kind: Kind::Access, id, generation: 1, expires_at });
        Caller { world: self, token: token.unwrap(), organisation: None }
    }

    /// Sends a request as it is.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        Answer::of(self.dispatch.answer(request).await).await
    }
}

impl Caller<'_> {
    pub async fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[]).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&'static str, &str)]) -> Answer {
        self.send(Method::GET, path, headers, String::new()).await
    }

    pub async fn head(&self, path: &str) -> Answer {
        self.send(Method::HEAD, path, &[], String::new()).await
    }

    pub async fn post(&self, path: &str, body: &serde_json::Value) -> Answer {
        self.send(Method::POST, path, &[("content-type", FHIR_JSON)], body.to_string()).await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path).body(body.into()).unwrap();
        let bearer = HeaderValue::try_from(format!("Bearer {}", self.token)).unwrap();
        request.headers_mut().insert(header::AUTHORIZATION, bearer);
        if let Some(organisation) = self.organisation {
            request.headers_mut().insert("x-org-public-id", HeaderValue::from_static(organisation));
        }
        for (name, value) in headers {
            request.headers_mut().append(*name, HeaderValue::from_str(value).unwrap());
        }
        self.world.send(request).await
    }
}
