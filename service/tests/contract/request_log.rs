//! The id of a request, and what the log tells of it: never what was in it.

use crate::kit::caller::fhir_path;
use crate::kit::log::Log;
use crate::kit::{RIVERSIDE, World, fields, form_request, request};
use axum::body::Body;
use axum::http::{Method, Request};
use rules::limits::{FORM_BODY_BYTES, HEADER_BLOCK_BYTES, REQUEST_ID_BYTES, STRANGERS_LINES};
use service::app::config::RequestLog;
use service::routes::routes;
use std::collections::BTreeSet;

const LINE: &str = "a request was answered";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

fn get(path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let asked = headers.iter().fold(request(Method::GET, path), |asked, (name, value)| asked.header(*name, *value));
    asked.body(Body::empty()).unwrap()
}

async fn logging(what: RequestLog) -> World {
    World::embedded_with(|settings| settings.log_requests = what).await
}

// gaps: Operation > Request ids
#[tokio::test]
async fn every_answer_carries_the_id_of_its_request() {
    let w = World::embedded().await;
    let mut asked: Vec<Request<Body>> = routes()
        .iter()
        .map(|route| request(route.method.clone(), &route.path.replace(['{', '}'], "")).body(Body::empty()).unwrap())
        .collect();
    asked.extend(["/nowhere", "/fhir/nowhere", "/json/nowhere", "/apiToken.action/x"].map(|path| get(path, &[])));
    asked.push(request(Method::DELETE, "/fhir/metadata").body(Body::empty()).unwrap());
    asked.push(request(Method::HEAD, "/healthz").body(Body::empty()).unwrap());
    asked.push(get("/fhir/metadata", &[("x-long", &"a".repeat(HEADER_BLOCK_BYTES))]));
    asked.push(form_request("/apiToken.action", &fields([("x", &"a".repeat(FORM_BODY_BYTES))])));
    let preflight = request(Method::OPTIONS, "/fhir/metadata").header("origin", "https://app.example");
    asked.push(preflight.header("access-control-request-method", "GET").body(Body::empty()).unwrap());
    let (mut made, mut statuses) = (BTreeSet::new(), BTreeSet::new());
    let count = asked.len();
    for sent in asked {
        let reply = w.send(sent).await;
        assert!(made.insert(reply.header("x-request-id").expect("an id").to_owned()), "{} twice", reply.path);
        statuses.insert(reply.status);
    }
    assert_eq!(made.len(), count);
    for status in [200, 204, 303, 400, 401, 404, 405, 413, 431] {
        assert!(statuses.contains(&status), "no answer was a {status}: {statuses:?}");
    }
}

#[tokio::test]
async fn a_plain_id_of_the_caller_is_kept_and_another_is_replaced() {
    let w = World::embedded().await;
    let answered = async |id: &str| {
        let reply = w.send(get("/healthz", &[("x-request-id", id)])).await;
        reply.header("x-request-id").unwrap().to_owned()
    };
    assert_eq!(answered("edge-7.4f").await, "edge-7.4f");
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    for wrong in ["two words", "<script>", "", &tokens.access, tokens.refresh(), &"a".repeat(REQUEST_ID_BYTES + 1)] {
        let made = answered(wrong).await;
        assert_eq!(made.len(), 16, "{wrong} became {made}");
    }
}

#[tokio::test]
async fn a_request_is_logged_by_route_status_time_and_client_and_never_by_what_was_in_it() {
    let w = logging(RequestLog::All).await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let lab = w.system().await.access;
    let bearer = format!("Bearer {}", tokens.access);
    let (log, _listening) = Log::listen();
    w.send(get(&fhir_path(), &[("authorization", &bearer), ("x-request-id", "look-1")])).await;
    w.send(get("/fhir/Patient/amina-of-riverside", &[("authorization", &bearer)])).await;
    w.calls_fhir_for(RIVERSIDE, &lab).await;
    app.refresh(&tokens).await.granted();
    w.send(get("/nowhere/amina?secret=1", &[])).await;
    w.send(request("PURGE-amina".parse().unwrap(), "/healthz").body(Body::empty()).unwrap()).await;
    let lines = log.lines_that_say(LINE);
    let told = |line: &serde_json::Value| {
        let text = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
        (text("method"), text("route"), line["status"].as_u64().unwrap(), text("client"))
    };
    let expected = [
        ("GET", "/fhir/{type}", 200, "sleep-diary"),
        ("GET", "/fhir/Patient/{id}", 404, "sleep-diary"),
        ("GET", "/fhir/{type}", 200, "lab-link"),
        ("POST", "/apiToken.action", 200, "sleep-diary"),
        ("GET", "/{*rest}", 404, "-"),
        ("other", "/healthz", 405, "-"),
    ];
    let expected = expected.map(|(method, route, status, client)| (method.into(), route.into(), status, client.into()));
    assert_eq!(lines.iter().map(told).collect::<Vec<_>>(), expected);
    assert_eq!(
        (&lines[0]["request"], &lines[0]["level"], &lines[0]["target"]),
        (&"look-1".into(), &"INFO".into(), &"requests".into())
    );
    assert!(lines.iter().all(|line| line["ms"].as_f64().is_some_and(|ms| ms >= 0.0) && line["request"].is_string()));
    let all = format!("{lines:?}");
    for private in ["identifier", "amina", "secret=1", &tokens.access, tokens.refresh()] {
        assert!(!all.contains(private), "{private} is in {all}");
    }
}

#[tokio::test]
async fn by_default_only_failures_are_logged_and_a_flood_of_them_is_bounded() {
    let w = World::embedded().await;
    let (log, _listening) = Log::listen();
    w.get("/healthz").await;
    assert_eq!(log.lines(), Vec::<serde_json::Value>::new());
    let flood = 3 * STRANGERS_LINES as u64;
    for _ in 0..flood {
        w.get("/nowhere").await;
    }
    assert_eq!(log.lines_that_say(LINE).len() as f64, STRANGERS_LINES);
    w.after(1);
    w.get("/nowhere").await;
    assert_eq!(log.lines_that_say(LINE)[0]["left_out"], flood - STRANGERS_LINES as u64);
}

#[tokio::test]
async fn what_is_switched_off_is_not_logged() {
    let w = logging(RequestLog::Off).await;
    let (log, _listening) = Log::listen();
    w.get("/nowhere").await;
    assert_eq!(log.lines(), Vec::<serde_json::Value>::new());
}

// gaps: Operation > Traces
#[tokio::test]
async fn every_line_of_a_request_has_its_id_and_the_trace_of_its_caller() {
    let w = logging(RequestLog::All).await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    app.refresh(&tokens).await.granted();
    let (log, _listening) = Log::listen();
    let again = [("grant_type", "refresh_token"), ("client_id", "sleep-diary"), ("refresh_token", tokens.refresh())];
    let mut replay = form_request("/apiToken.action", &fields(again));
    replay.headers_mut().insert("x-request-id", "replay-1".parse().unwrap());
    replay.headers_mut().insert("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01").parse().unwrap());
    assert_eq!(w.send(replay).await.status, 400);
    let lines = log.lines();
    let messages: Vec<_> = lines.iter().map(|line| line["message"].as_str().unwrap()).collect();
    assert_eq!(messages, ["a session was revoked", LINE]);
    for line in &lines {
        assert_eq!((&line["request"], &line["trace"]), (&"replay-1".into(), &TRACE.into()), "{line}");
    }
    w.send(get("/healthz", &[("traceparent", "00-nonsense-01")])).await;
    assert_eq!(log.lines_that_say(LINE)[0].get("trace"), None);
}
