//! `PUT /fhir/{type}/{id}`: the next version, by its own source and by nobody else.

use super::bundles::sends;
use crate::kit::records::{AMINA, BEN, import, observation};
use crate::kit::reply::Reply;
use crate::kit::{BASE, HILLSIDE, MINUTE, RIVERSIDE, World};
use rules::clients::ClientIds;
use serde_json::{Value, json};

const FREE: &str = "0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b92";
const CHOSEN: &str = "0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b90";

/// What is stored at a path, as somebody changed it.
fn with_status(reply: &Reply, status: &str) -> Value {
    let mut changed = reply.opened().json();
    changed["status"] = json!(status);
    changed
}

#[tokio::test]
async fn its_source_stores_the_next_version() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        let path = caller.makes(&observation(AMINA)).await;
        let changed = with_status(&caller.get(&path).await, "amended");
        w.after(MINUTE);
        let reply = caller.put(&path, &changed).await;
        assert_eq!((reply.opened().header("etag"), reply.header("location")), (Some("W/\"2\""), None));
        assert_eq!((&reply.json()["meta"]["versionId"], &reply.json()["status"]), (&json!("2"), &json!("amended")));
        assert_eq!(caller.get(&path).await.json(), reply.json());
        assert_eq!(caller.get(&format!("{path}/_history/1")).await.json()["status"], "final");
        let again = caller.put(&path, &changed).await;
        assert_eq!(again.opened().header("etag"), Some("W/\"2\""), "the same again is no version");
        assert_eq!(again.json(), reply.json());
    }
}

// gaps: The two APIs > Who may write over FHIR
#[tokio::test]
async fn another_source_is_refused_and_hears_no_more_than_it_may_see() {
    let w = World::new().await;
    let path = w.dr_okafor().caller().await.makes(&observation(AMINA)).await;
    let changed = with_status(&w.dr_okafor().caller().await.get(&path).await, "cancelled");
    for seeing in [w.amina().caller().await, w.system().await] {
        seeing.put(&path, &changed).await.says(403, "NOT_SOURCE");
    }
    w.grace().caller().await.put(&path, &changed).await.says(403, "USER_TYPE_NOT_PERM");
    for unseeing in [w.ben().caller().await, w.dr_silva().caller().await] {
        unseeing.put(&path, &changed).await.says(404, "NOT_FOUND");
    }
    // One who may choose ids hears what it hears of an id that nobody has.
    let hillside = w.system_for_hillside().await;
    let refused = hillside.put(&path, &changed).await.words(422, "UNPROCESSABLE");
    let mut chosen = changed.clone();
    chosen["id"] = json!(CHOSEN);
    let absent = hillside.put(&format!("/fhir/Observation/{CHOSEN}"), &chosen).await;
    assert_eq!(absent.words(422, "UNPROCESSABLE"), refused);
    assert_eq!(w.site().await.put(&path, &changed).await.status, 200, "the team is the same source");
}

// gaps: FHIR, where R4 leaves it open > `If-Match`
#[tokio::test]
async fn if_match_is_heeded() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let changed = with_status(&okafor.get(&path).await, "amended");
    for tag in ["W/\"2\"", "\"7\"", "W/\"x\""] {
        let words = okafor.put_if(&path, &changed, &[("if-match", tag)]).await.words(412, "PRECONDITION_FAILED");
        assert!(words.contains("the version that is there is 1"), "{words}");
    }
    okafor.put_if(&path, &changed, &[("if-match", "1")]).await.says(400, "BAD_REQUEST");
    assert_eq!(okafor.get(&path).await.json()["status"], "final");
    okafor.put_if(&path, &changed, &[("if-match", "W/\"1\"")]).await.opened();
    okafor.put_if(&path, &with_status(&okafor.get(&path).await, "final"), &[("if-match", "*")]).await.opened();
    okafor.put_if(&path, &changed, &[("if-none-match", "*")]).await.says(400, "BAD_REQUEST");
    let new = json!({ "resourceType": "Practitioner", "id": CHOSEN });
    let absent = w.system().await.put_if(&format!("/fhir/Practitioner/{CHOSEN}"), &new, &[("if-match", "*")]).await;
    absent.says(412, "PRECONDITION_FAILED");
}

#[tokio::test]
async fn of_two_who_change_the_same_version_one_wins() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let first = okafor.get(&path).await;
    let mut statuses = Vec::new();
    for status in ["amended", "corrected"] {
        let reply = okafor.put_if(&path, &with_status(&first, status), &[("if-match", "W/\"1\"")]).await;
        statuses.push(reply.status);
    }
    assert_eq!(statuses, [200, 412]);
    assert_eq!(okafor.get(&path).await.json()["status"], "amended");
}

