//! `GET /fhir/Patient/{id}`.

use crate::kit::{NOW, World};

#[tokio::test]
async fn a_patient_reads_their_own_record_and_nobody_elses() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    assert_eq!(amina.get("/fhir/Patient/amina").await.opened().json()["birthDate"], "1984-02-29");
    amina.get("/fhir/Patient/ben").await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_team_reads_patients_registered_with_it_and_no_others() {
    let w = World::new().await;
    for caller in [w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        assert_eq!(caller.get("/fhir/Patient/amina").await.opened().json()["id"], "amina");
        caller.get("/fhir/Patient/ben").await.says(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_system_client_reads_only_what_belongs_to_the_organisation_it_names() {
    let w = World::new().await;
    let (riverside, hillside) = (w.system().await, w.system_for_hillside().await);
    assert_eq!(riverside.get("/fhir/Patient/amina").await.status, 200);
    riverside.get("/fhir/Patient/ben").await.says(404, "NOT_FOUND");
    assert_eq!(hillside.get("/fhir/Patient/ben").await.status, 200);
    hillside.get("/fhir/Patient/amina").await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn out_of_reach_and_not_there_and_malformed_are_the_same_answer() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let foreign = amina.get("/fhir/Patient/ben").await;
    let words = foreign.words(404, "NOT_FOUND");
    for path in ["/fhir/Patient/nobody", "/fhir/Patient/a%20b", "/fhir/Patient/%ff", "/fhir/Patient/letter-amina"] {
        assert_eq!(amina.get(path).await.words(404, "NOT_FOUND"), words, "{path}");
    }
}

#[tokio::test]
async fn an_answer_carries_its_version_and_its_media_type() {
    let w = World::new().await;
    let answer = w.amina().caller().await.get_with("/fhir/Patient/amina", &[("accept", "application/fhir+json")]).await;
    assert_eq!(answer.header("content-type"), Some("application/fhir+json; charset=UTF-8"));
    assert_eq!(answer.header("etag"), Some("W/\"1\""));
    assert_eq!(answer.header("last-modified"), Some("Sun, 15 Nov 2026 09:30:00 GMT"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let meta = &answer.opened().json()["meta"];
    assert_eq!((&meta["versionId"], &meta["lastUpdated"]), (&"1".into(), &NOW.into()));
}

#[tokio::test]
async fn a_version_that_the_caller_has_is_not_sent_again() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for held in ["W/\"1\"", "\"1\"", "W/\"7\", W/\"1\"", "*"] {
        let answer = amina.get_with("/fhir/Patient/amina", &[("if-none-match", held)]).await;
        assert_eq!((answer.status, answer.body.len(), answer.header("etag")), (304, 0, Some("W/\"1\"")), "{held}");
    }
    assert_eq!(amina.get_with("/fhir/Patient/amina", &[("if-none-match", "W/\"2\"")]).await.status, 200);
    let foreign = amina.get_with("/fhir/Patient/ben", &[("if-none-match", "*")]).await;
    foreign.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn answers_are_json_or_not_at_all() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for takes in ["*/*", "application/*", "application/json", "text/html, */*;q=0.1", "application/fhir+json;q=0.9"] {
        assert_eq!(amina.get_with("/fhir/Patient/amina", &[("accept", takes)]).await.status, 200, "{takes}");
    }
    amina.get_with("/fhir/Patient/amina", &[("accept", "application/fhir+xml")]).await.says(406, "NOT_ACCEPTABLE");
    amina.get("/fhir/Patient/amina?_format=xml").await.says(406, "NOT_ACCEPTABLE");
    assert_eq!(amina.get("/fhir/Patient/amina?_format=application/fhir+json").await.status, 200);
}

#[tokio::test]
async fn a_token_in_the_query_is_an_unknown_parameter() {
    let w = World::new().await;
    let words = w.amina().caller().await.get("/fhir/Patient/amina?access_token=rga_x").await.words(400, "BAD_REQUEST");
    assert!(!words.contains("rga_x"), "{words}");
}

#[tokio::test]
async fn every_kind_of_record_needs_a_token() {
    let w = World::new().await;
    for path in [
        "/fhir/Patient/amina",
        "/fhir/Patient",
        "/fhir/DocumentReference/letter-amina",
        "/fhir/Binary/letter-text-amina",
    ] {
        let request = axum::http::Request::get(path).body(axum::body::Body::empty()).unwrap();
        w.send(request).await.says(401, "BAD_AUTHENTICATION");
    }
}
