//! `GET /fhir/Binary/{id}`: the content, or the resource around it.

use crate::records_world::World;

const CONTENT: &str = "/fhir/Binary/letter-content";

#[tokio::test]
async fn without_an_accept_for_fhir_the_content_itself_is_sent() {
    let w = World::new().await;
    let amina = w.amina().await;
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "text/plain")], &[("accept", "application/pdf")]] {
        let answer = amina.get_with(CONTENT, headers).await;
        assert_eq!((answer.status, answer.bytes.as_slice()), (200, b"Dear Amina".as_slice()));
        assert_eq!(answer.header("content-type"), "text/plain");
        assert_eq!(answer.header("etag"), "W/\"1\"");
    }
}

#[tokio::test]
async fn content_is_inert_in_a_browser() {
    let w = World::new().await;
    let answer = w.amina().await.get(CONTENT).await;
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(answer.header("content-security-policy").contains("sandbox"));
    assert!(answer.header("content-disposition").starts_with("attachment"));
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn who_asks_for_fhir_gets_the_resource() {
    let w = World::new().await;
    let answer = w.amina().await.get_with(CONTENT, &[("accept", "application/fhir+json")]).await;
    assert_eq!(answer.header("content-type"), "application/fhir+json");
    assert_eq!(answer.ok()["data"], "RGVhciBBbWluYQ==");
    assert_eq!(w.amina().await.get(&format!("{CONTENT}?_format=json")).await.ok()["id"], "letter-content");
    w.amina().await.get(&format!("{CONTENT}?_format=xml")).await.refused(406, "NOT_ACCEPTABLE");
}

#[tokio::test]
async fn content_is_within_reach_through_the_document_that_carries_it() {
    let w = World::new().await;
    for caller in [w.amina().await, w.clinician().await, w.coordinator().await, w.site().await, w.system().await] {
        assert_eq!(caller.get(CONTENT).await.status, 200);
        caller.get("/fhir/Binary/bert-content").await.refused(404, "NOT_FOUND");
    }
    for caller in [w.bert().await, w.system_for_south().await] {
        caller.get(CONTENT).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn content_of_no_known_type_is_octets() {
    let w = World::new().await;
    let answer = w.bert().await.get("/fhir/Binary/bert-content").await;
    assert_eq!(
        (answer.header("content-type"), answer.bytes.as_slice()),
        ("application/octet-stream", b"Bert".as_slice())
    );
}
