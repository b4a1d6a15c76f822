//! Content on its way out: whole or a range of it, as it is or as base64 in its Binary, and never what was not written.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, document};
use crate::kit::{RIVERSIDE, World, damage};
use axum::http::Method;
use fhir::base64_binary::encode;
use fhir::pieces::PIECE_BYTES;
use http_body_util::BodyExt;
use rules::limits::SMALL_ANSWER_BYTES;
use serde_json::json;

const PATH: &str = "/fhir/Binary/large";
const LETTER: &str = "large-letter";

/// So many bytes, no two pieces of them alike.
fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| u8::try_from((n / 5 + n / PIECE_BYTES) % 256).unwrap()).collect()
}

/// A letter of Amina's whose content is these bytes.
async fn large_letter(w: &World, bytes: &[u8]) {
    let attachment = json!({ "contentType": "text/plain", "url": "Binary/large" });
    let resources = [
        json!({ "resourceType": "Binary", "id": "large", "contentType": "text/plain", "data": encode(bytes) }),
        document(LETTER, AMINA, LETTER, attachment),
    ];
    crate::kit::records::import(&w.app.store, RIVERSIDE, &resources, w.now()).await;
}

async fn is_read(w: &World) -> bool {
    let parameter = json!([{ "name": "documentIdentifier", "valueString": LETTER }]);
    let query = json!({ "resourceType": "Parameters", "parameter": parameter });
    let told = w.system().await.post("/fhir/DocumentReference/$read-receipt-query", &query).await;
    told.opened().json()["parameter"][0]["part"][1]["valueBoolean"].as_bool().unwrap()
}

// gaps: Records and reach > Content of a Binary
#[tokio::test]
async fn a_content_of_any_length_is_sent_as_it_is_and_as_base64_with_its_length_before_it() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for length in [1, PIECE_BYTES, 2 * PIECE_BYTES + 1, 3 * PIECE_BYTES - 1] {
        large_letter(&w, &bytes(length)).await;
        for path in [PATH.to_owned(), "/json/attachments/large".into(), format!("/json/attachments/{LETTER}")] {
            let whole = amina.get(&path).await;
            assert_eq!((whole.status, whole.body.len()), (200, length), "{path}");
            assert!(whole.body == bytes(length), "{path}");
            assert_eq!(whole.header("content-length"), Some(length.to_string().as_str()));
            assert_eq!(whole.header("accept-ranges"), Some("bytes"));
        }
        let resource = amina.get(&format!("{PATH}?_format=json")).await;
        assert!(resource.opened().json()["data"] == encode(&bytes(length)));
        assert_eq!(resource.header("content-length"), Some(resource.body.len().to_string().as_str()));
        for path in [PATH.to_owned(), format!("{PATH}?_format=json")] {
            let (head, get) = (amina.head(&path).await, amina.get(&path).await);
            assert_eq!((head.status, head.body.len()), (200, 0));
            assert_eq!(head.header("content-length"), get.header("content-length"), "{path}");
        }
    }
}

// gaps: Records and reach > Content of a Binary
#[tokio::test]
async fn a_range_of_bytes_is_sent_as_a_part_across_pieces_and_what_is_none_is_the_whole() {
    let w = World::new().await;
    let all = bytes(2 * PIECE_BYTES + 10);
    large_letter(&w, &all).await;
    let amina = w.amina().caller().await;
    let length = all.len();
    for (range, from, until) in [
        ("bytes=0-0".to_owned(), 0, 1),
        (format!("bytes={}-{}", PIECE_BYTES - 1, PIECE_BYTES), PIECE_BYTES - 1, PIECE_BYTES + 1),
        (format!("bytes=5-{}", 2 * PIECE_BYTES + 3), 5, 2 * PIECE_BYTES + 4),
        (format!("bytes={PIECE_BYTES}-"), PIECE_BYTES, length),
        ("bytes=-3".to_owned(), length - 3, length),
    ] {
        for path in [PATH, "/json/attachments/large"] {
            let part = amina.get_with(path, &[("range", &range)]).await;
            assert_eq!((part.status, part.body.len()), (206, until - from), "{range} {path}");
            assert!(part.body == all[from..until], "{range} {path}");
            let expected = format!("bytes {from}-{}/{length}", until - 1);
            assert_eq!(part.header("content-range"), Some(expected.as_str()));
            assert_eq!(part.header("content-length"), Some((until - from).to_string().as_str()));
        }
    }
    let beyond = format!("bytes={length}-");
    let refused = amina.get_with(PATH, &[("range", &beyond)]).await;
    refused.says(416, "RANGE_NOT_SATISFIABLE");
    assert_eq!(refused.header("content-range"), Some(format!("bytes */{length}").as_str()));
    amina.get_with("/json/attachments/large", &[("range", &beyond)]).await.says_in_rest(416, "the content has");
    for headers in [
        [("range", "bytes=0-1,3-4"), ("accept", "*/*")],
        [("range", "pages=0-1"), ("accept", "*/*")],
        [("range", "bytes=0-1"), ("if-range", "W/\"7\"")],
        [("range", "bytes=0-1"), ("accept", "application/fhir+json")],
    ] {
        let whole = amina.get_with(PATH, &headers).await;
        assert!(whole.status == 200 && whole.body.len() >= length, "{headers:?}");
    }
    let current = amina.get_with(PATH, &[("range", "bytes=0-1"), ("if-range", "W/\"1\"")]).await;
    assert_eq!((current.status, current.body.len()), (206, 2));
    let held = amina.get_with(PATH, &[("range", "bytes=0-1"), ("if-none-match", "W/\"1\"")]).await;
    assert_eq!((held.status, held.body.len()), (304, 0));
}