// gaps: Records and reach > Update as create
#[tokio::test]
async fn only_a_system_client_chooses_an_id_and_only_a_uuid() {
    let w = World::new().await;
    let system = w.system().await;
    let mut chosen = observation(AMINA);
    chosen["id"] = json!(CHOSEN);
    let path = format!("/fhir/Observation/{CHOSEN}");
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await] {
        caller.put(&path, &chosen).await.says(404, "NOT_FOUND");
    }
    let created = system.put(&path, &chosen).await;
    assert_eq!(created.status, 201, "{}", created.text());
    assert_eq!(created.header("location"), Some(format!("{BASE}{path}/_history/1").as_str()));
    for id in ["weight-1", &CHOSEN.to_uppercase(), &CHOSEN.replace('-', "")] {
        chosen["id"] = json!(id);
        let refused = system.put(&format!("/fhir/Observation/{id}"), &chosen).await;
        let words = refused.words(405, "METHOD_NOT_ALLOWED");
        assert!(words.contains("must be a UUID"), "{words}");
        assert!(refused.header("allow").is_some_and(|allowed| allowed.contains("PUT")), "{refused:?}");
    }
    w.system_for_hillside().await.put(&path, &observation(BEN)).await.says(400, "BAD_REQUEST");
    let mut taken = observation(BEN);
    taken["id"] = json!(CHOSEN);
    w.system_for_hillside().await.put(&path, &taken).await.says(404, "NOT_FOUND");
    for (path, id) in [(path.as_str(), CHOSEN), (format!("/fhir/Observation/{FREE}").as_str(), FREE)] {
        taken["id"] = json!(id);
        for tag in ["W/\"1\"", "*"] {
            let hillside = w.system_for_hillside().await;
            let words = hillside.put_if(path, &taken, &[("if-match", tag)]).await.words(412, "PRECONDITION_FAILED");
            assert_eq!(words, "If-Match demands a version, and there is none", "free or taken: one answer");
            let of_criteria = "/fhir/Observation?identifier=urn:lab|none";
            let reply = hillside.put_if(of_criteria, &taken, &[("if-match", tag)]).await;
            assert_eq!(reply.words(412, "PRECONDITION_FAILED"), words);
            let mut entry = sends("PUT", path.strip_prefix("/fhir/").unwrap(), &taken);
            entry["request"]["ifMatch"] = json!(tag);
            assert_eq!(hillside.is_refused(&[entry], 412).await.1, format!("Bundle.entry[0]: {words}"));
        }
    }
    taken["id"] = json!(CHOSEN);
    let another = "/fhir/Observation/0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b91";
    system.put(another, &taken).await.says(400, "BAD_REQUEST");
}

#[tokio::test]
async fn an_update_is_held_to_what_a_create_is_held_to() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let mut moved = okafor.get(&path).await.json();
    moved["subject"]["reference"] = json!("Patient/ben");
    okafor.put(&path, &moved).await.says(422, "UNPROCESSABLE");
    okafor.put(&path, &with_status(&okafor.get(&path).await, "sure")).await.says(422, "UNPROCESSABLE");
    let system = w.system().await;
    let amina = with_member(system.get("/fhir/Patient/amina").await.json(), "gender", "other");
    assert_eq!(system.put("/fhir/Patient/amina", &amina).await.status, 200);
    w.amina().caller().await.put("/fhir/Patient/amina", &amina).await.says(403, "NOT_SOURCE");
}

fn with_member(mut resource: Value, member: &str, value: &str) -> Value {
    resource[member] = json!(value);
    resource
}

/// The answer is the same where another has it, so that nobody learns which ids are taken.
// gaps: Records and reach > Ids that clients choose
#[tokio::test]
async fn an_id_that_is_no_uuid_is_refused_alike_whether_it_is_free_or_hidden() {
    let w = World::new().await;
    let hidden = json!({ "resourceType": "Basic", "id": "note-1", "code": { "text": "x" } });
    import(&w.app.store, HILLSIDE, std::slice::from_ref(&hidden), w.now()).await;
    let system = w.system().await;
    let mut free = hidden.clone();
    free["id"] = "note-2".into();
    let answers = [system.put("/fhir/Basic/note-1", &hidden).await, system.put("/fhir/Basic/note-2", &free).await];
    for answer in &answers {
        answer.says(405, "METHOD_NOT_ALLOWED");
    }
    assert_eq!(answers[0].text(), answers[1].text());
    let entry = json!({ "resource": free, "request": { "method": "PUT", "url": "Basic/note-2" } });
    let bundle = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [entry] });
    system.post("/fhir", &bundle).await.says(405, "METHOD_NOT_ALLOWED");
    w.dr_okafor().caller().await.put("/fhir/Basic/note-2", &free).await.says(404, "NOT_FOUND");
}

// gaps: Records and reach > Ids that clients choose
#[tokio::test]
async fn a_client_that_moves_in_keeps_its_ids_where_the_grant_says_so() {
    let w = World::new().await;
    let system = w.system().await;
    let mut note = json!({ "resourceType": "Basic", "id": "Note.0815-a", "code": { "text": "x" } });
    system.put("/fhir/Basic/Note.0815-a", &note).await.says(405, "METHOD_NOT_ALLOWED");
    w.grants_ids(RIVERSIDE, "Lab Link", Some(ClientIds::Any)).await;
    assert_eq!(system.put("/fhir/Basic/Note.0815-a", &note).await.status, 201);
    note["code"]["text"] = "y".into();
    assert_eq!(system.put("/fhir/Basic/Note.0815-a", &note).await.status, 200);
    note["id"] = "under_score".into();
    assert_eq!(system.put("/fhir/Basic/under_score", &note).await.status, 404, "no id of FHIR's");
    // A grant that says nothing of it leaves it as it is; one that says otherwise ends it, and what is there stays.
    w.grants_ids(RIVERSIDE, "Lab Link", None).await;
    note["id"] = "next".into();
    assert_eq!(system.put("/fhir/Basic/next", &note).await.status, 201);
    w.grants_ids(RIVERSIDE, "Lab Link", Some(ClientIds::Uuid)).await;
    note["id"] = "last".into();
    system.put("/fhir/Basic/last", &note).await.says(405, "METHOD_NOT_ALLOWED");
    note["id"] = "next".into();
    note["code"]["text"] = "z".into();
    assert_eq!(system.put("/fhir/Basic/next", &note).await.status, 200);
}
