//! Reading and creating resources of every type: one set of interactions, held to the same rules for all.

use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::{BASE, NOW, RIVERSIDE, World};
use axum::http::Method;
use serde_json::{Value, json};

const FHIR: (&str, &str) = ("content-type", "application/fhir+json");

fn practitioner() -> Value {
    json!({ "resourceType": "Practitioner", "name": [{ "family": "Okafor" }] })
}

#[tokio::test]
async fn a_resource_of_any_type_is_created_read_and_has_a_history() {
    let w = World::new().await;
    let about = |reference: &str| json!({ "reference": format!("{reference}/{AMINA}") });
    for resource in [
        observation(AMINA),
        json!({ "resourceType": "Condition", "subject": about("Patient") }),
        json!({ "resourceType": "Flag", "status": "active", "code": { "text": "x" }, "subject": about("Patient") }),
        json!({ "resourceType": "Appointment", "status": "proposed",
            "participant": [{ "actor": about("Patient"), "status": "accepted" }] }),
        json!({ "resourceType": "Basic", "code": { "text": "note" }, "subject": about("Patient") }),
    ] {
        let okafor = w.dr_okafor().caller().await;
        let name = resource["resourceType"].as_str().unwrap();
        let created = okafor.post(&format!("/fhir/{name}"), &resource).await;
        assert_eq!(created.status, 201, "{}", created.text());
        let mut expected = resource.clone();
        let id = created.json()["id"].clone();
        let path = format!("/fhir/{name}/{}", id.as_str().unwrap());
        assert_eq!(created.header("location"), Some(format!("{BASE}{path}/_history/1").as_str()));
        assert_eq!(created.header("etag"), Some("W/\"1\""));
        expected["id"] = id;
        expected["meta"] = created.json()["meta"].clone();
        assert_eq!(created.json(), expected);
        assert_eq!((&expected["meta"]["versionId"], &expected["meta"]["lastUpdated"]), (&json!("1"), &json!(NOW)));
        for caller in [okafor, w.amina().caller().await, w.grace().caller().await, w.system().await] {
            assert_eq!(caller.get(&path).await.opened().json(), expected, "{path}");
            assert_eq!(caller.get(&format!("{path}/_history/1")).await.opened().json(), expected);
            let history = caller.get(&format!("{path}/_history")).await.opened().json();
            assert_eq!(history["entry"][0]["resource"], expected);
            assert_eq!(caller.head(&path).await.status, 200);
        }
        for caller in [w.ben().caller().await, w.dr_silva().caller().await, w.system_for_hillside().await] {
            for path in [path.clone(), format!("{path}/_history"), format!("{path}/_history/1")] {
                caller.get(&path).await.says(404, "NOT_FOUND");
            }
        }
    }
}

#[tokio::test]
async fn what_is_no_type_is_not_there_and_named() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    for path in ["/fhir/Letter/1", "/fhir/patient/amina", "/fhir/Letter/1/_history", "/fhir/Letter/1/_history/1"] {
        let words = okafor.get(path).await.words(404, "NOT_FOUND");
        assert!(words.contains(path.split('/').nth(2).unwrap()), "{words}");
    }
    let words = okafor.post("/fhir/Letter", &json!({ "resourceType": "Letter" })).await.words(404, "NOT_FOUND");
    assert!(words.contains("Letter is no resource type"), "{words}");
    okafor.get("/fhir/%FF/1").await.says(404, "NOT_FOUND");
    w.get("/fhir/Letter").await.says(404, "NOT_FOUND");
}

// gaps: The two APIs > Who may write over FHIR
// gaps: Records and reach > Writing what is no patient's
#[tokio::test]
async fn directories_definitions_and_patients_are_written_by_system_clients_only() {
    let w = World::new().await;
    let person = json!({ "resourceType": "Patient", "name": [{ "family": "New" }] });
    let questions = json!({ "resourceType": "Questionnaire", "status": "active" });
    for resource in [practitioner(), person, questions] {
        for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await] {
            let path = format!("/fhir/{}", resource["resourceType"].as_str().unwrap());
            caller.post(&path, &resource).await.says(403, "USER_TYPE_NOT_PERM");
        }
        let path = w.system().await.makes(&resource).await;
        w.system().await.get(&path).await.opened();
        let everybody = resource["resourceType"] != "Patient";
        for caller in [w.ben().caller().await, w.dr_okafor().caller().await, w.system_for_hillside().await] {
            assert_eq!(caller.status(&path).await, if everybody { 200 } else { 404 }, "{path}");
        }
    }
}

#[tokio::test]
async fn a_patient_that_a_system_client_made_is_one_that_it_writes_about() {
    let w = World::new().await;
    let system = w.system().await;
    let path = system.makes(&json!({ "resourceType": "Patient", "name": [{ "family": "New" }] })).await;
    let id = path.strip_prefix("/fhir/Patient/").unwrap();
    let result = system.makes(&observation(id)).await;
    let source = format!("urn:recordgate:organisation:{RIVERSIDE}");
    assert_eq!(system.get(&result).await.json()["meta"]["source"], source);
    w.system_for_hillside().await.post("/fhir/Observation", &observation(id)).await.says(422, "UNPROCESSABLE");
}

