//! The one list of routes: method, path, who may call, and the handler. The router is built from it, and the test that
//! tries every route with every wrong caller walks it.

use crate::app::Shared;
use crate::page::{self, Problem};
use crate::voice::{Fhir, Rest};
use crate::{fhir, health, oauth, pages, rest, sandbox};
use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use rules::answers::Refusal;

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

/// One route.
#[derive(Debug)]
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub who: Who,
    handler: MethodRouter<Shared>,
}

fn route<T: 'static>(method: Method, path: &'static str, who: Who, handler: impl Handler<T, Shared>) -> Route {
    let filter = if method == Method::POST { MethodFilter::POST } else { MethodFilter::GET };
    Route { method, path, who, handler: on(filter, handler) }
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

/// The router of a running service. A path that is not there, or not with that method, is refused in the voice of the
/// part of the service that it belongs to.
pub fn router(app: Shared) -> Router {
    let sandbox = app.settings.sandbox;
    routes()
        .into_iter()
        .filter(|route| sandbox || route.who != Who::Sandbox)
        .fold(Router::new(), |router, route| router.route(route.path, route.handler))
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .with_state(app)
}

async fn not_found(State(app): State<Shared>, request: Request) -> Response {
    let what = "there is nothing at this path; GET /fhir/metadata lists what the FHIR API has";
    refuse(&app, request.uri().path(), Refusal::NotFound(what.into()), Problem::not_found())
}

async fn wrong_method(State(app): State<Shared>, request: Request) -> Response {
    let wrong = "This page does not do that.";
    let problem = Problem::new(405, "Not like this", wrong, "Go back and try again.");
    refuse(&app, request.uri().path(), Refusal::MethodNotAllowed, problem)
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
