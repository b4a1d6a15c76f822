//! `GET /fhir/Binary/{id}`: the content, or the resource around it.

use crate::kit::World;
use crate::kit::records::{LETTER_BASE64, LETTER_TEXT};

const CONTENT: &str = "/fhir/Binary/letter-text-amina";

#[tokio::test]
async fn without_an_accept_for_fhir_the_content_itself_is_sent() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "text/plain")], &[("accept", "application/pdf")]] {
        let answer = amina.get_with(CONTENT, headers).await;
        assert_eq!((answer.status, answer.body.as_slice()), (200, LETTER_TEXT.as_bytes()));
        assert_eq!(answer.header("content-type"), Some("text/plain"));
        assert_eq!(answer.header("etag"), Some("W/\"1\""));
    }
}

#[tokio::test]
async fn content_is_inert_in_a_browser() {
    let w = World::new().await;
    let answer = w.amina().caller().await.get(CONTENT).await;
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(answer.header("content-security-policy").unwrap().contains("sandbox"));
    assert!(answer.header("content-disposition").unwrap().starts_with("attachment"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn who_asks_for_fhir_gets_the_resource() {
    let w = World::new().await;
    let answer = w.amina().caller().await.get_with(CONTENT, &[("accept", "application/fhir+json")]).await;
    assert_eq!(answer.header("content-type"), Some("application/fhir+json; charset=UTF-8"));
    assert_eq!(answer.opened().json()["data"], LETTER_BASE64);
    assert_eq!(
        w.amina().caller().await.get(&format!("{CONTENT}?_format=json")).await.opened().json()["id"],
        "letter-text-amina"
    );
    w.amina().caller().await.get(&format!("{CONTENT}?_format=xml")).await.says(406, "NOT_ACCEPTABLE");
}

#[tokio::test]
async fn content_is_within_reach_through_the_document_that_carries_it() {
    let w = World::new().await;
    for caller in [
        w.amina().caller().await,
        w.dr_okafor().caller().await,
        w.grace().caller().await,
        w.site().await,
        w.system().await,
    ] {
        assert_eq!(caller.get(CONTENT).await.status, 200);
        caller.get("/fhir/Binary/letter-text-ben").await.says(404, "NOT_FOUND");
    }
    for caller in [w.ben().caller().await, w.system_for_hillside().await] {
        caller.get(CONTENT).await.says(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn content_of_no_known_type_is_octets() {
    let w = World::new().await;
    let answer = w.ben().caller().await.get("/fhir/Binary/letter-text-ben").await;
    assert_eq!(
        (answer.header("content-type"), answer.body.as_slice()),
        (Some("application/octet-stream"), LETTER_TEXT.as_bytes())
    );
}
