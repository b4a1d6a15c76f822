//! `DELETE /fhir/{type}/{id}`: gone for everyone, with a history for those who might have seen it.

use crate::kit::caller::patient_search;
use crate::kit::records::{AMINA, AMINA_NHS, observation};
use crate::kit::{MINUTE, World};
use axum::http::Method;
use serde_json::json;

#[tokio::test]
async fn what_its_source_deletes_is_gone_and_stays_in_its_history() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        let path = caller.makes(&observation(AMINA)).await;
        w.after(MINUTE);
        let deleted = caller.delete(&path).await;
        assert_eq!((deleted.status, deleted.body.len(), deleted.header("etag")), (204, 0, Some("W/\"2\"")));
        let again = caller.delete(&path).await;
        assert_eq!((again.status, again.header("etag")), (204, Some("W/\"2\"")), "once more changes nothing");
        caller.get(&path).await.says(410, "GONE");
        assert_eq!(caller.head(&path).await.status, 410);
        caller.get(&format!("{path}/_history/2")).await.says(410, "GONE");
        assert_eq!(caller.get(&format!("{path}/_history/1")).await.opened().json()["status"], "final");
        let history = caller.get(&format!("{path}/_history")).await.opened().json();
        let entries = history["entry"].as_array().unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(
            (&entries[0]["request"]["method"], &entries[0]["response"]["status"]),
            (&json!("DELETE"), &json!("204"))
        );
        assert!(entries[0].get("resource").is_none() && entries[1].get("resource").is_some());
    }
}

// gaps: Records and reach > Deletion
#[tokio::test]
async fn a_deletion_is_told_to_those_who_might_have_seen_it_and_to_nobody_else() {
    let w = World::new().await;
    let path = w.dr_okafor().caller().await.makes(&observation(AMINA)).await;
    for seeing in [w.amina().caller().await, w.system().await] {
        seeing.delete(&path).await.says(403, "NOT_SOURCE");
    }
    w.grace().caller().await.delete(&path).await.says(403, "USER_TYPE_NOT_PERM");
    for unseeing in [w.ben().caller().await, w.dr_silva().caller().await, w.system_for_hillside().await] {
        assert_eq!(unseeing.delete(&path).await.status, 204, "as of what was never there");
    }
    w.dr_okafor().caller().await.get(&path).await.opened();
    assert_eq!(w.site().await.delete(&path).await.status, 204);
    for seeing in [w.amina().caller().await, w.grace().caller().await, w.system().await] {
        seeing.get(&path).await.says(410, "GONE");
        seeing.get(&format!("{path}/_history")).await.opened();
    }
    w.amina().caller().await.delete(&path).await.says(403, "NOT_SOURCE");
    for unseeing in [w.ben().caller().await, w.dr_silva().caller().await, w.system_for_hillside().await] {
        for path in
            [path.clone(), format!("{path}/_history"), format!("{path}/_history/1"), format!("{path}/_history/2")]
        {
            unseeing.get(&path).await.says(404, "NOT_FOUND");
        }
    }
}

#[tokio::test]
async fn only_the_version_that_is_demanded_is_deleted() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let delete = async |tag: &str| okafor.send(Method::DELETE, &path, &[("if-match", tag)], String::new()).await;
    delete("W/\"2\"").await.says(412, "PRECONDITION_FAILED");
    okafor.get(&path).await.opened();
    assert_eq!(delete("W/\"1\"").await.status, 204);
    okafor.get(&path).await.says(410, "GONE");
}

// gaps: Records and reach > Deletion
#[tokio::test]
async fn its_source_stores_it_again_as_the_version_after() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let first = okafor.get(&path).await.json();
    assert_eq!(okafor.delete(&path).await.status, 204);
    w.amina().caller().await.put(&path, &first).await.says(403, "NOT_SOURCE");
    w.ben().caller().await.put(&path, &first).await.says(404, "NOT_FOUND");
    for tag in ["W/\"1\"", "*", "W/\"3\""] {
        okafor.put_if(&path, &first, &[("if-match", tag)]).await.says(412, "PRECONDITION_FAILED");
    }
    let again = okafor.put_if(&path, &first, &[("if-match", "W/\"2\"")]).await;
    assert_eq!((again.status, again.header("etag")), (201, Some("W/\"3\"")), "who names the deletion knows of it");
    okafor.get(&path).await.opened();
    let history = okafor.get(&format!("{path}/_history")).await.opened().json();
    let methods: Vec<_> =
        history["entry"].as_array().unwrap().iter().map(|entry| entry["request"]["method"].clone()).collect();
    assert_eq!(methods, ["PUT", "DELETE", "POST"]);
}

#[tokio::test]
async fn what_is_deleted_is_found_by_nothing_and_written_about_by_nobody() {
    let w = World::new().await;
    let system = w.system().await;
    assert_eq!(system.delete("/fhir/Patient/amina").await.status, 204);
    for caller in [w.system().await, w.amina().caller().await, w.dr_okafor().caller().await] {
        let found = caller.get(&patient_search(AMINA_NHS)).await.opened().json();
        assert!(found.get("entry").is_none(), "{found}");
        assert!(caller.get("/fhir/Patient?_id=amina").await.opened().json().get("entry").is_none());
        caller.get("/fhir/Patient/amina").await.says(410, "GONE");
        caller.post("/fhir/Observation", &observation(AMINA)).await.says(422, "UNPROCESSABLE");
    }
}

#[tokio::test]
async fn a_deleted_binary_has_no_content_any_more_but_in_its_history() {
    let w = World::new().await;
    let system = w.system().await;
    let path = "/fhir/Binary/letter-text-amina";
    assert_eq!(system.delete(path).await.status, 204);
    system.get(path).await.says(410, "GONE");
    w.amina().caller().await.get(path).await.says(404, "NOT_FOUND");
    assert_eq!(system.get(&format!("{path}/_history/1")).await.status, 200);
    assert_eq!(w.amina().caller().await.get("/json/attachments/letter-amina").await.status, 404);
}

// gaps: Operation > Lines of what is written
#[tokio::test]
async fn a_deletion_is_a_line_of_the_patients_log() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    okafor.delete(&path).await;
    store::ledger::add(&w.app.store, w.now()).await.unwrap();
    let page = w.amina().signs_in().await.sees("/access-log").await;
    assert!(page.html.contains("Deleted"), "{}", page.html);
}
