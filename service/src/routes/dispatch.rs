//! Finds the route of a request and has it answered. What comes of it is said in the voice of the route and counted
//! under its label: nothing looks for the route a second time.

use super::list::{self, FHIR_MISSING, MISSING};
use super::report::{self, method_word};
use super::route::Route;
use super::served::served;
use crate::app::metrics::RouteMeter;
use crate::app::request_context;
use crate::app::request_id::{self, RequestId};
use crate::app::trouble::Trouble;
use crate::app::unread::{Overload, Taker};
use crate::app::{App, Shared};
use crate::callers::requirement::Who;
use crate::fhir;
use crate::formats::trace_parent::TraceParent;
use crate::http::call::Call;
use crate::http::cors;
use crate::http::delivery;
use crate::http::head;
use crate::http::origin;
use crate::http::well_known;
use crate::secrets::throttle::network;
use crate::voices::api::{ApiStop, refusal_of};
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use crate::voices::stop::{Situation, Stop, Voice};
use crate::voices::token::{NoTokens, TokenStop};
use ::fhir::types::{self, ResourceType};
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use matchit::Router;
use rules::answers::Refusal;
use rules::guidance::promises::Served;
use rules::limits::HEADER_BLOCK_BYTES;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

/// The routes of a running service, by path.
#[derive(Debug)]
pub struct Dispatch {
    app: Shared,
    paths: Router<PathRoutes>,
    /// Where no path fits.
    elsewhere: PathRoutes,
    /// The same below the FHIR API.
    elsewhere_in_fhir: PathRoutes,
    served: &'static Served,
}

/// What a path answers to; a path without routes is not there.
#[derive(Debug)]
struct PathRoutes {
    voice: Voice,
    path: &'static str,
    routes: Vec<(Route, Arc<RouteMeter>)>,
    /// Of requests that none of them is for.
    meter: Arc<RouteMeter>,
    /// The value of `Allow`.
    allowed: HeaderValue,
    /// Whether pages of other origins may call it.
    is_open: bool,
    is_of_every_type: bool,
}

/// What a page of another origin may try where nothing is, so that it hears so: every method of the list.
const EVERY_METHOD: HeaderValue = HeaderValue::from_static("GET,HEAD,POST,PUT,PATCH,DELETE");

/// Where a caller says which trace its request is a part of. As a name, because a text would be made one for each request.
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

impl PathRoutes {
    fn missing(app: &App, voice: Voice, path: &'static str) -> Self {
        let meter = app.metrics.meter(voice.label(), "other", path);
        let (is_open, is_of_every_type) = (voice.is_open(), path.contains("{type}"));
        Self { voice, path, routes: Vec::new(), meter, allowed: EVERY_METHOD, is_open, is_of_every_type }
    }

    fn add(&mut self, app: &App, route: Route) {
        self.is_open &= route.is_open;
        let meter = app.metrics.meter(route.voice.label(), method_word(&route.method), route.path);
        self.routes.push((route, meter));
        let methods = self.routes.iter().map(|(route, _)| route.method.as_str());
        let methods = methods.flat_map(|method| [Some(method), (method == "GET").then_some("HEAD")]).flatten();
        let methods = methods.collect::<Vec<_>>().join(",");
        self.allowed = HeaderValue::try_from(methods).unwrap_or(HeaderValue::from_static(""));
    }

    /// What a path has where its routes have a type of FHIR's, if that is none.
    fn wrong_type(&self, path: &str) -> Option<String> {
        if !self.is_of_every_type {
            return None;
        }
        // As it is written: what would be a type only when it is decoded could pass by the rows that a type has of its own.
        let at = self.path.split('/').position(|part| part == "{type}")?;
        let name = path.split('/').nth(at).unwrap_or_default();
        types::named(name).is_none().then(|| name.to_owned())
    }

    fn route(&self, method: &Method) -> Option<&(Route, Arc<RouteMeter>)> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        self.routes.iter().find(|(route, _)| route.method == *method)
    }
}

