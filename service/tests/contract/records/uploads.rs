//! Content on its way in: of any media type as it is, in a Binary, or inside a document; and who may replace it.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, LETTER_TEXT, letter};
use crate::kit::reply::Reply;
use crate::kit::{BASE, World};
use axum::http::Method;
use fhir::base64_binary::encode;
use serde_json::{Value, json};

const FHIR: (&str, &str) = ("content-type", "application/fhir+json");
const PDF: (&str, &str) = ("content-type", "application/pdf");

async fn post(caller: &Caller<'_>, headers: &[(&'static str, &str)], body: impl Into<Vec<u8>>) -> Reply {
    caller.send(Method::POST, "/fhir/Binary", headers, body.into()).await
}

async fn put(caller: &Caller<'_>, path: &str, headers: &[(&'static str, &str)], body: impl Into<Vec<u8>>) -> Reply {
    caller.send(Method::PUT, path, headers, body.into()).await
}

/// The path of what was created.
fn path_of(created: &Reply) -> String {
    assert_eq!(created.status, 201, "{}", created.text());
    format!("/fhir/Binary/{}", created.json()["id"].as_str().unwrap())
}

// gaps: Records and reach > Content of a Binary
#[tokio::test]
async fn content_of_any_media_type_is_stored_as_it_is_and_given_back_as_it_was() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        for (media_type, bytes) in [
            ("application/pdf", b"%PDF-1.7\n\x00\xff".as_slice()),
            ("text/plain; charset=utf-8", "Grüße".as_bytes()),
            ("application/json", br#"{"a": 1}"#),
            ("application/x-nobody-knows", b""),
        ] {
            let created =
                post(&caller, &[("content-type", media_type), ("x-security-context", "Patient/amina")], bytes).await;
            let path = path_of(&created);
            let resource = created.json();
            assert_eq!((&resource["resourceType"], &resource["contentType"]), (&json!("Binary"), &json!(media_type)));
            assert_eq!(resource["securityContext"]["reference"], "Patient/amina");
            let data = (!bytes.is_empty()).then(|| Value::from(encode(bytes)));
            assert_eq!(resource.get("data"), data.as_ref());
            assert_eq!(created.header("location"), Some(format!("{BASE}{path}/_history/1").as_str()));
            assert_eq!(created.header("etag"), Some("W/\"1\""));
            let content = caller.get(&path).await;
            assert_eq!((content.status, content.body.as_slice()), (200, bytes));
            assert_eq!(content.header("content-type"), Some(media_type));
            assert_eq!(caller.get(&format!("{path}?_format=json")).await.json(), resource);
        }
    }
}

// gaps: Records and reach > Content of a Binary
#[tokio::test]
async fn a_binary_in_json_is_stored_as_the_resource_that_it_is() {
    let w = World::new().await;
    let system = w.system().await;
    let binary = json!({ "resourceType": "Binary", "id": "ignored", "contentType": "text/plain", "data": "SGk=" });
    for media_type in ["application/fhir+json", "application/json"] {
        let created = post(&system, &[("content-type", media_type)], binary.to_string()).await;
        assert_eq!((created.json()["data"].as_str(), created.json()["id"] == "ignored"), (Some("SGk="), false));
        assert_eq!(system.get(&path_of(&created)).await.text(), "Hi");
    }
    let minimal = post(&system, &[FHIR, ("prefer", "return=minimal")], binary.to_string()).await;
    assert_eq!((minimal.status, minimal.body.len()), (201, 0));
    assert!(minimal.header("location").unwrap().contains("/fhir/Binary/"));
}

