//! Calls from pages of other origins: open where programs call with a token, closed wherever a cookie counts.

use crate::kit::reply::Reply;
use crate::kit::{World, fields, form_request, place, request};
use axum::body::Body;
use axum::http::{Method, Request, header};
use rules::limits::{FORM_BODY_BYTES, HEADER_BLOCK_BYTES};
use service::routes::{Route, routes};

const ELSEWHERE: &str = "https://app.example";
const EXPOSED: [&str; 12] = [
    "ETag",
    "Location",
    "Content-Location",
    "Last-Modified",
    "Accept-Ranges",
    "Content-Range",
    "Content-Disposition",
    "WWW-Authenticate",
    "DPoP-Nonce",
    "Retry-After",
    "X-Progress",
    "X-Request-Id",
];

fn path_of(route: &Route) -> String {
    route
        .path
        .replace("{id}", "some-id")
        .replace("{name}", "recordgate.css")
        .replace("{version}", "1")
        .replace("{type}", "Observation")
}

/// Which paths are open, written out once more: a route of another part must not become open by the way.
fn should_be_open(path: &str) -> bool {
    [
        "/apiToken.action",
        "/apiPar.action",
        "/apiRevoke.action",
        "/apiUserinfo.action",
        "/openapi.json",
        "/fhir",
        "/apiRegister.action",
    ]
    .contains(&path)
        || ["/fhir/", "/json/", "/.well-known/", "/apiRegister.action/"].iter().any(|part| path.starts_with(part))
}

fn preflight(path: &str, method: &str) -> Request<Body> {
    let asked = request(Method::OPTIONS, path).header(header::ORIGIN, ELSEWHERE);
    let asked = asked.header("access-control-request-method", method);
    asked.header("access-control-request-headers", "authorization,content-type").body(Body::empty()).unwrap()
}

fn from_elsewhere(mut request: Request<Body>) -> Request<Body> {
    request.headers_mut().insert(header::ORIGIN, ELSEWHERE.parse().unwrap());
    request
}

fn list(reply: &Reply, name: &str) -> Vec<String> {
    let said = reply.header(name).unwrap_or_else(|| panic!("{name} of {}: {:?}", reply.path, reply.headers));
    said.split(',').map(|word| word.trim().to_owned()).collect()
}

/// Any origin, every header that clients need, and never with credentials.
fn is_readable(reply: &Reply) {
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{} {}", reply.path, reply.status);
    assert_eq!(list(reply, "access-control-expose-headers"), EXPOSED);
    assert_eq!(reply.header("access-control-allow-credentials"), None);
}

fn says_nothing_of_other_origins(reply: &Reply) {
    let said = reply.headers.keys().find(|name| name.as_str().starts_with("access-control-"));
    assert_eq!(said, None, "{} {}", reply.path, reply.status);
}

// gaps: Calls from other origins > Where
#[tokio::test]
async fn every_route_is_open_to_other_origins_or_closed_as_its_part_is() {
    let w = World::embedded().await;
    for route in routes() {
        let path = path_of(&route);
        let reply = w.send(preflight(&path, route.method.as_str())).await;
        let called = request(route.method.clone(), &path).body(Body::empty()).unwrap();
        let called = w.send(from_elsewhere(called)).await;
        if should_be_open(&path) {
            assert_eq!((reply.status, reply.body.len()), (204, 0), "{path}");
            is_readable(&reply);
            let methods = list(&reply, "access-control-allow-methods");
            assert!(methods.iter().any(|method| method == route.method.as_str()), "{path}: {methods:?}");
            assert_eq!(reply.header("access-control-max-age"), Some("7200"));
            is_readable(&called);
        } else {
            assert_ne!(reply.status, 204, "{path}");
            says_nothing_of_other_origins(&reply);
            says_nothing_of_other_origins(&called);
        }
    }
}

