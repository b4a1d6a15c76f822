//! Spans: exported to a collector that listens, with the caller's trace, and lost without harm where none does.

use crate::kit::World;
use crate::kit::log::Log;
use serde_json::Value;
use service::app::telemetry::{Endpoint, TelemetrySettings};
use service::server::{CoreWorkers, serve};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Takes what is exported, answers each export with this status, and gives the head and the body of each.
async fn collect(listener: TcpListener, status: &'static str, mut stop: watch::Receiver<bool>) -> Vec<(String, Value)> {
    let mut exports = Vec::new();
    loop {
        let (mut stream, _) = tokio::select! {
            biased;
            accepted = listener.accept() => accepted.unwrap(),
            _ = stop.wait_for(|stop| *stop) => return exports,
        };
        let mut text = String::new();
        let (head, body) = loop {
            let mut piece = vec![0; 65_536];
            let length = stream.read(&mut piece).await.unwrap();
            assert_ne!(length, 0, "an export that ends early: {text}");
            text.push_str(std::str::from_utf8(&piece[..length]).unwrap());
            if let Some((head, body)) = text.split_once("\r\n\r\n")
                && let Ok(body) = serde_json::from_str(body)
            {
                break (head.to_owned(), body);
            }
        };
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
        stream.write_all(answer.as_bytes()).await.unwrap();
        exports.push((head, body));
    }
}

async fn get(address: std::net::SocketAddr, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: records.test\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Serves these requests (path and headers) with a collector that answers so; gives what it got, and the counts.
async fn exported(
    requests: &[(&str, String)],
    one_in: u64,
    status: &'static str,
) -> (Vec<(String, Value)>, (u64, u64)) {
    let collector = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("http://{}", collector.local_addr().unwrap())).unwrap();
    let w = World::embedded_with(|settings| settings.telemetry = Some(TelemetrySettings { endpoint, one_in })).await;
    let (all_is_sent, end) = watch::channel(false);
    let collecting = tokio::spawn(collect(collector, status, end));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(serve(w.app.clone(), (listener, CoreWorkers::none()), stopped, Duration::from_secs(5)));
    let access = w.amina().caller().await.access;
    for (path, headers) in requests {
        get(address, path, &headers.replace("TOKEN", &access)).await;
    }
    stop.send(true).unwrap();
    serving.await.unwrap();
    all_is_sent.send(true).unwrap();
    (collecting.await.unwrap(), w.app.spans.as_ref().unwrap().counts())
}

fn spans(exports: &[(String, Value)]) -> Vec<Value> {
    let of_one =
        |(_, body): &(String, Value)| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone();
    exports.iter().flat_map(of_one).collect()
}

fn attribute(span: &Value, key: &str) -> Option<String> {
    let found = span["attributes"].as_array().unwrap().iter().find(|attribute| attribute["key"] == key)?;
    let value = &found["value"];
    value["stringValue"].as_str().or(value["intValue"].as_str()).map(String::from)
}

// gaps: Operation > Traces
#[tokio::test]
async fn a_span_of_a_request_reaches_the_collector_under_the_span_of_its_caller() {
    let traced =
        format!("traceparent: 00-{TRACE}-{PARENT}-01\r\nx-request-id: look-1\r\nauthorization: Bearer TOKEN\r\n");
    let (exports, counts) =
        exported(&[("/fhir/Patient/secret-id?a=secret", traced), ("/healthz", String::new())], 1, "200 OK").await;
    let (head, body) = &exports[0];
    assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n") && head.contains("application/json"), "{head}");
    assert_eq!(body["resourceSpans"][0]["resource"]["attributes"][0]["value"]["stringValue"], "recordgate");
    let spans = spans(&exports);
    assert_eq!(counts, (spans.len() as u64, 0));
    let of = |route: &str| spans.iter().find(|span| attribute(span, "http.route").as_deref() == Some(route)).unwrap();
    let span = of("/fhir/Patient/{id}");
    assert_eq!((&span["traceId"], &span["parentSpanId"]), (&TRACE.into(), &PARENT.into()));
    assert_eq!((&span["name"], &span["kind"]), (&"GET /fhir/Patient/{id}".into(), &2.into()));
    let told = ["http.request.method", "http.response.status_code", "recordgate.request_id", "recordgate.client_id"];
    let told = told.map(|key| attribute(span, key).unwrap());
    assert_eq!(told, ["GET", "400", "look-1", "sleep-diary"]);
    let nanos = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
    assert!(nanos("startTimeUnixNano") < nanos("endTimeUnixNano"), "{span}");
    let own = of("/healthz");
    assert_eq!((own["traceId"].as_str().unwrap().len(), own.get("parentSpanId")), (32, None));
    assert_eq!(own["spanId"].as_str().unwrap().len(), 16);
    assert!(!format!("{exports:?}").contains("secret"), "{exports:?}");
}

#[tokio::test]
async fn a_trace_that_its_caller_does_not_keep_is_not_exported_and_of_the_others_one_in_so_many_is() {
    let dropped = format!("traceparent: 00-{TRACE}-{PARENT}-00\r\n");
    let kept = format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n");
    let requests = [("/healthz", dropped), ("/healthz", kept), ("/healthz", String::new())];
    let (exports, _) = exported(&requests, 1_000_000, "200 OK").await;
    let parents: Vec<Value> = spans(&exports).iter().map(|span| span["parentSpanId"].clone()).collect();
    assert_eq!(parents, [PARENT]);
}

#[tokio::test]
async fn a_collector_that_refuses_is_complained_of_once_and_holds_nobody_up() {
    let (log, _listening) = Log::listen();
    let (exports, (sent, lost)) = exported(&[("/healthz", String::new())], 1, "503 Service Unavailable").await;
    assert!(!exports.is_empty());
    assert_eq!((sent, lost), (0, spans(&exports).len() as u64));
    let said = "spans could not be exported; this is said once until they can";
    let lines = log.lines_that_say(said);
    let [line] = lines.as_slice() else { panic!("not said once: {lines:?}") };
    assert_eq!((&line["level"], &line["error"]), (&"WARN".into(), &"it answered 503 Service Unavailable".into()));
}
