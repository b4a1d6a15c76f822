//! Each kind of item is one thing in both APIs: written through one it is read through the other, and what a view does not show stays.

use super::callers::{clinician, patient};
use crate::kit::World;
use axum::http::Method;
use serde_json::{Value, json};

/// A kind: where it is, one that an app sends, a member that is changed, and one that FHIR writes.
struct KindSpecimen {
    path: &'static str,
    of: &'static str,
    sent: Value,
    change: (&'static str, Value),
    in_fhir: Value,
}

fn subject() -> Value {
    json!({ "reference": "Patient/amina" })
}

fn specimens() -> Vec<KindSpecimen> {
    let ours = |code: &str| json!([{ "coding": [{ "system": "urn:recordgate:observation-category", "code": code }] }]);
    let kept = json!([{ "url": "urn:example:kept", "valueString": "kept" }]);
    vec![
        KindSpecimen {
            path: "allergies",
            of: "AllergyIntolerance",
            sent: json!({ "substance": "Penicillin", "reactions": ["Hives"], "severity": "MILD", "status": "ACTIVE" }),
            change: ("substance", json!("Amoxicillin")),
            in_fhir: json!({ "resourceType": "AllergyIntolerance", "patient": subject(), "extension": kept,
                "clinicalStatus": { "coding": [{ "code": "active",
                    "system": "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical" }] },
                "code": { "text": "Nuts" } }),
        },
        KindSpecimen {
            path: "medications",
            of: "MedicationStatement",
            sent: json!({ "substance": "Metformin", "startDate": "2026-03", "doseValue": 500, "doseUnit": "mg" }),
            change: ("frequency", json!("twice a day")),
            in_fhir: json!({ "resourceType": "MedicationStatement", "status": "active", "subject": subject(),
                "extension": kept, "medicationCodeableConcept": { "text": "Nuts" } }),
        },
        KindSpecimen {
            path: "diagnoses",
            of: "Condition",
            sent: json!({ "name": "Asthma", "onsetDate": "2019", "comment": "mild" }),
            change: ("comment", json!("worse")),
            in_fhir: json!({ "resourceType": "Condition", "subject": subject(), "extension": kept,
                "clinicalStatus": { "coding": [{ "code": "active",
                    "system": "http://terminology.hl7.org/CodeSystem/condition-clinical" }] },
                "code": { "text": "Nuts" } }),
        },
        KindSpecimen {
            path: "symptoms",
            of: "Observation",
            sent: json!({ "name": "Headache", "severity": 4, "dateStarted": "2026-11-01" }),
            change: ("severity", json!(7)),
            in_fhir: json!({ "resourceType": "Observation", "status": "final", "subject": subject(), "extension": kept,
                "category": ours("SYMPTOM"), "code": { "text": "Nuts" }, "effectiveDateTime": "2026-11-02" }),
        },
        KindSpecimen {
            path: "journal",
            of: "Observation",
            sent: json!({ "title": "Monday", "text": "Slept well.", "date": "2026-11-02" }),
            change: ("text", json!("Slept badly.")),
            in_fhir: json!({ "resourceType": "Observation", "status": "final", "subject": subject(), "extension": kept,
                "category": ours("JOURNAL"), "code": { "text": "Nuts" }, "valueString": "Nuts",
                "effectiveDateTime": "2026-11-03" }),
        },
        KindSpecimen {
            path: "measurements",
            of: "Observation",
            sent: json!({ "apiRef": "weight", "value": 64.5, "dateTaken": "2026-11-02T07:00:00Z" }),
            change: ("value", json!(65)),
            in_fhir: json!({ "resourceType": "Observation", "status": "final", "subject": subject(), "extension": kept,
                "code": { "coding": [{ "system": "http://loinc.org", "code": "8867-4" }] },
                "effectiveDateTime": "2026-11-03", "valueQuantity": { "value": 60, "unit": "/min" } }),
        },
    ]
}

async fn found(by: &crate::kit::caller::Caller<'_>, of: &str) -> Vec<String> {
    by.get(&format!("/fhir/{of}?patient=Patient/amina")).await.found()
}

fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_is_written_through_rest_is_found_through_fhir_at_once_and_gone_when_it_is_deleted() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for KindSpecimen { path, of, sent, .. } in specimens() {
        let made = patient.sends(Method::POST, &format!("/json/{path}"), &sent).await;
        assert_eq!(made.status, 201, "{path}: {}", made.text());
        let (item, location) = (made.json(), made.header("location").unwrap().to_owned());
        let id = item["id"].as_str().unwrap().to_owned();
        assert!(location.ends_with(&format!("/fhir/{of}/{id}")), "{location}");
        assert_eq!((&item["version"], &item["patientId"]), (&json!(1), &json!("amina")));
        assert_eq!(item["source"]["type"], "PATIENT");
        for (member, value) in sent.as_object().unwrap() {
            assert_eq!(item[member], *value, "{path}: {member}");
        }
        assert!(found(&patient, of).await.contains(&id), "{path}");
        assert!(ids(&patient.get(&format!("/json/{path}")).await.json()).contains(&id), "{path}");
        assert_eq!(patient.delete(&format!("/json/{path}/{id}")).await.status, 204);
        assert!(!found(&patient, of).await.contains(&id), "{path}");
        assert_eq!(patient.get(&format!("/fhir/{of}/{id}")).await.status, 410);
        assert_eq!(patient.delete(&format!("/json/{path}/{id}")).await.status, 204, "again");
        assert!(!ids(&patient.get(&format!("/json/{path}")).await.json()).contains(&id), "{path}");
    }
}

