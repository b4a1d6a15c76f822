//! Finds the route of a request and has it answered. What comes of it is said in the voice of the route and counted
//! under its label: nothing looks for the route a second time.

use super::operations;
use super::paths::{PathNumber, Paths};
use super::report;
use super::route::Answer;
use super::served::served;
use super::wrong_place;
use crate::app::Shared;
use crate::app::request_context;
use crate::app::request_id::{self, RequestId};
use crate::app::response_budget::{Overload, Taker};
use crate::callers::proof;
use crate::callers::requirement::Who;
use crate::formats::answer_coding::AnswerCoding;
use crate::formats::trace_parent::TraceParent;
use crate::http::call::Call;
use crate::http::compression;
use crate::http::cors;
use crate::http::delivery;
use crate::http::head;
use crate::http::origin;
use crate::http::pacing;
use crate::interactions::absence;
use crate::secrets::throttle::network;
use crate::voices::api::{ApiStop, refusal_of};
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use crate::voices::stop::{Situation, Stop, Voice};
use crate::voices::token::{NoTokens, TokenStop};
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use rules::answers::Refusal;
use rules::guidance::served::Served;
use rules::limits::HEADER_BLOCK_BYTES;
use rules::rest_errors::RestError;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;
use store::caller_key;

/// Has requests answered, by the routes of a running service.
#[derive(Debug)]
pub struct Dispatch {
    app: Shared,
    paths: Arc<Paths>,
    served: &'static Served,
}

/// A request that its route has taken over.
struct Begun {
    began: Instant,
    path: PathNumber,
    method: Method,
    /// Whether it came from a page of another origin.
    from_a_page: bool,
    address: IpAddr,
    /// How a large answer may be compressed.
    coding: Option<AnswerCoding>,
    /// Whether whoever sent it needs a nonce for the next proof of a key.
    needs_nonce: bool,
    destination: Destination,
}

/// What becomes of a request.
enum Destination {
    Route(Answer),
    HeadTooLarge,
    /// There is no type of this name.
    WrongType(String),
    /// There is no operation of this name here.
    NoOperation(String),
    /// A program asks for an API where it is not.
    WrongPlace(Voice, Refusal),
    Preflight,
    NotFound,
    WrongMethod,
}

/// Where a caller says which trace its request is a part of. As a name, because a text would be made one for each request.
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// The header that says what a caller gets of the record that the call names.
const RECORD_VIEW_HEADER: HeaderName = HeaderName::from_static("record-view");

impl Dispatch {
    #[must_use]
    pub fn new(app: Shared) -> Self {
        let paths = Arc::new(Paths::of(&app));
        Self { app, paths, served: served() }
    }