// gaps: Records and reach > Content of a Binary
#[tokio::test]
async fn what_cannot_be_stored_is_refused_with_the_reason() {
    let w = World::with(|settings| settings.api_body_bytes = 100).await;
    let amina = w.amina().caller().await;
    post(&amina, &[], "x").await.says(415, "UNSUPPORTED_MEDIA_TYPE");
    post(&amina, &[("content-type", "nonsense")], "x").await.says(415, "UNSUPPORTED_MEDIA_TYPE");
    post(&amina, &[("content-type", "application/fhir+xml")], "<Binary/>").await.says(415, "UNSUPPORTED_MEDIA_TYPE");
    post(&amina, &[PDF], vec![b'x'; 101]).await.says(413, "TOO_LARGE");
    post(&amina, &[FHIR], "{").await.says(400, "BAD_REQUEST");
    post(&amina, &[FHIR], vec![0xff]).await.says(400, "BAD_REQUEST");
    post(&amina, &[FHIR], r#"{"resourceType":"Patient"}"#).await.says(400, "BAD_REQUEST");
    post(&amina, &[FHIR], r#"{"resourceType":"Binary","data":"%"}"#).await.says(422, "UNPROCESSABLE");
    post(&amina, &[FHIR], r##"{"resourceType":"Binary","data":"#1:00"}"##).await.says(422, "UNPROCESSABLE");
    let long = "x".repeat(2000);
    post(&amina, &[PDF, ("x-security-context", &long)], "x").await.says(400, "BAD_REQUEST");
    for condition in ["if-none-exist", "if-match", "if-none-match"] {
        post(&amina, &[PDF, (condition, "x")], "x").await.says(400, "BAD_REQUEST");
    }
    post(&w.grace().caller().await, &[PDF], "x").await.says(403, "USER_TYPE_NOT_PERM");
}

// gaps: The two APIs > Who may write over FHIR
#[tokio::test]
async fn only_its_own_source_replaces_a_binary() {
    let w = World::new().await;
    let (amina, okafor, system) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
    let path = path_of(&post(&okafor, &[PDF], "first").await);
    let second = put(&okafor, &path, &[PDF], "second").await;
    assert_eq!((second.status, second.header("etag"), second.header("location")), (200, Some("W/\"2\""), None));
    assert_eq!(okafor.get(&path).await.text(), "second");
    assert_eq!(okafor.get(&format!("{path}/_history/1")).await.text(), "first");
    let again = put(&okafor, &path, &[PDF], "second").await;
    assert_eq!((again.status, again.header("etag")), (200, Some("W/\"2\"")), "the same again is no version");
    put(&w.site().await, &path, &[PDF], "third").await.opened();
    put(&system, &path, &[PDF], "forged").await.says(403, "NOT_SOURCE");
    put(&amina, &path, &[PDF], "forged").await.says(404, "NOT_FOUND");
    put(&w.system_for_hillside().await, &path, &[PDF], "forged").await.says(404, "NOT_FOUND");
    put(&amina, "/fhir/Binary/letter-text-amina", &[PDF], "forged").await.says(403, "NOT_SOURCE");
    assert_eq!(okafor.get(&path).await.text(), "third");
    assert_eq!(amina.get("/fhir/Binary/letter-text-amina").await.text(), LETTER_TEXT);
    let other =
        json!({ "resourceType": "Binary", "id": "other", "contentType": "text/plain", "data": "SGk=" }).to_string();
    put(&okafor, &path, &[FHIR], other).await.says(400, "BAD_REQUEST");
}

// gaps: Records and reach > Update as create
#[tokio::test]
async fn only_a_system_client_chooses_the_id_of_a_binary() {
    let w = World::new().await;
    let system = w.system().await;
    let path = format!("/fhir/Binary/{}", uuid::Uuid::from_u128(7));
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await] {
        put(&caller, &path, &[PDF], "x").await.says(404, "NOT_FOUND");
    }
    let created = put(&system, &path, &[PDF], "x").await;
    assert_eq!(created.status, 201, "{}", created.text());
    assert_eq!(created.header("location"), Some(format!("{BASE}{path}/_history/1").as_str()));
    put(&system, "/fhir/Binary/chosen", &[PDF], "x").await.says(405, "METHOD_NOT_ALLOWED");
    put(&system, "/fhir/Binary/a%20b", &[PDF], "x").await.says(404, "NOT_FOUND");
}

// gaps: Records and reach > Content inside a document
#[tokio::test]
async fn what_a_document_is_sent_with_becomes_a_binary_that_opens_with_the_callers_token_only() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        let mut sent = letter(AMINA);
        sent["content"][0]["attachment"]["title"] = json!("Hello");
        let created = caller.post("/fhir/DocumentReference", &sent).await;
        assert_eq!(created.status, 201, "{}", created.text());
        let attachment = created.json()["content"][0]["attachment"].clone();
        let url = attachment["url"].as_str().unwrap().to_owned();
        let expected = json!({ "contentType": "text/plain", "title": "Hello", "url": url, "size": 5,
            "hash": "9/+ei3uy4Jtwk1pdeF4MxdnQq/A=" });
        assert_eq!(attachment, expected);
        let id = url.strip_prefix("Binary/").unwrap();
        assert_eq!(uuid::Uuid::try_parse(id).expect("an id as others have").hyphenated().to_string(), id);
        let path = format!("/fhir/{url}");
        for reader in [w.amina().caller().await, w.dr_okafor().caller().await] {
            let content = reader.get(&path).await;
            assert_eq!((content.status, content.text().as_str()), (200, "Hello"));
            assert_eq!(content.header("content-type"), Some("text/plain"));
        }
        w.ben().caller().await.get(&path).await.says(404, "NOT_FOUND");
        w.system_for_hillside().await.get(&path).await.says(404, "NOT_FOUND");
        w.get(&path).await.says(401, "BAD_AUTHENTICATION");
    }
}

// gaps: Records and reach > Content inside a document
#[tokio::test]
async fn a_document_whose_content_is_not_what_it_says_is_refused_and_nothing_of_it_is_stored() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    for (member, value) in [("size", json!(6)), ("hash", json!("AAAA")), ("data", json!("%"))] {
        let mut sent = letter(AMINA);
        sent["content"][0]["attachment"][member] = value;
        let words = okafor.post("/fhir/DocumentReference", &sent).await.words(422, "UNPROCESSABLE");
        assert!(words.contains(member), "{words}");
    }
    let mut sent = letter(AMINA);
    sent["subject"]["reference"] = json!("Patient/nobody");
    okafor.post("/fhir/DocumentReference", &sent).await.says(422, "UNPROCESSABLE");
}