#[tokio::test]
async fn what_is_written_through_fhir_is_shown_through_rest_and_keeps_what_it_does_not_show() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for KindSpecimen { path, of, change: (member, value), in_fhir, .. } in specimens() {
        let at = patient.makes(&in_fhir).await;
        let id = at.rsplit('/').next().unwrap().to_owned();
        let list = patient.get(&format!("/json/{path}")).await.json();
        let mut item = list.as_array().unwrap().iter().find(|item| item["id"] == *id).expect(path).clone();
        item[member] = value.clone();
        let changed = match path {
            "measurements" => patient.sends(Method::POST, "/json/measurements", &item).await,
            _ => patient.sends(Method::PUT, &format!("/json/{path}/{id}"), &item).await,
        };
        assert_eq!(changed.status, 200, "{path}: {}", changed.text());
        assert_eq!((&changed.json()[member], &changed.json()["version"]), (&value, &json!(2)), "{path}");
        let stored = patient.get(&at).await.json();
        assert_eq!(stored["extension"][0]["valueString"], "kept", "{path}: {stored}");
        assert_eq!(stored["resourceType"], of);
        assert_eq!(patient.delete(&at).await.status, 204);
        let list = patient.get(&format!("/json/{path}")).await.json();
        assert!(!ids(&list).contains(&id), "{path}: deleted through FHIR");
    }
}

#[tokio::test]
async fn a_put_of_what_was_shown_makes_no_version() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for KindSpecimen { path, sent, .. } in specimens() {
        let item = patient.sends(Method::POST, &format!("/json/{path}"), &sent).await.json();
        let again = match path {
            "measurements" => patient.sends(Method::POST, "/json/measurements", &item).await,
            _ => patient.sends(Method::PUT, &format!("/json/{path}/{}", item["id"].as_str().unwrap()), &item).await,
        };
        assert_eq!((again.status, again.json()), (200, item), "{path}");
    }
}

#[tokio::test]
async fn only_the_source_changes_and_deletes() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    for KindSpecimen { path, sent, .. } in specimens() {
        let item = patient.sends(Method::POST, &format!("/json/{path}"), &sent).await.json();
        let at = format!("/json/{path}/{}", item["id"].as_str().unwrap());
        if path == "journal" {
            clinician.sends(Method::PUT, &at, &item).await.says_in_rest(403, "User type CLINICIAN can't");
            continue;
        }
        let reply = clinician.delete(&at).await;
        reply.says_in_rest(403, "only who made this may change it");
        assert_eq!(reply.json()["errorCode"], "NOT_SOURCE");
        if path != "measurements" {
            clinician.sends(Method::PUT, &at, &item).await.says_in_rest(403, "only who made this may change it");
        }
    }
}

/// An id is one of a kind: the same id under another kind is not there.
#[tokio::test]
async fn an_observation_is_in_one_view_at_most() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let sent = json!({ "name": "Headache", "dateStarted": "2026-11-01" });
    let id = patient.sends(Method::POST, "/json/symptoms", &sent).await.json()["id"].as_str().unwrap().to_owned();
    patient.delete(&format!("/json/measurements/{id}")).await.says_in_rest(404, "Measurement not found");
    patient.delete(&format!("/json/journal/{id}")).await.says_in_rest(404, "Journal entry not found");
    assert_eq!(patient.get("/json/measurements").await.json(), json!([]));
    assert_eq!(patient.delete(&format!("/json/symptoms/{id}")).await.status, 204);
    patient.sends(Method::PUT, &format!("/json/symptoms/{id}"), &sent).await.says_in_rest(410, "Symptom was deleted");
}

#[tokio::test]
async fn a_medication_shows_what_it_refers_to() {
    let w = World::new().await;
    let system = w.system().await;
    let medication = json!({ "resourceType": "Medication", "code": { "text": "Aspirin" } });
    let reply = system.post("/fhir/Medication", &medication).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let id = reply.json()["id"].as_str().unwrap().to_owned();
    let request = json!({ "resourceType": "MedicationRequest", "status": "active", "intent": "order", "subject": subject(),
        "medicationReference": { "reference": format!("Medication/{id}") }, "authoredOn": "2026-10-01" });
    system.makes(&request).await;
    let list = patient(&w).await.get("/json/medications").await.json();
    assert_eq!((&list[0]["kind"], &list[0]["startDate"]), (&json!("REQUEST"), &json!("2026-10-01")));
    assert_eq!(list[0]["substance"], "Aspirin", "{list}");
}