/// Whatever delivers bytes of the content opens it; what delivers none does not.
// gaps: Records and reach > Read receipts
#[tokio::test]
async fn a_range_opens_a_letter_and_a_range_that_there_is_not_does_not() {
    for range in ["bytes=0-0", "bytes=1-", "bytes=-1"] {
        let w = World::new().await;
        large_letter(&w, b"Dear Amina").await;
        let amina = w.amina().caller().await;
        assert_eq!(amina.get_with(PATH, &[("range", "bytes=10-")]).await.status, 416);
        assert_eq!(amina.send(Method::HEAD, PATH, &[("range", range)], String::new()).await.status, 200);
        assert_eq!(amina.get_with(PATH, &[("range", range), ("if-none-match", "*")]).await.status, 304);
        let okafor = w.dr_okafor().caller().await;
        assert_eq!(okafor.get_with(PATH, &[("range", range)]).await.status, 206);
        assert!(!is_read(&w).await, "{range}");
        assert_eq!(amina.get_with(PATH, &[("range", range)]).await.status, 206);
        assert!(is_read(&w).await, "{range}");
    }
}

/// What is damaged at its beginning is 500; what is damaged behind it breaks off there, and nobody takes it for whole.
// gaps: Records and reach > A record that changed on disk
#[tokio::test]
async fn a_damaged_piece_is_never_sent_and_the_letter_is_not_read_if_it_is_the_first() {
    let w = World::new().await;
    large_letter(&w, &bytes(3 * PIECE_BYTES)).await;
    let amina = w.amina().caller().await;
    damage::piece(&w, 2);
    for path in [PATH.to_owned(), format!("{PATH}?_format=json")] {
        let answer = w.answers(amina.get_request(&path)).await;
        assert_eq!(answer.status(), 200);
        let mut body = answer.into_body();
        let mut taken = 0;
        let ended = loop {
            match body.frame().await.expect("it does not end in silence") {
                Ok(frame) => taken += frame.into_data().unwrap().len(),
                Err(error) => break error.to_string(),
            }
        };
        assert!(taken >= 2 * PIECE_BYTES && ended.contains("could not be sent to its end"), "{taken} {ended}");
    }
    assert_eq!(amina.get_with(PATH, &[("range", "bytes=0-9")]).await.status, 206, "what is whole can be had");
    let w = World::new().await;
    large_letter(&w, &bytes(2 * PIECE_BYTES)).await;
    damage::piece(&w, 0);
    w.amina().caller().await.get(PATH).await.says(500, "TROUBLE");
    assert!(!is_read(&w).await);
}

/// Whoever takes a content slowly is not given another one in the middle.
#[tokio::test]
async fn a_content_that_is_being_taken_stays_what_it_was_when_another_version_comes() {
    let w = World::new().await;
    large_letter(&w, &bytes(3 * PIECE_BYTES)).await;
    let amina = w.amina().caller().await;
    let mut body = w.answers(amina.get_request(PATH)).await.into_body();
    let mut taken = body.frame().await.unwrap().unwrap().into_data().unwrap().to_vec();
    large_letter(&w, b"another").await;
    while let Some(frame) = body.frame().await {
        taken.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    assert!(taken == bytes(3 * PIECE_BYTES));
    assert_eq!(amina.get(PATH).await.body, b"another");
}

/// However large the letters are, whoever does not take them holds two pieces of each.
// gaps: The two APIs > Answers left unread
#[tokio::test]
async fn a_letter_that_is_not_taken_holds_no_more_than_its_pieces_under_way() {
    let w = World::with(|settings| settings.connections.unread_per_caller = 20 * SMALL_ANSWER_BYTES).await;
    large_letter(&w, &bytes(40 * PIECE_BYTES)).await;
    let amina = w.amina().caller().await;
    let mut left = Vec::new();
    for _ in 0..3 {
        let answer = w.answers(amina.get_request(PATH)).await;
        assert_eq!(answer.status(), 200);
        left.push(answer);
    }
    amina.get(PATH).await.says(429, "TOO_MUCH_UNREAD");
    let piece = left.pop().unwrap().into_body().frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(piece.len(), PIECE_BYTES);
    amina.get(PATH).await.says(429, "TOO_MUCH_UNREAD");
    drop(piece);
    assert!(amina.get(PATH).await.body == bytes(40 * PIECE_BYTES), "when one is gone there is room for another");
}

async fn history(caller: &Caller<'_>, path: &str) -> serde_json::Value {
    caller.get(&format!("{path}/_history")).await.opened().json()
}

// gaps: Records and reach > Content of a Binary
#[tokio::test]
async fn a_history_has_the_versions_of_a_binary_without_their_content() {
    let w = World::new().await;
    large_letter(&w, b"one").await;
    large_letter(&w, b"two").await;
    let system = w.system().await;
    let entries = history(&system, PATH).await["entry"].as_array().unwrap().clone();
    assert_eq!(entries.len(), 2);
    for entry in entries {
        assert_eq!((entry["resource"].get("data"), &entry["resource"]["contentType"]), (None, &json!("text/plain")));
    }
    for (version, content) in [(1, "one"), (2, "two")] {
        assert_eq!(system.get(&format!("{PATH}/_history/{version}")).await.text(), content);
    }
}
