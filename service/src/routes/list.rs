//! The one list of routes: method, path, who may call, and the handler. `dispatch.rs` answers by it, and the test that
//! tries every route with every wrong caller walks it.

use crate::app::Shared;
use crate::fhir;
use crate::health;
use crate::oauth;
use crate::pages;
use crate::rest;
use crate::sandbox;
use crate::voices::api::{Fhir, Rest};
use crate::voices::page::{self, Problem};
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use rules::answers::Refusal;
use std::pin::Pin;

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Anyone.
    Open,
    /// A caller of the FHIR API.
    Fhir,
    /// A caller of the FHIR API on the side of those who write documents: not a patient.
    FhirSenders,
    /// A caller of the custom REST API.
    Rest,
    /// A signed-in person.
    SignedIn,
    /// A signed-in patient.
    Patient,
    /// A signed-in Team Coordinator.
    Coordinator,
    /// Anyone, and there only in a sandbox.
    Sandbox,
}

/// An answer on its way.
type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler, whatever it takes from a request.
pub(crate) type Answering = Box<dyn Fn(Request, Shared) -> Answer + Send + Sync>;

/// One route: `GET`, which also answers `HEAD`, or `POST`. Its path may end in a free part, `{id}`.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub who: Who,
    pub(crate) answering: Answering,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({:?})", self.method, self.path, self.who)
    }
}

fn route<T: 'static, H>(method: Method, path: &'static str, who: Who, handler: H) -> Route
where
    H: Handler<T, Shared, Future = Answer> + Sync,
{
    Route { method, path, who, answering: Box::new(move |request, app| handler.clone().call(request, app)) }
}

/// Every route of the service.
#[must_use]
pub fn routes() -> Vec<Route> {
    let get = |path, who| (Method::GET, path, who);
    let post = |path, who| (Method::POST, path, who);
    macro_rules! list {
        ($($start:expr => $handler:path),* $(,)?) => {
            vec![$({ let (method, path, who) = $start; route(method, path, who, $handler) }),*]
        };
    }
    list![
        get("/apiAuthorize.action", Who::Open) => oauth::authorize::show,
        post("/apiAuthorize.action", Who::Open) => oauth::authorize::post,
        post("/apiToken.action", Who::Open) => oauth::token::token,
        get("/fhir/metadata", Who::Open) => fhir::metadata::read,
        get("/fhir/Patient", Who::Fhir) => fhir::patient::search,
        get("/fhir/Patient/{id}", Who::Fhir) => fhir::patient::read,
        post("/fhir/DocumentReference", Who::Fhir) => fhir::document_reference::create,
        get("/fhir/DocumentReference/{id}", Who::Fhir) => fhir::document_reference::read,
        post("/fhir/DocumentReference/$read-receipt-query", Who::FhirSenders) => fhir::read_receipts::query,
        get("/fhir/Binary/{id}", Who::Fhir) => fhir::binary::read,
        get("/json/users/self", Who::Rest) => rest::users::read_self,
        get("/json/v1/users/self", Who::Rest) => rest::users::read_self,
        get("/json/v2/users/self", Who::Rest) => rest::users::read_self,
        get("/json/attachments/{id}", Who::Rest) => rest::attachments::read,
        get("/json/v1/attachments/{id}", Who::Rest) => rest::attachments::read,
        get("/json/v2/attachments/{id}", Who::Rest) => rest::attachments::read,
        get("/", Who::SignedIn) => pages::home::show,
        get("/sign-in", Who::Open) => pages::sign_in::show,
        post("/sign-in", Who::Open) => pages::sign_in::post,
        post("/sign-out", Who::SignedIn) => pages::sign_in::sign_out,
        get("/connected-apps", Who::SignedIn) => pages::connected_apps::show,
        post("/connected-apps/revoke/{id}", Who::SignedIn) => pages::connected_apps::revoke,
        get("/access-log", Who::Patient) => pages::access_log::show,
        get("/coordinator/api-access", Who::Coordinator) => pages::coordinator::show,
        post("/coordinator/api-access", Who::Coordinator) => pages::coordinator::grant,
        post("/coordinator/api-access/revoke/{id}", Who::Coordinator) => pages::coordinator::revoke,
        get("/assets/{name}", Who::Open) => pages::assets::read,
        get("/healthz", Who::Open) => health::alive,
        get("/readyz", Who::Open) => health::ready,
        get("/sandbox/clock", Who::Sandbox) => sandbox::clock::read,
        post("/sandbox/clock", Who::Sandbox) => sandbox::clock::advance,
    ]
}

pub(crate) fn not_found(app: &Shared, path: &str) -> Response {
    let what = "there is nothing at this path; GET /fhir/metadata lists what the FHIR API has";
    refuse(app, path, Refusal::NotFound(what.into()), Problem::not_found())
}

pub(crate) fn wrong_method(app: &Shared, path: &str) -> Response {
    let wrong = "This page does not do that.";
    let problem = Problem::new(405, "Not like this", wrong, "Go back and try again.");
    refuse(app, path, Refusal::MethodNotAllowed, problem)
}

fn refuse(app: &Shared, path: &str, refusal: Refusal, problem: Problem) -> Response {
    if path.starts_with("/fhir/") || path == "/fhir" {
        Fhir(refusal).into_response()
    } else if path.starts_with("/json/") || path == "/apiToken.action" {
        Rest(refusal).into_response()
    } else {
        page::problem(app, problem)
    }
}
