//! `GET /fhir/DocumentReference/{id}`.

use crate::records_world::World;

const LETTER: &str = "/fhir/DocumentReference/letter";

#[tokio::test]
async fn a_document_is_read_by_its_patient_their_team_and_the_organisation_it_belongs_to() {
    let w = World::new().await;
    for caller in [w.amina().await, w.clinician().await, w.coordinator().await, w.site().await, w.system().await] {
        let answer = caller.get(LETTER).await;
        assert_eq!(answer.ok()["identifier"][0]["value"], "N-1");
        assert_eq!(answer.header("etag"), "W/\"1\"");
    }
}

#[tokio::test]
async fn a_document_out_of_reach_is_not_there() {
    let w = World::new().await;
    for caller in [w.bert().await, w.system_for_south().await] {
        let words = caller.get(LETTER).await.refused(404, "NOT_FOUND");
        assert_eq!(words, caller.get("/fhir/DocumentReference/none").await.refused(404, "NOT_FOUND"));
    }
}

#[tokio::test]
async fn a_version_that_the_caller_has_is_not_sent_again() {
    let w = World::new().await;
    assert_eq!(w.amina().await.get_with(LETTER, &[("if-none-match", "W/\"1\"")]).await.status, 304);
}