// gaps: Records and reach > Writing about a patient
#[tokio::test]
async fn every_element_that_names_a_foreign_patient_is_told() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        let mut shared = observation(AMINA);
        shared["performer"] =
            json!([{ "reference": format!("Patient/{AMINA}") }, { "reference": format!("Patient/{BEN}") }]);
        let refused = caller.post("/fhir/Observation", &shared).await;
        refused.says(422, "UNPROCESSABLE");
        assert_eq!(refused.json()["issue"][0]["expression"], json!(["Observation.performer[1]"]));
        let unknown = shared.to_string().replace(BEN, "nobody");
        let unknown = caller.send(Method::POST, "/fhir/Observation", &[FHIR], unknown).await;
        assert_eq!(unknown.text().replace("nobody", BEN), refused.text(), "the same for one who is not there");
    }
}

#[tokio::test]
async fn a_patient_writes_in_their_own_record_only() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    amina.makes(&observation(AMINA)).await;
    let nobodys = json!({ "resourceType": "Basic", "code": { "text": "mine" } });
    let words = amina.post("/fhir/Basic", &nobodys).await.words(422, "UNPROCESSABLE");
    assert!(words.contains("Patient/amina"), "{words}");
    let path = w.dr_okafor().caller().await.makes(&nobodys).await;
    amina.get(&path).await.says(404, "NOT_FOUND");
    w.system().await.get(&path).await.opened();
}

// gaps: FHIR, where R4 leaves it open > Resources that are sent
#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once_with_its_element() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let mut wrong = observation(AMINA);
    wrong["status"] = json!("sure");
    wrong["colour"] = json!("red");
    wrong["effectiveDateTime"] = json!("yesterday");
    wrong.as_object_mut().unwrap().remove("code");
    let refused = okafor.post("/fhir/Observation", &wrong).await;
    assert!([400, 422].contains(&refused.status), "{}", refused.text());
    let issues = refused.json()["issue"].as_array().unwrap().clone();
    let elements: Vec<&str> = issues.iter().filter_map(|issue| issue["expression"][0].as_str()).collect();
    for element in ["Observation.status", "Observation.colour", "Observation.effective", "Observation.code"] {
        assert!(elements.iter().any(|told| told.starts_with(element)), "{element}: {elements:?}");
    }
    assert!(issues.iter().all(|issue| issue["severity"] == "error" && issue["diagnostics"].is_string()));
    let only_rules = json!({ "resourceType": "Observation", "status": "sure", "code": { "text": "x" },
        "subject": { "reference": "Patient/amina" } });
    okafor.post("/fhir/Observation", &only_rules).await.says(422, "UNPROCESSABLE");
    okafor.post("/fhir/Observation", &json!({ "resourceType": "Patient" })).await.says(400, "BAD_REQUEST");
}

#[tokio::test]
async fn a_long_resource_is_validated_like_a_short_one() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let mut long = observation(AMINA);
    long["note"] = json!([{ "text": "x".repeat(200_000) }]);
    okafor.makes(&long).await;
    long["status"] = json!("sure");
    okafor.post("/fhir/Observation", &long).await.says(422, "UNPROCESSABLE");
}

// gaps: FHIR, where R4 leaves it open > `Prefer`
#[tokio::test]
async fn an_answer_tells_as_much_as_its_caller_prefers() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let send = async |preference: &str| {
        let body = observation(AMINA).to_string();
        let reply = okafor.send(Method::POST, "/fhir/Observation", &[FHIR, ("prefer", preference)], body).await;
        assert_eq!((reply.status, reply.header("etag")), (201, Some("W/\"1\"")));
        reply
    };
    assert!(send("return=minimal").await.body.is_empty());
    assert_eq!(send("return=representation").await.json()["resourceType"], "Observation");
    let outcome = send("respond-async, return=OperationOutcome").await.json();
    assert_eq!(
        (&outcome["resourceType"], &outcome["issue"][0]["severity"]),
        (&json!("OperationOutcome"), &json!("information"))
    );
}

#[tokio::test]
async fn the_capability_statement_says_what_the_routes_do() {
    let w = World::new().await;
    let statement = w.get("/fhir/metadata").await.opened().json();
    let resources = statement["rest"][0]["resource"].as_array().unwrap();
    assert_eq!(resources.len(), 146);
    let codes = |name: &str| -> Vec<String> {
        let resource = resources.iter().find(|resource| resource["type"] == name).unwrap();
        resource["interaction"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    for name in ["Observation", "DocumentReference", "Patient"] {
        for code in ["read", "vread", "history-instance", "create", "update", "patch", "delete"] {
            assert!(codes(name).iter().any(|told| told == code), "{name} {code}");
        }
    }
    assert!(codes("Binary").iter().all(|code| code != "patch"), "which has no members to patch");
    let tagged = [("content-type", "application/merge-patch+json")];
    let refused = w.system().await.send(Method::PATCH, "/fhir/Binary/letter-text-amina", &tagged, "{}").await;
    assert_eq!((refused.status, refused.header("allow").unwrap().contains("PATCH")), (405, false));
}
