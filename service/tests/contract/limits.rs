//! Limits: sizes of bodies and header blocks, and the time they may take to arrive. The contract's limits of time are
//! with what they end.

use crate::kit::listening::Listening;
use crate::kit::records::AMINA;
use crate::kit::token_reply::TokenReply;
use crate::kit::{MINUTE, World, request, with};
use axum::body::Body;
use axum::http::{Method, header};
use rules::limits::{API_BODY_BYTES, FORM_BODY_BYTES, HEADER_BLOCK_BYTES};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Authorization code validity: 10 minutes.
// contract: Limits > Authorization code validity | 10 minutes
#[tokio::test]
async fn a_code_is_good_for_ten_minutes_less_a_second_and_no_longer() {
    let w = World::embedded().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    w.after(10 * MINUTE - 1);
    app.redeem(&code).await.granted();
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    w.after(10 * MINUTE);
    app.redeem(&code).await.refused("invalid_grant");
}

/// Token and authorization bodies: 16 KiB, and over it 413 in the voice of the endpoint.
// gaps: The two APIs > Limits
// contract: Limits > Rate limits and size limits: not shown
#[tokio::test]
async fn a_form_body_over_16_kib_is_413() {
    let w = World::embedded().await;
    let form = |path: &str, length: usize| {
        request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from("x".repeat(length)))
            .unwrap()
    };
    TokenReply::of(w.send(form("/apiToken.action", FORM_BODY_BYTES + 1)).await).refused_as(413, "invalid_request");
    TokenReply::of(w.send(form("/apiToken.action", FORM_BODY_BYTES)).await).refused("invalid_request");
    for path in ["/apiAuthorize.action", "/sign-in"] {
        w.send(form(path, FORM_BODY_BYTES + 1)).await.error_page(413);
    }
    w.send(form("/apiAuthorize.action", FORM_BODY_BYTES)).await.error_page(400);
}

/// FHIR and REST bodies: 10 MiB unless the operator says otherwise, and over it 413 in FHIR's voice.
// gaps: The two APIs > Limits
#[tokio::test]
async fn an_api_body_over_the_configured_limit_is_413() {
    assert_eq!(API_BODY_BYTES, 10 * 1024 * 1024);
    let w = World::embedded_with(|settings| settings.api_body_bytes = 2000).await;
    let amina = w.amina().caller().await;
    let letter = |padding: usize| {
        serde_json::json!({
            "resourceType": "DocumentReference", "status": "current",
            "subject": { "reference": format!("Patient/{}", AMINA) },
            "description": "x".repeat(padding),
            "content": [{ "attachment": { "contentType": "text/plain", "data": "SGVsbG8=" } }],
        })
    };
    let written = amina.post("/fhir/DocumentReference", &letter(1000)).await;
    assert_eq!(written.status, 201, "{}", written.text());
    amina.post("/fhir/DocumentReference", &letter(2000)).await.says(413, "TOO_LARGE");
}

/// A single parameter is at most 2048 bytes long.
#[tokio::test]
async fn a_parameter_over_2048_bytes_is_an_invalid_request() {
    let w = World::embedded().await;
    let app = w.client("Sleep Diary");
    let body = with(&app.redemption("rgc_x"), "code", &"c".repeat(2049));
    app.asks_for_tokens(&body).await.refused("invalid_request");
    let body = with(&app.redemption("rgc_x"), "code", &"c".repeat(2048));
    app.asks_for_tokens(&body).await.refused("invalid_grant");
}

/// The header block: 32 KiB, and over it 431. Seen on a real socket, because the server itself says it.
// gaps: The two APIs > Limits
#[tokio::test]
async fn a_header_block_over_32_kib_is_431() {
    let w = World::embedded().await;
    let server = Listening::new(&w).await;
    let small = answer_to(server.address, HEADER_BLOCK_BYTES / 2).await;
    assert!(small.starts_with("HTTP/1.1 200"), "{small}");
    let large = answer_to(server.address, HEADER_BLOCK_BYTES + 1).await;
    assert!(large.starts_with("HTTP/1.1 431"), "{large}");
    server.stops().await;
}

/// A client that trickles its headers is cut off, so that such clients cannot use up the server's connections.
#[tokio::test]
async fn a_head_that_takes_longer_than_15_seconds_is_not_waited_for() {
    let w = World::embedded().await;
    let server = Listening::new(&w).await;
    let (answer, waited) = server.hears(&["GET /healthz HTTP/1.1\r\nhost: records.test\r\n"]).await;
    assert_eq!(answer, "");
    assert!((15..=20).contains(&waited.as_secs()), "{waited:?}");
    let parts = ["GET /healthz HTTP/1.1\r\n", "host: records.test\r\nconnection: close\r\n\r\n"];
    let (answer, _) = server.hears(&parts).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "ten seconds are soon enough: {answer}");
    let [one, last] =
        ["", "connection: close\r\n"].map(|line| format!("GET /healthz HTTP/1.1\r\nhost: a\r\n{line}\r\n"));
    let (answers, _) = server.hears(&[&one, &one, &last]).await;
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 3, "a connection may be used for longer: {answers}");
    server.stops().await;
}

/// The same for a body, of which nobody who sends it has shown who they are yet.
#[tokio::test]
async fn a_body_that_takes_longer_than_15_seconds_is_not_waited_for() {
    let w = World::embedded().await;
    let server = Listening::new(&w).await;
    let head = "POST /apiToken.action HTTP/1.1\r\nhost: records.test\r\nconnection: close\r\n\
        content-type: application/x-www-form-urlencoded\r\ncontent-length: 21\r\n\r\n";
    for trickle in [vec![head], vec![head, "grant", "_type"]] {
        let (answer, waited) = server.hears(&trickle).await;
        assert_eq!(answer, "", "{trickle:?}");
        assert!((15..=20).contains(&waited.as_secs()), "{waited:?}");
    }
    let (answer, _) = server.hears(&[head, "grant_type=magic-wand"]).await;
    assert!(answer.contains("unsupported_grant_type"), "ten seconds are soon enough: {answer}");
    server.stops().await;
}

/// The first line of the answer to a request with a header of this length.
async fn answer_to(address: SocketAddr, length: usize) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let lines = "x: ".len() + "\r\n".len();
    let padding = vec![format!("x: {}\r\n", "a".repeat(1000 - lines)); length / 1000 + 1].concat();
    let head = format!("GET /healthz HTTP/1.1\r\nhost: records.test\r\nconnection: close\r\n{padding}\r\n");
    // The server may answer and close before everything is written.
    let _cut_short = stream.write_all(head.as_bytes()).await;
    let mut answer = vec![0; 64];
    let read = stream.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..read]).lines().next().unwrap_or_default().to_owned()
}
