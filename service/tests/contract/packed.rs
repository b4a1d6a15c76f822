//! Bodies that are packed, answers that are, and bodies that are too long: what is said of each, on a real connection too.

use crate::kit::caller::Caller;
use crate::kit::listening::Listening;
use crate::kit::records::{AMINA, import, letter, observation};
use crate::kit::reply::Reply;
use crate::kit::{RIVERSIDE, World, place, request};
use crate::records::exports::{begun, manifest, own};
use axum::body::Body;
use axum::http::Method;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::{GzEncoder, ZlibEncoder};
use http_body_util::BodyExt;
use rules::limits::{API_BODY_BYTES, EXPORT_STEP_BYTES};
use serde_json::{Value, json};
use std::io::{Read, Write};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn unpacked(coding: &str, packed: &[u8]) -> Vec<u8> {
    match coding {
        "zstd" => zstd::decode_all(packed).unwrap(),
        _ => {
            let mut plain = Vec::new();
            GzDecoder::new(packed).read_to_end(&mut plain).unwrap();
            plain
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

async fn sends(caller: &Caller<'_>, coding: &str, bytes: Vec<u8>) -> Reply {
    let headers = [("content-type", "application/fhir+json"), ("content-encoding", coding)];
    caller.send(Method::POST, "/fhir/Observation", &headers, bytes).await
}

// gaps: The two APIs > Packed bodies and answers
#[tokio::test]
async fn a_body_that_is_packed_with_gzip_or_deflate_is_read() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let text = observation(AMINA).to_string();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(text.as_bytes()).unwrap();
    for (coding, bytes) in [
        ("gzip", gzip(text.as_bytes())),
        ("X-Gzip", gzip(text.as_bytes())),
        ("deflate", zlib.finish().unwrap()),
        ("identity", text.clone().into_bytes()),
    ] {
        let made = sends(&okafor, coding, bytes).await;
        assert_eq!(made.status, 201, "{coding}: {}", made.text());
    }
    let letter = letter(AMINA).to_string();
    let headers = [("content-type", "application/pdf"), ("content-encoding", "gzip")];
    let made = okafor.send(Method::POST, "/fhir/Binary", &headers, gzip(letter.as_bytes())).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let path = format!("/fhir/Binary/{}", made.json()["id"].as_str().unwrap());
    assert_eq!(okafor.get(&path).await.opened().text(), letter, "it is stored as it was before");
}

// gaps: The two APIs > Packed bodies and answers
#[tokio::test]
async fn a_body_is_as_long_as_it_is_unpacked_and_what_is_not_packed_as_it_says_is_refused() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let bomb = gzip(&vec![b' '; API_BODY_BYTES + 1]);
    assert!(bomb.len() < 20_000);
    sends(&okafor, "gzip", bomb).await.says(413, "TOO_LARGE");
    let words = sends(&okafor, "gzip", b"{}".to_vec()).await.words(400, "BAD_REQUEST");
    assert!(words.contains("Content-Encoding"), "{words}");
    for coding in ["br", "zstd", "gzip, gzip"] {
        let words = sends(&okafor, coding, b"{}".to_vec()).await.words(415, "UNSUPPORTED_MEDIA_TYPE");
        assert!(words.contains("gzip or deflate"), "{words}");
    }
}

async fn asks(w: &World, caller: &Caller<'_>, path: &str, coding: Option<&str>) -> axum::response::Response {
    let mut asked = caller.get_request(path);
    if let Some(coding) = coding {
        asked.headers_mut().insert("accept-encoding", coding.parse().unwrap());
    }
    w.answers(asked).await
}

async fn bytes(answer: axum::response::Response) -> Vec<u8> {
    axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().to_vec()
}

// gaps: The two APIs > Packed bodies and answers
#[tokio::test]
async fn a_large_answer_is_compressed_for_who_takes_that_and_is_the_same() {
    let w = World::new().await;
    let many: Vec<Value> = (0..100)
        .map(|number| {
            let mut one = observation(AMINA);
            one["id"] = json!(format!("large-{number}"));
            one["note"] = json!([{ "text": "a note that is long enough to matter ".repeat(20) }]);
            one
        })
        .collect();
    import(&w.app.store, RIVERSIDE, &many, w.now()).await;
    let system = w.system().await;
    let path = "/fhir/Observation?_count=100";
    let plain = asks(&w, &system, path, None).await;
    assert!(!plain.headers().contains_key("content-encoding"));
    let plain = bytes(plain).await;
    assert!(plain.len() > 64 * 1024);
    for (taken, coding) in [
        ("gzip", "gzip"),
        ("gzip, deflate, br", "gzip"),
        ("*", "gzip"),
        ("zstd;q=0.5, gzip;q=0.8", "gzip"),
        ("zstd", "zstd"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip;q=0.5, zstd;q=0.8", "zstd"),
    ] {
        let packed = asks(&w, &system, path, Some(taken)).await;
        assert_eq!(packed.headers()["content-encoding"], coding, "{taken}");
        assert!(packed.headers().get_all("vary").iter().any(|varies| varies == "accept-encoding"));
        let packed = bytes(packed).await;
        assert_eq!(unpacked(coding, &packed), plain, "{taken}");
        assert!(packed.len() < plain.len() / 5);
    }
    for taken in ["br", "gzip;q=0", "zstd;q=0", "identity", "identity, zstd;q=0.5"] {
        assert!(!asks(&w, &system, path, Some(taken)).await.headers().contains_key("content-encoding"), "{taken}");
    }
    let small = asks(&w, &system, "/fhir/Patient/amina", Some("gzip, zstd")).await;
    assert!(!small.headers().contains_key("content-encoding"), "what is small is sent as it is");
}

/// Nobody knows how long it will be, so it is packed as it comes.
// gaps: The two APIs > Packed bodies and answers
#[tokio::test]
async fn a_file_of_an_export_is_compressed_as_it_comes_and_breaks_off_where_it_would_have() {
    let w = World::new().await;
    let many: Vec<Value> = (0..1500)
        .map(|number| {
            let mut one = observation(AMINA);
            one["id"] = json!(format!("many-{number}"));
            one["note"] = json!([{ "text": "a note that is long enough to matter ".repeat(20) }]);
            one
        })
        .collect();
    import(&w.app.store, RIVERSIDE, &many, w.now()).await;
    let system = w.system().await;
    let manifest = manifest(&system, &begun(&system, "/fhir/$export?_type=Observation").await).await;
    let file = own(manifest["output"][0]["url"].as_str().unwrap());
    let plain = bytes(asks(&w, &system, &file, None).await).await;
    assert!(plain.len() > 2 * EXPORT_STEP_BYTES, "it comes in several pieces: {}", plain.len());
    for coding in ["gzip", "zstd"] {
        let packed = asks(&w, &system, &file, Some(coding)).await;
        assert_eq!(packed.headers()["content-encoding"], coding);
        assert_eq!(packed.headers()["content-type"], "application/fhir+ndjson");
        assert!(packed.headers().get_all("vary").iter().any(|varies| varies == "accept-encoding"));
        let packed = bytes(packed).await;
        assert_eq!(unpacked(coding, &packed), plain, "{coding}");
        assert!(packed.len() < plain.len() / 5);
    }
    let mut pieces = asks(&w, &system, &file, Some("zstd")).await.into_body();
    assert!(pieces.frame().await.unwrap().is_ok());
    w.withdraws(RIVERSIDE, "Lab Link").await;
    let mut last = Ok(());
    while let Some(piece) = pieces.frame().await {
        last = piece.map(drop);
    }
    assert!(last.is_err(), "who may see no more does not take it for whole");
}

/// Its length would tell of the secret to who chose the text beside it.
// gaps: The two APIs > Packed bodies and answers
#[tokio::test]
async fn nothing_that_has_a_secret_beside_text_of_others_is_compressed() {
    let w = World::new().await;
    for path in ["/apiAuthorize.action?response_type=code&client_id=sleep-diary", "/sign-in", "/join?t1=x&t2=y"] {
        let asked = request(Method::GET, path).header("accept-encoding", "gzip, zstd").body(Body::empty()).unwrap();
        assert!(!w.answers(asked).await.headers().contains_key("content-encoding"), "{path}");
    }
    let asked =
        request(Method::POST, "/apiToken.action").header("accept-encoding", "gzip, zstd").body(Body::empty()).unwrap();
    assert!(!w.answers(asked).await.headers().contains_key("content-encoding"));
}

/// Most clients listen when they have sent everything.
// gaps: The two APIs > Limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sends_too_much_hears_so_when_all_is_sent_and_no_pipe_breaks() {
    let w = World::new().await;
    let token = w.system().await.access;
    let listening = Listening::new(&w).await;
    for length in [API_BODY_BYTES + 1, 3 * API_BODY_BYTES] {
        for framing in [format!("content-length: {length}"), "transfer-encoding: chunked".to_owned()] {
            let mut stream = TcpStream::connect(listening.address).await.unwrap();
            let head = format!(
                "POST /fhir/Observation HTTP/1.1\r\nhost: records.test\r\nauthorization: Bearer {token}\r\n\
                 x-org-public-id: {RIVERSIDE}\r\ncontent-type: application/fhir+json\r\n{framing}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            let body = vec![b' '; length];
            match framing.starts_with("content") {
                true => stream.write_all(&body).await.expect("the pipe holds"),
                false => {
                    for piece in body.chunks(1 << 20) {
                        stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await.expect("the pipe holds");
                        stream.write_all(piece).await.expect("the pipe holds");
                        stream.write_all(b"\r\n").await.expect("the pipe holds");
                    }
                    stream.write_all(b"0\r\n\r\n").await.expect("the pipe holds");
                }
            }
            let mut heard = vec![0; 64];
            stream.read_exact(&mut heard).await.expect("an answer");
            assert!(heard.starts_with(b"HTTP/1.1 413"), "{framing}: {}", String::from_utf8_lossy(&heard));
        }
    }
    listening.stops().await;
}

/// Who calls cannot be looked up, so that the body is not asked for: whoever is sending it hears of the trouble all the same.
// gaps: The two APIs > Limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_comes_while_the_database_fails_hears_so_and_no_pipe_breaks() {
    let url = cluster::shared().new_database();
    let w = World::at(&place(&url), tempfile::tempdir().unwrap(), |_| {}).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let listening = Listening::new(&w).await;
    cluster::ask(&url, "ALTER TABLE sessions RENAME TO lost_sessions");
    let body = vec![b' '; API_BODY_BYTES - 1];
    for _ in 0..3 {
        let mut stream = TcpStream::connect(listening.address).await.unwrap();
        let head = format!(
            "POST /fhir/Observation HTTP/1.1\r\nhost: records.test\r\nauthorization: Bearer {}\r\n\
             content-type: application/fhir+json\r\ncontent-length: {}\r\n\r\n",
            tokens.access,
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&body).await.expect("the pipe holds");
        let mut heard = vec![0; 12];
        stream.read_exact(&mut heard).await.expect("an answer");
        assert_eq!(String::from_utf8_lossy(&heard), "HTTP/1.1 500");
    }
    listening.stops().await;
}

/// A sender that waits to hear whether its body is wanted sends nothing of one that is too long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_before_sending_too_much_need_not_send_it() {
    let w = World::new().await;
    let token = w.system().await.access;
    let listening = Listening::new(&w).await;
    let mut stream = TcpStream::connect(listening.address).await.unwrap();
    let length = API_BODY_BYTES + 1;
    let head = format!(
        "POST /fhir/Observation HTTP/1.1\r\nhost: records.test\r\nauthorization: Bearer {token}\r\nexpect: 100-continue\r\n\
         x-org-public-id: {RIVERSIDE}\r\ncontent-type: application/fhir+json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut heard = vec![0; 12];
    stream.read_exact(&mut heard).await.expect("an answer");
    assert_eq!(heard, b"HTTP/1.1 413");
    drop(stream);
    listening.stops().await;
}