impl Dispatch {
    /// The routes of this service; those of the sandbox only if it is one.
    #[must_use]
    pub fn new(app: Shared) -> Self {
        let mut by_path: BTreeMap<String, PathRoutes> =
            MISSING.map(|(voice, path)| (path.to_owned(), PathRoutes::missing(&app, voice, path))).into();
        for route in list::routes().into_iter().filter(|route| app.settings.sandbox || !route.sandbox_only) {
            let missing = || PathRoutes::missing(&app, route.voice, route.path);
            let at = by_path.entry(route.path.to_owned()).or_insert_with(missing);
            at.add(&app, route);
        }
        // A path of one type has what it does not do by itself from the path of every type.
        for (path, route) in of_one_type() {
            let at = by_path.entry(path).or_insert_with(|| PathRoutes::missing(&app, route.voice, route.path));
            if at.route(&route.method).is_none() {
                at.add(&app, route);
            }
        }
        let base_url = &app.settings.base_url;
        let elsewhere = list::routes().into_iter().filter_map(|route| {
            let path = well_known::elsewhere(base_url, route.path)?;
            let mut routes = PathRoutes::missing(&app, route.voice, route.path);
            routes.add(&app, route);
            Some((literally(&path), routes))
        });
        let mut paths = Router::new();
        for (path, routes) in by_path.into_iter().chain(elsewhere) {
            // Two paths of the list that cannot be told apart: the test that walks the list finds one of them missing.
            if let Err(error) = paths.insert(path.as_str(), routes) {
                tracing::error!(path, %error, "a route cannot be reached");
            }
        }
        let elsewhere = PathRoutes::missing(&app, Voice::Page, "/{*rest}");
        let elsewhere_in_fhir = PathRoutes::missing(&app, Voice::Fhir, FHIR_MISSING.1);
        Self { app, paths, elsewhere, elsewhere_in_fhir, served: served() }
    }

    /// What a path answers to.
    fn find(&self, path: &str) -> &PathRoutes {
        // A slash behind a path of FHIR's says nothing.
        let path = path.strip_suffix('/').filter(|path| path.starts_with(FHIR_MISSING.0)).unwrap_or(path);
        match self.paths.at(path) {
            Ok(found) => found.value,
            Err(_) if path.starts_with(FHIR_MISSING.0) => &self.elsewhere_in_fhir,
            Err(_) => &self.elsewhere,
        }
    }

    /// Answers a request that came from `peer`, under an id of its own.
    pub async fn answer(&self, request: Request, peer: IpAddr) -> Response {
        let id = RequestId::of_caller(request.headers()).unwrap_or_else(|| self.app.request_ids.next());
        let parent = trace_parent(request.headers());
        let answer = pin!(self.answer_within(request, peer));
        let mut answer = request_context::within(id.clone(), parent, answer).await;
        answer.headers_mut().insert(request_id::HEADER, id.into_value());
        answer
    }

    async fn answer_within(&self, request: Request, peer: IpAddr) -> Response {
        let (began, _under_way) = (Instant::now(), self.app.metrics.begin());
        let found = self.find(request.uri().path());
        let method = request.method().clone();
        let at = Situation { app: &self.app, voice: found.voice, method: &method, path: found.path };
        let from_a_page = request.headers().contains_key(header::ORIGIN);
        let route = found.route(&method);
        let mut answer = match route {
            _ if head::bytes(&request) > HEADER_BLOCK_BYTES => {
                refuse(&at, Refusal::HeadTooLarge, Problem::head_too_large())
            }
            _ if method != Method::OPTIONS
                && let Some(name) = found.wrong_type(request.uri().path()) =>
            {
                refuse(&at, fhir::no_such_type(&name), Problem::not_found())
            }
            Some((route, _)) => {
                let address = match route.who {
                    Who::Anyone => origin::address(&self.app, request.headers(), peer),
                    _ => peer,
                };
                match (route.answer)(Call::new(self.app.clone(), request, peer, route.path, self.served)).await {
                    Ok((answer, taker)) => {
                        let answer = self.once_written(&at, answer).await;
                        let taker = || taker.unwrap_or_else(|| Taker::Network(network(address)));
                        delivery::with_room(&self.app.unread, taker, answer).unwrap_or_else(|full| overload(&at, full))
                    }
                    Err(stop) => stop.say(&at),
                }
            }
            None if found.is_open && cors::is_preflight(&method, request.headers()) => cors::preflight(&found.allowed),
            None if found.routes.is_empty() => not_found(&at),
            None => wrong_method(&at, &found.allowed),
        };
        // What a cache may keep must be readable for whoever it is given to.
        if found.is_open && (from_a_page || found.voice == Voice::Discovery) {
            cors::open(&mut answer);
        }
        let (status, taken) = (answer.status(), began.elapsed());
        route.map_or(&found.meter, |(_, meter)| meter).count(status.as_u16(), taken);
        report::tell(&self.app, &method, found.path, status, taken);
        let answer = if method == Method::HEAD { head_of(answer) } else { answer };
        as_declared(answer)
    }
}

