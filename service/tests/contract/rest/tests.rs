//! Tests and their results: laboratory Observations, by category or by the report that names them.

use super::callers::{clinician, patient};
use crate::kit::World;
use axum::http::Method;
use serde_json::{Value, json};

const HBA1C: &str = "http://loinc.org|4548-4";

fn result(id: &str, value: i64, date: &str) -> Value {
    json!({ "testId": id, "name": "HbA1c", "value": value, "unit": "mmol/mol", "referenceHigh": 42, "dateTaken": date })
}

fn values(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|one| one["value"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn results_are_listed_by_their_tests() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let sent =
        json!([result(HBA1C, 48, "2026-10-02"), result(HBA1C, 50, "2026-11-02"), result("urn:lab|K", 4, "2026-01")]);
    let made = clinician.sends(Method::POST, "/json/tests/results/forPatient/amina", &sent).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let own = patient.sends(Method::POST, "/json/tests/results", &result("home", 1, "2025")).await;
    assert_eq!(own.status, 201, "{}", own.text());
    let tests = patient.get("/json/tests").await.json();
    let told: Vec<_> = tests.as_array().unwrap().iter().map(|one| (&one["testId"], &one["results"])).collect();
    assert_eq!(told, [(&json!("home"), &json!(1)), (&json!(HBA1C), &json!(2)), (&json!("urn:lab|K"), &json!(1))]);
    assert_eq!(tests[1]["newest"], "2026-11-02");
    assert_eq!(clinician.get("/json/tests/forPatient/amina").await.json(), tests);
    assert_eq!(values(&patient.get("/json/tests/results").await.json()), [50, 48, 4, 1]);
    for limit in ["", "&limit=2"] {
        let of = format!("/json/tests/results?testIds=http://loinc.org%7C4548-4{limit}");
        assert_eq!(values(&patient.get(&of).await.json()), [50, 48]);
        let of = format!("/json/tests/results/forPatient/byTestIds?patientId=amina&testIds=K,home{limit}");
        assert_eq!(values(&clinician.get(&of).await.json()), [4, 1]);
    }
    let needed = "/json/tests/results/forPatient/byTestIds?patientId=amina";
    clinician.get(needed).await.says_in_rest(400, "parameter testIds: must not be empty");
    let found = patient.get("/fhir/Observation?category=laboratory").await.found();
    assert_eq!(found.len(), 4, "each is valid FHIR, of the category laboratory");
}

#[tokio::test]
async fn an_observation_that_a_laboratory_report_names_is_a_result_with_its_report() {
    let w = World::new().await;
    let (system, patient) = (w.system().await, patient(&w).await);
    let subject = json!({ "reference": "Patient/amina" });
    let glucose = json!({ "resourceType": "Observation", "status": "final", "subject": subject, "effectiveDateTime": "2026-11-01",
        "code": { "coding": [{ "system": "http://loinc.org", "code": "15074-8", "display": "Glucose" }] },
        "valueQuantity": { "value": 5, "unit": "mmol/L" } });
    let at = system.makes(&glucose).await;
    assert_eq!(patient.get("/json/measurements").await.json()[0]["apiRef"], "bloodGlucose");
    assert_eq!(patient.get("/json/tests/results").await.json(), json!([]));
    let report = json!({ "resourceType": "DiagnosticReport", "status": "final", "subject": subject, "conclusion": "well",
        "category": [{ "coding": [{ "system": "http://terminology.hl7.org/CodeSystem/v2-0074", "code": "LAB" }] }],
        "code": { "text": "Profile" }, "result": [{ "reference": at.trim_start_matches("/fhir/") }] });
    system.makes(&report).await;
    assert_eq!(patient.get("/json/measurements").await.json(), json!([]), "it is in one view");
    for path in ["/json/tests/results", "/json/tests/results?limit=5"] {
        let results = patient.get(path).await.json();
        assert_eq!(
            (&results[0]["reportName"], &results[0]["reportText"]),
            (&json!("Profile"), &json!("well")),
            "{path}"
        );
        assert_eq!(results.as_array().unwrap().len(), 1);
    }
}
