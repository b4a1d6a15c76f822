//! `Patient/$status-query`, `Patient/$date-of-last-data-point` and `$purview`.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA_NHS, BEN_NHS, NHS_NUMBER, amina_is_deceased, import, observation};
use crate::kit::{HILLSIDE, MINUTE, NOW, RIVERSIDE, World};
use serde_json::{Value, json};

const STATUS: &str = "/fhir/Patient/$status-query";
const LAST: &str = "/fhir/Patient/$date-of-last-data-point";
const CHI: &str = "urn:oid:2.16.840.1.113883.2.1.3.2.4.16.53";
const PUBLIC_ID: &str = "http://fhir.patientsknowbest.com/id/public-id";

fn about(identifiers: &[(&str, &str)]) -> Value {
    let one = |(system, value): &(&str, &str)| json!({ "name": "patientIdentifier", "valueIdentifier": { "system": system, "value": value } });
    json!({ "resourceType": "Parameters", "parameter": identifiers.iter().map(one).collect::<Vec<_>>() })
}

/// The values of the parts of each result, by the names of the parts.
async fn asks(caller: &Caller<'_>, path: &str, body: &Value) -> Vec<Value> {
    let answer = caller.post(path, body).await.opened().json();
    results(&answer)
}

fn results(answer: &Value) -> Vec<Value> {
    let parameters = answer["parameter"].as_array().cloned().unwrap_or_default();
    let told = parameters.iter().map(|parameter| {
        let mut told = json!({});
        for part in parameter["part"].as_array().unwrap() {
            let (_, value) = part.as_object().unwrap().iter().find(|(name, _)| name.starts_with("value")).unwrap();
            let value = value.get("value").unwrap_or(value);
            told[part["name"].as_str().unwrap()] = value.clone();
        }
        told
    });
    told.collect()
}

// gaps: FHIR, where R4 leaves it open > $status-query
#[tokio::test]
async fn a_status_tells_of_the_patients_of_the_organisation_and_of_nobody_else() {
    let w = World::new().await;
    let asked = about(&[(NHS_NUMBER, BEN_NHS), (NHS_NUMBER, AMINA_NHS), (CHI, AMINA_NHS), (NHS_NUMBER, "nobody's")]);
    let amina =
        json!({ "patientIdentifier": AMINA_NHS, "deceased": false, "registered": true, "dateOfBirth": "1984-02-29" });
    let unknown = |value: &str| json!({ "patientIdentifier": value, "diagnostics": "Not found" });
    for caller in [w.system().await, w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        let told = asks(&caller, STATUS, &asked).await;
        assert_eq!(told, [unknown(BEN_NHS), amina.clone(), unknown(AMINA_NHS), unknown("nobody's")]);
    }
    let ben = json!({ "patientIdentifier": BEN_NHS, "deceased": false, "registered": true });
    assert_eq!(asks(&w.system_for_hillside().await, STATUS, &asked).await[..2], [ben, unknown(AMINA_NHS)]);
    amina_is_deceased(&w.app.store, w.now()).await;
    let newcomer = json!({ "resourceType": "Patient", "id": "new", "identifier": [{ "system": CHI, "value": "7" }] });
    import(&w.app.store, RIVERSIDE, &[newcomer], w.now()).await;
    let told = asks(&w.system().await, STATUS, &about(&[(NHS_NUMBER, AMINA_NHS), (CHI, "7")])).await;
    assert_eq!((&told[0]["deceased"], &told[1]["registered"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn one_identifier_of_a_system_that_is_not_served_refuses_the_whole_question() {
    let w = World::new().await;
    let system = w.system().await;
    let foreign = about(&[(NHS_NUMBER, AMINA_NHS), ("http://hl7.org/fhir/sid/us-ssn", "1")]);
    let words = system.post(STATUS, &foreign).await.words(400, "BAD_REQUEST");
    assert!(words.contains(NHS_NUMBER) && words.contains(CHI), "{words}");
    for wrong in [
        about(&[]),
        about(&[(NHS_NUMBER, "")]),
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "patientIdentifier", "valueString": AMINA_NHS }] }),
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "other", "valueString": "x" }] }),
    ] {
        system.post(STATUS, &wrong).await.says(400, "BAD_REQUEST");
    }
    let many: Vec<(&str, &str)> = vec![(NHS_NUMBER, AMINA_NHS); 5001];
    system.post(STATUS, &about(&many)).await.says(400, "BAD_REQUEST");
    assert_eq!(asks(&system, STATUS, &about(&many[..5000])).await.len(), 5000);
    w.amina().caller().await.post(STATUS, &about(&[(NHS_NUMBER, AMINA_NHS)])).await.says(403, "USER_TYPE_NOT_PERM");
}