impl Dispatch {
    /// Lets an answer go when it is written down who saw what, where that must be so before it leaves.
    async fn once_written(&self, at: &Situation<'_>, answer: Response) -> Response {
        if !self.app.settings.ledger.is_before_answer() || !matches!(at.voice, Voice::Fhir | Voice::Rest) {
            return answer;
        }
        match self.app.accesses.are_written().await {
            Ok(()) => answer,
            Err(error) => Box::new(ApiStop::from(Trouble::passing("writing down who looked", error))).say(at),
        }
    }
}

/// The routes of every type, at the paths of those types that have routes of their own. The tree of paths would not look
/// for them beside those.
fn of_one_type() -> impl Iterator<Item = (String, Route)> {
    let own = |route: &Route| types::named(route.path.strip_prefix("/fhir/")?.split('/').next()?);
    let own: BTreeSet<&str> = list::routes().iter().filter_map(own).map(ResourceType::name).collect();
    own.into_iter().flat_map(|name| {
        let of_every_type = |route: &Route| route.path.contains("{type}") && !route.except.contains(&name);
        let at = |route: Route| (route.path.replace("{type}", name), route);
        list::routes().into_iter().filter(of_every_type).map(at).collect::<Vec<_>>()
    })
}

/// The trace that a caller says its request is a part of.
fn trace_parent(headers: &HeaderMap) -> Option<TraceParent> {
    let mut all = headers.get_all(TRACE_PARENT).iter();
    let first = all.next()?;
    if all.next().is_some() {
        return None;
    }
    TraceParent::parse(first.to_str().ok()?)
}

/// A path without free parts, as the tree of paths is told it.
fn literally(path: &str) -> String {
    path.replace('{', "{{").replace('}', "}}")
}

fn not_found(at: &Situation<'_>) -> Response {
    let what = "there is nothing at this path; GET /fhir/metadata lists what the FHIR API has";
    refuse(at, Refusal::NotFound(what.into()), Problem::not_found())
}

fn wrong_method(at: &Situation<'_>, allowed: &HeaderValue) -> Response {
    let mut refused = refuse(at, Refusal::MethodNotAllowed, Problem::wrong_method());
    refused.headers_mut().insert(header::ALLOW, allowed.clone());
    refused
}

fn overload(at: &Situation<'_>, overload: Overload) -> Response {
    let problem = match overload {
        Overload::OfCaller => Problem::too_much_unread(),
        Overload::InAll => Problem::crowded(),
    };
    refuse(at, refusal_of(overload), problem)
}

fn refuse(at: &Situation<'_>, refusal: Refusal, problem: Problem) -> Response {
    match at.voice {
        Voice::Fhir | Voice::Rest | Voice::Discovery => Box::new(ApiStop::from(refusal)).say(at),
        Voice::Token => {
            Box::new(TokenStop { why: NoTokens::WrongCall(refusal), grant_type: "none", basic: false }).say(at)
        }
        Voice::Authorization | Voice::Page | Voice::Health => Box::new(PageStop::from(problem)).say(at),
    }
}

/// Whatever an answer is, no browser may take it for anything else.
fn as_declared(mut answer: Response) -> Response {
    answer.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// The answer to HEAD is that to GET, with its length and without its body.
fn head_of(answer: Response) -> Response {
    let (mut parts, body) = answer.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.entry(header::CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
