//! Writes that depend on criteria: `If-None-Exist`, and `PUT`, `PATCH` and `DELETE` of `/fhir/{type}?…`.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::reply::Reply;
use crate::kit::{BASE, World};
use axum::http::Method;
use serde_json::{Value, json};

const SYSTEM: &str = "urn:lab";
const CHOSEN: &str = "0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b90";
/// Of callers at once.
const MANY: usize = 40;

fn result(patient: &str, number: &str) -> Value {
    let mut result = observation(patient);
    result["identifier"] = json!([{ "system": SYSTEM, "value": number }]);
    result
}

fn criteria(number: &str) -> String {
    format!("identifier={SYSTEM}%7C{number}")
}

fn at(number: &str) -> String {
    format!("/fhir/Observation?{}", criteria(number))
}

impl Caller<'_> {
    async fn posts_unless(&self, criteria: &str, resource: &Value) -> Reply {
        let path = format!("/fhir/{}", resource["resourceType"].as_str().unwrap());
        let headers = [("content-type", "application/fhir+json"), ("if-none-exist", criteria)];
        self.send(Method::POST, &path, &headers, resource.to_string()).await
    }

    async fn has(&self, number: &str) -> usize {
        self.get(&at(number)).await.found().len()
    }
}

// gaps: FHIR, where R4 leaves it open > Conditional create
#[tokio::test]
async fn a_create_is_made_only_where_nothing_meets_its_criteria() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let made = okafor.posts_unless(&criteria("1"), &result(AMINA, "1")).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let location = format!("{BASE}/fhir/Observation/{id}/_history/1");
    for criteria in [criteria("1"), format!("?{}", criteria("1")), format!("Observation?{}", criteria("1"))] {
        let again = okafor.posts_unless(&criteria, &result(AMINA, "1")).await;
        assert_eq!((again.status, again.header("etag")), (200, Some("W/\"1\"")), "{}", again.text());
        assert_eq!(again.header("location"), Some(location.as_str()));
        assert_eq!(again.json()["id"], id.as_str());
    }
    assert_eq!(okafor.has("1").await, 1);
    let in_url = okafor.post(&at("1"), &result(AMINA, "1")).await;
    assert_eq!((in_url.status, in_url.json()["id"].as_str()), (200, Some(id.as_str())), "{}", in_url.text());
    let made = okafor.post(&at("2"), &result(AMINA, "2")).await;
    assert_eq!((made.status, okafor.has("2").await), (201, 1), "{}", made.text());
    okafor.makes(&result(AMINA, "1")).await;
    let several = okafor.posts_unless(&criteria("1"), &result(AMINA, "1")).await;
    assert!(several.words(412, "PRECONDITION_FAILED").contains("several"));
    assert_eq!(okafor.has("1").await, 2);
}

#[tokio::test]
async fn what_is_deleted_or_out_of_reach_meets_no_criteria() {
    let w = World::new().await;
    let (okafor, system) = (w.dr_okafor().caller().await, w.system().await);
    let path = okafor.makes(&result(AMINA, "1")).await;
    okafor.delete(&path).await;
    assert_eq!(okafor.posts_unless(&criteria("1"), &result(AMINA, "1")).await.status, 201);
    let hillside = w.system_for_hillside().await;
    let theirs = hillside.posts_unless(&criteria("1"), &result(BEN, "1")).await;
    assert_eq!(theirs.status, 201, "of another organisation's it hears nothing: {}", theirs.text());
    assert_eq!(system.has("1").await, 1);
    assert_eq!(hillside.put(&at("1"), &result(BEN, "1")).await.status, 200, "to itself there is one");
    assert_eq!(hillside.delete(&at("1")).await.status, 204);
    assert_eq!((system.has("1").await, hillside.has("1").await), (1, 0));
}