#[tokio::test]
async fn a_question_is_in_the_log_of_the_patient_it_is_about() {
    let w = World::new().await;
    asks(&w.system().await, STATUS, &about(&[(NHS_NUMBER, AMINA_NHS)])).await;
    asks(&w.dr_okafor().caller().await, LAST, &about(&[(NHS_NUMBER, AMINA_NHS)])).await;
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    for told in ["Asked whether you are registered", "Asked when your record last changed"] {
        assert!(log.contains(told), "{told} in {log}");
    }
}

// gaps: FHIR, where R4 leaves it open > $date-of-last-data-point
#[tokio::test]
async fn the_last_data_point_is_the_newest_that_the_caller_may_see() {
    let w = World::new().await;
    let (by_number, by_id) = (about(&[(NHS_NUMBER, AMINA_NHS)]), about(&[(PUBLIC_ID, "amina"), (PUBLIC_ID, "ben")]));
    let told = |value: &str, at: &str| vec![json!({ "patientIdentifier": value, "lastRecordUpdate": at })];
    assert_eq!(asks(&w.system().await, LAST, &by_number).await, told(AMINA_NHS, NOW));
    assert_eq!(asks(&w.system().await, LAST, &by_id).await, told("amina", NOW), "whom it does not know is left out");
    w.after(MINUTE);
    let mut theirs = observation("amina");
    theirs["id"] = json!("theirs");
    import(&w.app.store, HILLSIDE, &[theirs], w.now()).await;
    let later = service::formats::when::rfc3339(w.now());
    w.after(MINUTE);
    let mut measured = observation("amina");
    measured["id"] = json!("measured");
    measured["device"] = json!({ "reference": "Device/scales" });
    import(&w.app.store, RIVERSIDE, &[measured], w.now()).await;
    assert_eq!(asks(&w.system().await, LAST, &by_number).await, told(AMINA_NHS, NOW), "not its own, or a device's");
    let amina = w.amina().caller().await;
    for reply in [amina.get(LAST).await, amina.get("/fhir/Patient/amina/$date-of-last-data-point").await] {
        assert_eq!(results(&reply.opened().json()), told("amina", &later));
    }
    assert_eq!(asks(&amina, LAST, &about(&[])).await, told("amina", &later));
    amina.get("/fhir/Patient/ben/$date-of-last-data-point").await.says(404, "NOT_FOUND");
    w.system().await.post(LAST, &about(&[])).await.says(400, "BAD_REQUEST");
    w.system().await.post(LAST, &about(&vec![(NHS_NUMBER, AMINA_NHS); 101])).await.says(400, "BAD_REQUEST");
}

// gaps: FHIR, where R4 leaves it open > $purview
#[tokio::test]
async fn the_purview_is_whom_a_consent_would_name() {
    let w = World::new().await;
    for path in ["/fhir/$purview", "/fhir/Consent/$purview"] {
        let patient = w.amina().caller().await.get(path).await.opened().json();
        let own = json!({ "name": "purview", "valueReference": { "reference": "Patient/amina" } });
        assert_eq!(patient, json!({ "resourceType": "Parameters", "parameter": [own] }));
        let system = w.system().await.post(path, &json!({ "resourceType": "Parameters" })).await.opened().json();
        let organisation = format!("Organization/{RIVERSIDE}");
        assert_eq!(system["parameter"][0]["valueReference"]["reference"], organisation.as_str());
        for caller in [w.dr_okafor().caller().await, w.site().await] {
            let team = caller.get(path).await.opened().json();
            let named = team["parameter"][0]["valueReference"]["reference"].as_str().unwrap().to_owned();
            assert!(named.starts_with("Organization/") && named != organisation, "{named}");
        }
    }
    w.amina().caller().await.get("/fhir/$purview?colour=red").await.says(400, "BAD_REQUEST");
}
