//! `GET /json/attachments/{id}`.

use crate::kit::World;
use crate::kit::records::LETTER_TEXT;

#[tokio::test]
async fn an_attachment_is_sent_by_the_id_of_its_document_or_of_its_binary() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        let by_document = caller.get("/json/attachments/letter-amina").await;
        assert_eq!((by_document.status, by_document.body.as_slice()), (200, LETTER_TEXT.as_bytes()));
        assert_eq!(by_document.header("content-type"), Some("text/plain"));
        assert_eq!(by_document.header("content-length"), Some("37"));
        assert_eq!(by_document.header("content-disposition"), Some("attachment; filename=\"Clinic letter.txt\""));
        assert_eq!(by_document.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(caller.get("/json/attachments/letter-text-amina").await.body, LETTER_TEXT.as_bytes());
        let inside = caller.get("/json/attachments/note").await;
        assert_eq!(
            (inside.header("content-type"), inside.body.as_slice()),
            (Some("text/html"), b"<b>Hi</b>".as_slice())
        );
    }
}

#[tokio::test]
async fn what_is_not_there_or_out_of_reach_is_404_with_a_message() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for id in ["none", "letter-ben", "letter-text-ben", "elsewhere", "amina", "a%20b", "%ff"] {
        let answer = amina.get(&format!("/json/attachments/{id}")).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (404, Some("application/json;charset=UTF-8")),
            "{id}"
        );
        assert_eq!(answer.json()["errorMessage"], "there is no attachment of this id that this caller may see");
    }
}

#[tokio::test]
async fn a_system_client_cannot_call_the_custom_rest_api() {
    let w = World::new().await;
    let answer = w.system().await.get("/json/attachments/letter-amina").await;
    assert_eq!(answer.status, 403);
    assert!(answer.json()["errorMessage"].as_str().unwrap().contains("System Client"));
}
