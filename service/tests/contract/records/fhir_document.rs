//! `GET /fhir/DocumentReference/{id}`.

use crate::kit::World;
use crate::kit::records::AMINA_LETTER_UUID;

const LETTER: &str = "/fhir/DocumentReference/letter-amina";

#[tokio::test]
async fn a_document_is_read_by_its_patient_their_team_and_the_organisation_it_belongs_to() {
    let w = World::new().await;
    for caller in [
        w.amina().caller().await,
        w.dr_okafor().caller().await,
        w.grace().caller().await,
        w.site().await,
        w.system().await,
    ] {
        let answer = caller.get(LETTER).await;
        assert_eq!(answer.opened().json()["identifier"][0]["value"], AMINA_LETTER_UUID);
        assert_eq!(answer.header("etag"), Some("W/\"1\""));
    }
}

#[tokio::test]
async fn a_document_out_of_reach_is_not_there() {
    let w = World::new().await;
    for caller in [w.ben().caller().await, w.system_for_hillside().await] {
        let words = caller.get(LETTER).await.words(404, "NOT_FOUND");
        assert_eq!(words, caller.get("/fhir/DocumentReference/none").await.words(404, "NOT_FOUND"));
    }
}

#[tokio::test]
async fn a_version_that_the_caller_has_is_not_sent_again() {
    let w = World::new().await;
    assert_eq!(w.amina().caller().await.get_with(LETTER, &[("if-none-match", "W/\"1\"")]).await.status, 304);
}