    /// The same for one connection, which shares no count of holders with the others.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { app: self.app.apart(), paths: self.paths.clone(), served: self.served }
    }

    /// Answers a request that came from `peer`, under an id of its own. Its route takes it over before anything waits: what a
    /// future is given it keeps room for to its end, and it is copied as a whole.
    pub fn answer(self: Arc<Self>, request: Request, peer: IpAddr) -> impl Future<Output = Response> + Send {
        let id = RequestId::of_caller(request.headers()).unwrap_or_else(|| self.app.request_ids.next());
        let parent = trace_parent(request.headers());
        let mut begun = self.begin(request, peer);
        async move {
            let answer = pin!(caller_key::scope(self.finish(&mut begun)));
            let mut answer = request_context::within(id.clone(), parent, answer).await;
            answer.headers_mut().insert(request_id::HEADER, id.into_value());
            answer
        }
    }

    /// Finds the route of a request and gives it the request.
    fn begin(&self, request: Request, peer: IpAddr) -> Begun {
        let began = Instant::now();
        let path = self.paths.find(request.uri().path());
        let (found, method) = (self.paths.at(path), request.method().clone());
        let from_a_page = request.headers().contains_key(header::ORIGIN);
        let is_of_records = matches!(found.voice, Voice::Fhir | Voice::Rest);
        let coding = if is_of_records { compression::wanted(&method, request.headers()) } else { None };
        let needs_nonce = self.app.settings.dpop_nonce && request.headers().contains_key(proof::PROOF_HEADER);
        let mut address = peer;
        let destination = match found.route(&method) {
            _ if head::bytes(&request) > HEADER_BLOCK_BYTES => Destination::HeadTooLarge,
            _ if method != Method::OPTIONS
                && let Some(name) = found.wrong_type(request.uri().path())
                // An operation of everything stands where a type would.
                && !name.starts_with('$') =>
            {
                Destination::WrongType(name)
            }
            _ if method != Method::OPTIONS
                && let Some(name) = operations::unserved(request.uri().path(), found.path) =>
            {
                Destination::NoOperation(name.to_owned())
            }
            Some((route, _)) => {
                if route.who == Who::Anyone {
                    address = origin::address(&self.app, request.headers(), peer);
                }
                Destination::Route((route.answer)(Call::new(self.app.clone(), request, peer, route.path, self.served)))
            }
            None if found.is_open && cors::is_preflight(&method, request.headers()) => Destination::Preflight,
            None if found.routes.is_empty() && found.voice == Voice::Page => {
                let base_url = &self.app.settings.base_url;
                let refusal = wrong_place::refusal(base_url, request.uri().path(), request.headers());
                refusal.map_or(Destination::NotFound, |(voice, refusal)| Destination::WrongPlace(voice, refusal))
            }
            None if found.routes.is_empty() => Destination::NotFound,
            None => Destination::WrongMethod,
        };
        Begun { began, path, method, from_a_page, address, coding, needs_nonce, destination }
    }

    /// Has the request answered, and says and counts what came of it.
    async fn finish(&self, begun: &mut Begun) -> Response {
        let Begun { began, path, method, from_a_page, address, coding, needs_nonce, destination } = begun;
        let (_under_way, found) = (self.app.metrics.begin(), self.paths.at(*path));
        let at = Situation { app: &self.app, voice: found.voice, method, path: found.path };
        let mut answer = match destination {
            // Nobody looks at what could not be written down: it would be a look that nobody was answered.
            Destination::Route(_) if self.writes_before(&at) && self.app.accesses.are_stuck() => unwritten(&at),
            Destination::Route(answer) => match answer.await {
                Ok((answer, taker)) => {
                    let answer = self.is_unwritten(&at).await.unwrap_or(answer);
                    let taker = || taker.unwrap_or_else(|| Taker::Network(network(*address)));
                    let answer = match *coding {
                        // Apart, because few ask for it, and every request would have room for it.
                        Some(coding) => Box::pin(compression::compressed(&self.app, taker(), coding, answer)).await,
                        None => answer,
                    };
                    delivery::with_room(&self.app.response_budget, taker, answer)
                        .unwrap_or_else(|full| overload(&at, full))
                }
                Err(stop) => stop.say(&at),
            },
            Destination::HeadTooLarge => refuse(&at, Refusal::HeadTooLarge, Problem::head_too_large()),
            Destination::WrongType(name) => refuse(&at, absence::no_such_type(name), Problem::not_found()),
            Destination::NoOperation(name) => refuse(&at, operations::not_served(name), Problem::not_found()),
            Destination::WrongPlace(voice, refusal) => {
                refuse(&Situation { voice: *voice, ..at }, refusal.clone(), Problem::not_found())
            }
            Destination::Preflight => cors::preflight(&found.allowed),
            Destination::NotFound => not_found(&at),
            Destination::WrongMethod => wrong_method(&at, &found.allowed),
        };
        if answer.status() == StatusCode::OK
            && matches!(found.voice, Voice::Fhir | Voice::Rest)
            // A Bundle may name many.
            && found.path != "/fhir"
            && let Some(view) = request_context::record_view()
            && let Ok(view) = HeaderValue::try_from(&*view)
        {
            answer.headers_mut().insert(RECORD_VIEW_HEADER, view);
        }
        if *needs_nonce && let Some(Ok(nonce)) = proof::nonce(&self.app).map(HeaderValue::try_from) {
            answer.headers_mut().insert(proof::NONCE_HEADER, nonce);
        }
        // What a cache may keep must be readable for whoever it is given to.
        if found.is_open && (*from_a_page || found.voice == Voice::Discovery) {
            cors::open(&mut answer);
        }
        if answer.status() == StatusCode::METHOD_NOT_ALLOWED {
            answer.headers_mut().entry(header::ALLOW).or_insert_with(|| found.allowed.clone());
        }
        let (status, taken) = (answer.status(), began.elapsed());
        if matches!(found.voice, Voice::Fhir | Voice::Rest) && pacing::is_of_overload(status) {
            // Apart, because few requests wait, and every one would have room for it.
            Box::pin(pacing::wait()).await;
        }
        found.route(method).map_or(&found.meter, |(_, meter)| meter).count(status.as_u16(), taken);
        report::tell(&self.app, method, found.path, status, taken);
        let answer = if *method == Method::HEAD { head_of(answer) } else { answer };
        as_declared(answer)
    }

    /// What is said instead of an answer that may not leave, because it is not written down who saw what. It waits for that
    /// where it must be so before the answer leaves.
    async fn is_unwritten(&self, at: &Situation<'_>) -> Option<Response> {
        if !self.writes_before(at) {
            return None;
        }
        // Apart, because few services wait for it, and every request would have room for it.
        let _error = Box::pin(self.app.accesses.are_written()).await.err()?;
        Some(unwritten(at))
    }

    /// Whether it is written down who saw what before an answer leaves.
    fn writes_before(&self, at: &Situation<'_>) -> bool {
        self.app.settings.ledger.is_before_answer() && matches!(at.voice, Voice::Fhir | Voice::Rest)
    }
}

/// Whoever writes it down has logged why that fails, once a second.
fn unwritten(at: &Situation<'_>) -> Response {
    refuse(at, Refusal::Unavailable, Problem::crowded())
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

fn not_found(at: &Situation<'_>) -> Response {
    let what = "there is nothing at this path; GET /fhir/metadata lists what the FHIR API has";
    refuse(at, Refusal::NotFound(what.into()), Problem::not_found())
}

fn wrong_method(at: &Situation<'_>, allowed: &HeaderValue) -> Response {
    let mut refused = match at.voice {
        Voice::Rest => {
            let offered = METHODS.into_iter().filter(|method| allowed.to_str().is_ok_and(|all| has(all, method)));
            let error = RestError::MethodNotAllowed { method: at.method.to_string(), offered: offered.collect() };
            Box::new(ApiStop::from(error)).say(at)
        }
        _ => refuse(at, Refusal::MethodNotAllowed, Problem::wrong_method()),
    };
    refused.headers_mut().insert(header::ALLOW, allowed.clone());
    refused
}

/// The methods that a path can offer.
const METHODS: [&str; 5] = ["GET", "HEAD", "POST", "PUT", "DELETE"];

fn has(allowed: &str, method: &str) -> bool {
    allowed.split(',').any(|one| one == method)
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
