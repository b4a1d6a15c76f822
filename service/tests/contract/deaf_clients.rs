//! Clients that do not read: they are cut off, they hold little meanwhile, and they keep nobody waiting.

use crate::kit::caller::Caller;
use crate::kit::listening::Listening;
use crate::kit::records::{AMINA, letter};
use crate::kit::reply::Reply;
use crate::kit::{BASE, World};
use axum::response::Response;
use rules::limits::SMALL_ANSWER_BYTES;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Answers that need no database.
const PIPELINED: &str = "GET /fhir/metadata HTTP/1.1\r\nhost: records.test\r\n\r\n";

/// Sends request after request and reads nothing, until the other end is gone.
async fn is_cut_off(stream: &mut TcpStream) -> bool {
    let requests = PIPELINED.repeat(1000);
    let pushes = async { while stream.write_all(requests.as_bytes()).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(600), pushes).await.is_ok()
}

/// Whoever sends request after request and takes no answer is cut off, also between two of them.
// gaps: Operation > Clients that do not read
#[tokio::test]
async fn a_client_that_pipelines_requests_and_never_reads_is_cut_off() {
    // The kernel moves bytes in its own time, so the clock of the runtime is not stopped here.
    let w = World::embedded_with(|settings| settings.connections.delivery = Duration::from_millis(100)).await;
    let server = Listening::new(&w).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    assert!(is_cut_off(&mut stream).await, "it is still connected");
    let (answer, _) = server.hears(&["GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"]).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "everybody else is served: {answer}");
    server.stops().await;
}

/// A service that is told to stop waits for whoever does not read no longer than for anybody else.
#[tokio::test]
async fn a_client_that_never_reads_does_not_keep_the_service_from_stopping() {
    let w = World::embedded_with(|settings| settings.connections.delivery = Duration::from_secs(3600)).await;
    let server = Listening::new(&w).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(PIPELINED.repeat(1000).as_bytes()).await.unwrap();
    let stopped = tokio::time::timeout(Duration::from_secs(60), server.stops()).await;
    assert!(stopped.is_ok(), "it still serves somebody who does not read");
    assert!(is_cut_off(&mut stream).await);
}

/// One address has so many connections, and the next is closed; those of a trusted proxy are everybody's.
// gaps: Operation > Connections
#[tokio::test]
async fn one_address_has_so_many_connections_and_a_trusted_proxy_as_many_as_there_are() {
    for trusted in [false, true] {
        let w = World::embedded_with(|settings| {
            settings.connections.per_address = 2;
            settings.trust_forwarded_for = trusted;
        })
        .await;
        let server = Listening::new(&w).await;
        let mut heard = Vec::new();
        let mut open = Vec::new();
        for _ in 0..3 {
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            let mut first = [0; 12];
            // Whoever is not let in may hear so while they are still sending.
            let _cut_short = stream.write_all(PIPELINED.as_bytes()).await;
            heard.push(stream.read_exact(&mut first).await.is_ok() && &first == b"HTTP/1.1 200");
            open.push(stream);
        }
        assert_eq!(heard, [true, true, trusted]);
        drop(open);
        server.stops().await;
    }
}

/// A letter that is no small answer, nor is its content.
async fn large_letter(caller: &Caller<'_>) -> String {
    let mut large = letter(AMINA);
    large["description"] = json!("D".repeat(3 * SMALL_ANSWER_BYTES));
    large["content"] =
        json!([{ "attachment": { "contentType": "text/plain", "data": "QUJD".repeat(SMALL_ANSWER_BYTES) } }]);
    caller.creates(&large).await
}

async fn unread(w: &World, caller: &Caller<'_>, path: &str) -> Response {
    let answer = w.answers(caller.get_request(path)).await;
    assert_eq!(answer.status(), 200);
    answer
}

/// One caller may leave so much unread, in either API; small answers, and those of others, are not held up.
// gaps: The two APIs > Answers left unread
#[tokio::test]
async fn a_caller_who_leaves_large_answers_unread_hears_429_and_nobody_else_does() {
    let w = World::embedded_with(|settings| settings.connections.unread_per_caller = 5 * SMALL_ANSWER_BYTES).await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let path = large_letter(&amina).await;
    let attachment = path.replace("/fhir/DocumentReference", "/json/attachments");
    let left = [unread(&w, &amina, &path).await, unread(&w, &amina, &attachment).await];
    let refused = amina.get(&path).await;
    refused.says(429, "TOO_MUCH_UNREAD");
    assert_eq!(refused.header("retry-after"), Some("1"));
    amina.get(&attachment).await.says_in_rest(429, "this caller has not taken what it asked for before");
    amina.get("/fhir/Patient/amina").await.opened();
    okafor.get(&path).await.opened();
    for answer in left {
        let whole = Reply::read(&path, answer).await;
        assert!(whole.body.len() > SMALL_ANSWER_BYTES);
    }
    amina.get(&path).await.opened();
}

/// All callers together may leave so much unread; then everybody is asked to come back, in the voice of the path.
// gaps: The two APIs > Answers left unread
#[tokio::test]
async fn when_too_much_is_unread_in_all_everybody_hears_503() {
    let w = World::embedded_with(|settings| settings.connections.unread = 1).await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let path = large_letter(&amina).await;
    let left = unread(&w, &amina, &path).await;
    let refused = okafor.get(&path).await;
    refused.says(503, "UNAVAILABLE");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let words = w.get("/docs").await.error_page(503);
    assert!(words.contains("busy"), "{words}");
    assert_eq!(w.get("/sign-in").await.status, 200, "{BASE} has small answers for everybody");
    drop(left);
    okafor.get(&path).await.opened();
}