// gaps: Calls from other origins > What may be sent and read
#[tokio::test]
async fn a_preflight_needs_no_token_and_names_every_header_that_clients_send() {
    let w = World::embedded().await;
    let reply = w.send(preflight("/fhir/DocumentReference", "POST")).await;
    assert_eq!(list(&reply, "access-control-allow-methods"), ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
    let allowed = list(&reply, "access-control-allow-headers");
    for header in
        ["Authorization", "Content-Type", "Accept", "If-Match", "If-None-Match", "Prefer", "Range", "X-Org-Public-Id"]
    {
        assert!(allowed.iter().any(|allowed| allowed == header), "{header} in {allowed:?}");
    }
    let plain = request(Method::OPTIONS, "/fhir/DocumentReference").body(Body::empty()).unwrap();
    w.send(plain).await.says(405, "METHOD_NOT_ALLOWED");
}

/// An app must be able to read why it was refused, whatever the reason.
// gaps: Calls from other origins > What may be sent and read
#[tokio::test]
async fn every_refusal_can_be_read_from_another_origin() {
    let w = World::embedded().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let get = |path: &str| request(Method::GET, path).header("authorization", format!("Bearer {}", tokens.access));
    let bare = |method: Method, path: &str| request(method, path).body(Body::empty()).unwrap();
    let large = "a".repeat(FORM_BODY_BYTES + 1);
    for (request, status) in [
        (bare(Method::GET, "/fhir/Patient/amina"), 401),
        (bare(Method::GET, "/json/users/self"), 401),
        (bare(Method::GET, "/fhir/NoSuchType/1"), 404),
        (bare(Method::GET, "/json/no/such/operation"), 404),
        (get("/fhir/Patient/nobody").body(Body::empty()).unwrap(), 404),
        (get("/fhir/Patient?colour=x").body(Body::empty()).unwrap(), 400),
        (bare(Method::DELETE, "/fhir/metadata"), 405),
        (bare(Method::GET, "/apiToken.action"), 405),
        (form_request("/apiToken.action", &fields([("grant_type", "refresh_token")])), 400),
        (form_request("/apiRevoke.action", &fields([("token", &large)])), 413),
        (get("/json/users/self").header("x-long", "a".repeat(HEADER_BLOCK_BYTES)).body(Body::empty()).unwrap(), 431),
    ] {
        let reply = w.send(from_elsewhere(request)).await;
        assert_eq!(reply.status, status, "{}: {}", reply.path, reply.text());
        is_readable(&reply);
    }
    for path in ["/fhir/no/such/path/here", "/json/no/such/operation"] {
        let reply = w.send(preflight(path, "GET")).await;
        assert_eq!(reply.status, 204, "or the browser hides that {path} is not there");
        let methods = list(&reply, "access-control-allow-methods");
        for route in routes().iter().filter(|route| route.is_open) {
            assert!(methods.iter().any(|method| method == route.method.as_str()), "{route:?} in {methods:?}");
        }
    }
}

#[tokio::test]
async fn trouble_on_our_side_can_be_read_from_another_origin_with_its_id() {
    let url = cluster::shared().new_database();
    let w = World::at(&place(&url), tempfile::tempdir().unwrap(), |_| {}).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    cluster::ask(&url, "ALTER TABLE sessions RENAME TO lost_sessions");
    let call = request(Method::GET, "/fhir/Patient/amina").header("authorization", format!("Bearer {}", tokens.access));
    let reply = w.send(from_elsewhere(call.body(Body::empty()).unwrap())).await;
    assert_eq!(reply.status, 500, "{}", reply.text());
    assert!(reply.header("x-request-id").is_some());
    is_readable(&reply);
}

/// Whoever sends no origin is no page: the answer is as short as before. What caches may keep is readable for all.
#[tokio::test]
async fn an_answer_to_a_program_says_nothing_of_origins_unless_it_may_be_kept() {
    let w = World::embedded().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    says_nothing_of_other_origins(w.calls_fhir_with(&tokens.access).await.opened());
    is_readable(w.get("/.well-known/oauth-authorization-server").await.opened());
}