// gaps: FHIR, where R4 leaves it open > Conditional update
#[tokio::test]
async fn an_update_finds_its_resource_by_criteria_or_makes_one() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let made = okafor.put(&at("1"), &result(AMINA, "1")).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(made.header("location"), Some(format!("{BASE}/fhir/Observation/{id}/_history/1").as_str()));
    let mut changed = result(AMINA, "1");
    changed["status"] = json!("amended");
    let second = okafor.put(&at("1"), &changed).await;
    assert_eq!((second.opened().header("etag"), &second.json()["id"]), (Some("W/\"2\""), &json!(id)));
    changed["id"] = json!(id);
    assert_eq!(okafor.put(&at("1"), &changed).await.opened().header("etag"), Some("W/\"2\""), "the same is no version");
    changed["id"] = json!("another");
    let words = okafor.put(&at("1"), &changed).await.words(400, "BAD_REQUEST");
    assert!(words.contains(&id) && words.contains("another"), "{words}");
    okafor.makes(&result(AMINA, "1")).await;
    okafor.put(&at("1"), &result(AMINA, "1")).await.says(412, "PRECONDITION_FAILED");
}

#[tokio::test]
async fn an_update_that_finds_nothing_may_choose_the_id_as_any_other_may() {
    let w = World::new().await;
    let (okafor, system) = (w.dr_okafor().caller().await, w.system().await);
    let mut chosen = result(AMINA, "1");
    chosen["id"] = json!(CHOSEN);
    okafor.put(&at("1"), &chosen).await.says(404, "NOT_FOUND");
    let made = system.put(&at("1"), &chosen).await;
    assert_eq!((made.status, &made.json()["id"]), (201, &json!(CHOSEN)), "{}", made.text());
    let words = system.put(&at("2"), &chosen).await.words(409, "CONFLICT");
    assert!(words.contains("does not meet the criteria"), "{words}");
    chosen["id"] = json!("not a uuid");
    system.put(&at("2"), &chosen).await.says(422, "UNPROCESSABLE");
}

// gaps: FHIR, where R4 leaves it open > Conditional delete
#[tokio::test]
async fn a_delete_takes_the_one_that_meets_criteria_and_never_several() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    assert_eq!(okafor.delete(&at("1")).await.status, 204, "nothing is there, as it should be");
    let path = okafor.makes(&result(AMINA, "1")).await;
    let gone = okafor.delete(&at("1")).await;
    assert_eq!((gone.status, gone.header("etag")), (204, Some("W/\"2\"")));
    assert_eq!(okafor.status(&path).await, 410);
    for _ in 0..2 {
        okafor.makes(&result(AMINA, "2")).await;
    }
    okafor.delete(&at("2")).await.says(412, "PRECONDITION_FAILED");
    assert_eq!(okafor.has("2").await, 2);
}

// gaps: FHIR, where R4 leaves it open > Conditional patch
#[tokio::test]
async fn a_patch_changes_the_one_that_meets_criteria() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let patch = json!([{ "op": "replace", "path": "/status", "value": "amended" }]);
    let media_type = "application/json-patch+json";
    okafor.patch(&at("1"), media_type, &patch).await.says(404, "NOT_FOUND");
    okafor.makes(&result(AMINA, "1")).await;
    let patched = okafor.patch(&at("1"), media_type, &patch).await;
    assert_eq!((patched.opened().header("etag"), &patched.json()["status"]), (Some("W/\"2\""), &json!("amended")));
    okafor.makes(&result(AMINA, "1")).await;
    okafor.patch(&at("1"), media_type, &patch).await.says(412, "PRECONDITION_FAILED");
}

#[tokio::test]
async fn criteria_give_nobody_the_right_to_change_what_another_source_made() {
    let w = World::new().await;
    w.dr_okafor().caller().await.makes(&result(AMINA, "1")).await;
    for seeing in [w.amina().caller().await, w.system().await] {
        seeing.put(&at("1"), &result(AMINA, "1")).await.says(403, "NOT_SOURCE");
        seeing.delete(&at("1")).await.says(403, "NOT_SOURCE");
        let merge = json!({ "status": "amended" });
        seeing.patch(&at("1"), "application/merge-patch+json", &merge).await.says(403, "NOT_SOURCE");
        assert_eq!(seeing.posts_unless(&criteria("1"), &result(AMINA, "1")).await.status, 200, "it is there");
    }
    let practitioner = json!({ "resourceType": "Practitioner", "identifier": [{ "system": SYSTEM, "value": "1" }] });
    let amina = w.amina().caller().await;
    amina.posts_unless(&criteria("1"), &practitioner).await.says(403, "USER_TYPE_NOT_PERM");
    amina.delete(&format!("/fhir/Practitioner?{}", criteria("1"))).await.says(403, "USER_TYPE_NOT_PERM");
}

// gaps: FHIR, where R4 leaves it open > Criteria of a write
#[tokio::test]
async fn nothing_is_written_on_criteria_that_were_not_understood_whole() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    okafor.makes(&result(AMINA, "1")).await;
    for criteria in [
        "",
        "_format=json",
        "identifier=",
        "nosuch=1",
        "identifier=x&nosuch=1",
        "identifier=x&_sort=date",
        "identifier=x&_count=1",
        "_include=Observation:subject&identifier=x",
        "_text=pain",
        "identifier=%FF",
    ] {
        let path = format!("/fhir/Observation?{criteria}");
        let lenient = [("content-type", "application/fhir+json"), ("prefer", "handling=lenient")];
        let body = result(AMINA, "1").to_string();
        okafor.send(Method::PUT, &path, &lenient, body).await.says(400, "BAD_REQUEST");
        okafor.send(Method::DELETE, &path, &lenient, "").await.says(400, "BAD_REQUEST");
        okafor.send(Method::PATCH, &path, &lenient, "[]").await.says(400, "BAD_REQUEST");
        if !["", "_format=json"].contains(&criteria) {
            okafor.send(Method::POST, &path, &lenient, result(AMINA, "1").to_string()).await.says(400, "BAD_REQUEST");
        }
        if criteria != "_format=json" && criteria != "identifier=%FF" {
            okafor.posts_unless(criteria, &result(AMINA, "1")).await.says(400, "BAD_REQUEST");
        }
    }
    let twice = [("content-type", "application/fhir+json"), ("if-none-exist", "identifier=x")];
    let twice = okafor.send(Method::POST, &at("1"), &twice, result(AMINA, "1").to_string()).await;
    assert!(twice.words(400, "BAD_REQUEST").contains("in one place"));
    assert_eq!(okafor.get("/fhir/Observation").await.found().len(), 1);
    okafor.delete("/fhir/Observation").await.says(400, "BAD_REQUEST");
    assert_eq!(okafor.delete("/fhir/Binary?_id=x").await.status, 405, "a Binary is named by its id");
}

#[tokio::test]
async fn a_version_can_be_demanded_of_what_criteria_find() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let demand = |tag| [("if-match", tag)];
    okafor.put_if(&at("1"), &result(AMINA, "1"), &demand("*")).await.says(412, "PRECONDITION_FAILED");
    okafor.makes(&result(AMINA, "1")).await;
    okafor.put_if(&at("1"), &result(AMINA, "1"), &demand("W/\"2\"")).await.says(412, "PRECONDITION_FAILED");
    okafor.put_if(&at("1"), &result(AMINA, "1"), &demand("W/\"1\"")).await.opened();
    okafor.put_if(&at("1"), &result(AMINA, "1"), &[("if-none-match", "*")]).await.says(400, "BAD_REQUEST");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_forty_who_create_the_same_at_once_one_does() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let requests = (0..MANY).map(|_| {
        let mut request = okafor.post_request("/fhir/Observation", &result(AMINA, "1"));
        request.headers_mut().insert("if-none-exist", criteria("1").parse().unwrap());
        request
    });
    let replies = w.shoots(requests.collect()).await;
    let how_many = |status| replies.iter().filter(|reply| reply.status == status).count();
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!((how_many(201), how_many(200)), (1, MANY - 1), "{statuses:?}");
    assert_eq!(okafor.has("1").await, 1);
}

#[tokio::test]
async fn the_statement_says_of_every_type_what_can_depend_on_criteria() {
    let w = World::new().await;
    let statement = w.get("/fhir/metadata").await.opened().json();
    for resource in statement["rest"][0]["resource"].as_array().unwrap() {
        let is_one_of = |types: &[&str]| types.iter().any(|one| resource["type"] == *one);
        // A Binary is its content, and what the ledger tells is nobody's to write. Subscriptions are not taken, but can be removed.
        let is_written = !is_one_of(&["Binary", "AuditEvent", "Subscription"]);
        let said = (&resource["conditionalCreate"], &resource["conditionalUpdate"], &resource["conditionalDelete"]);
        let delete = if is_one_of(&["Binary", "AuditEvent"]) { "not-supported" } else { "single" };
        assert_eq!(said, (&json!(is_written), &json!(is_written), &json!(delete)), "{}", resource["type"]);
    }
}
