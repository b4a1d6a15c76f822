//! References that lead somewhere, and to whom they say they lead.

use super::bundles::{sends, with};
use super::imports::import;
use crate::kit::records::{AMINA, AMINA_NHS, BEN, BEN_NHS, NHS_NUMBER, observation};
use crate::kit::{RIVERSIDE, World};
use serde_json::{Value, json};

const URN: &str = "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a";
const MALFORMED: [&str; 9] = [
    "amina",
    "patient/amina",
    "Pateint/amina",
    "/Patient/amina",
    "Patient/amina ",
    "Patient?identifier=x",
    "Patient/amina/",
    "Patient/a/b",
    URN,
];

fn about(subject: Value) -> Value {
    let mut about = observation(AMINA);
    about["subject"] = subject;
    about
}

// gaps: FHIR, where R4 leaves it open > Literal references
#[tokio::test]
async fn a_reference_that_leads_nowhere_is_refused_wherever_it_is_sent() {
    let w = World::new().await;
    let (system, okafor) = (w.system().await, w.dr_okafor().caller().await);
    let path = system.makes(&observation(AMINA)).await;
    let before = system.get("/fhir/Observation").await.found().len();
    for reference in MALFORMED {
        let mut wrong = about(json!({ "reference": reference }));
        for caller in [&system, &okafor] {
            let refused = caller.post("/fhir/Observation", &wrong).await;
            refused.says(422, "UNPROCESSABLE");
            assert_eq!(refused.json()["issue"][0]["expression"], json!(["Observation.subject"]), "{reference}");
        }
        let told = system.post("/fhir/Observation/$validate", &wrong).await.opened().json();
        assert_eq!(told["issue"][0]["severity"], "error", "{reference}: {told}");
        let patch = json!([{ "op": "replace", "path": "/subject/reference", "value": reference }]);
        system.patch(&path, "application/json-patch+json", &patch).await.says(422, "UNPROCESSABLE");
        wrong["id"] = json!("imported");
        let report = import(&w, RIVERSIDE, std::slice::from_ref(&wrong)).await;
        assert!(report.problems[0].contains("Observation.subject"), "{reference}: {:?}", report.problems);
    }
    assert_eq!(system.get("/fhir/Observation").await.found().len(), before);
    let mut elsewhere = observation(AMINA);
    elsewhere["encounter"] = json!({ "reference": URN });
    elsewhere["performer"] = json!([{ "reference": "https://other.example/fhir/Practitioner/1" }]);
    system.makes(&elsewhere).await;
}

// gaps: FHIR, where R4 leaves it open > Literal references
#[tokio::test]
async fn an_identifier_beside_a_reference_to_a_patient_is_one_of_that_patients() {
    let w = World::new().await;
    let beside = |value: &str| {
        about(json!({ "reference": "Patient/amina", "identifier": { "system": NHS_NUMBER, "value": value } }))
    };
    for caller in [w.system().await, w.dr_okafor().caller().await, w.amina().caller().await] {
        let path = caller.makes(&beside(AMINA_NHS)).await;
        let refused = caller.post("/fhir/Observation", &beside(BEN_NHS)).await;
        refused.says(422, "UNPROCESSABLE");
        assert_eq!(refused.json()["issue"][0]["expression"], json!(["Observation.subject.identifier"]));
        let patch = json!([{ "op": "replace", "path": "/subject/identifier/value", "value": BEN_NHS }]);
        caller.patch(&path, "application/json-patch+json", &patch).await.says(422, "UNPROCESSABLE");
        let entries = [sends("POST", "Observation", &beside(BEN_NHS))];
        let (told, _) = caller.is_refused(&entries, 422).await;
        assert_eq!(told, "Bundle.entry[0].resource.subject.identifier");
    }
    let system = w.system().await;
    let mut focused = observation(AMINA);
    focused["focus"] =
        json!([{ "reference": "Patient/ben", "identifier": { "system": NHS_NUMBER, "value": BEN_NHS } }]);
    let hidden = system.post("/fhir/Observation", &focused).await.words(422, "UNPROCESSABLE");
    focused["focus"][0]["reference"] = json!("Patient/nobody");
    let absent = system.post("/fhir/Observation", &focused).await.words(422, "UNPROCESSABLE");
    assert_eq!(hidden.replace("Patient/ben", ""), absent.replace("Patient/nobody", ""), "one word for both");
    let new = json!({ "resourceType": "Patient", "identifier": [{ "system": NHS_NUMBER, "value": "9990000034" }] });
    let named = |value: &str| {
        sends("POST", "Observation", &about(json!({ "reference": URN, "identifier": { "value": value } })))
    };
    let made = with(sends("POST", "Patient", &new), "fullUrl", URN);
    system.is_refused(&[named(AMINA_NHS), made.clone()], 422).await;
    system.exchanges("transaction", &[named("9990000034"), made]).await;
    let mut imported = beside(BEN_NHS);
    imported["id"] = json!("imported");
    assert_eq!(import(&w, RIVERSIDE, &[imported]).await.rejected, 1);
}

// gaps: Records and reach > A patient named otherwise in a PATIENT session
#[tokio::test]
async fn a_patient_writes_of_nobody_but_by_a_reference_to_themselves() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let own = json!([{ "reference": "Patient/amina" }]);
    let number = json!({ "system": NHS_NUMBER, "value": BEN_NHS });
    let planted = |subject: Value| {
        let mut planted = about(subject);
        planted["performer"] = own.clone();
        planted
    };
    let mut contained = planted(json!({ "reference": "#p" }));
    contained["contained"] = json!([{ "resourceType": "Patient", "id": "p", "identifier": [number] }]);
    let wrong = [
        contained,
        planted(json!({ "identifier": number })),
        planted(json!({ "type": "Patient", "identifier": number })),
        planted(json!({ "type": "Group", "identifier": number })),
        planted(json!({ "reference": "https://other.example/fhir/Patient/1" })),
        planted(json!({ "reference": format!("Patient/{BEN}") })),
    ];
    let path = amina.makes(&observation(AMINA)).await;
    for mut one in wrong {
        let refused = amina.post("/fhir/Observation", &one).await;
        refused.says(422, "UNPROCESSABLE");
        assert_eq!(refused.json()["issue"][0]["expression"], json!(["Observation.subject"]), "{one}");
        amina.is_refused(&[sends("POST", "Observation", &one)], 422).await;
        one["id"] = json!(path.rsplit('/').next().unwrap());
        amina.put(&path, &one).await.says(422, "UNPROCESSABLE");
    }
    let mut performed = observation(AMINA);
    performed["performer"] = json!([{ "type": "Practitioner", "identifier": { "value": "7" } }, { "display": "Dr X" }]);
    amina.makes(&performed).await;
    let found =
        w.dr_okafor().caller().await.get(&format!("/fhir/Observation?subject:identifier={NHS_NUMBER}|{BEN_NHS}")).await;
    assert_eq!(found.found(), Vec::<String>::new());
}

// gaps: FHIR, where R4 leaves it open > A subset written back
#[tokio::test]
async fn a_part_of_a_resource_is_not_stored_in_the_place_of_the_whole() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let part = okafor.get(&format!("{path}?_elements=status")).await.opened().json();
    let words = okafor.put(&path, &part).await.words(422, "UNPROCESSABLE");
    assert!(words.contains("SUBSETTED"), "{words}");
    assert!(okafor.get(&path).await.json().get("valueQuantity").is_some());
}

// gaps: FHIR, where R4 leaves it open > DocumentReference without subject
#[tokio::test]
async fn a_document_without_a_subject_is_its_sources_own_until_it_has_one() {
    let w = World::new().await;
    let system = w.system().await;
    let mut letter = crate::kit::records::letter(AMINA);
    letter.as_object_mut().unwrap().remove("subject");
    let path = system.makes(&letter).await;
    system.get(&path).await.opened();
    for other in [w.amina().caller().await, w.dr_okafor().caller().await] {
        other.get(&path).await.says(404, "NOT_FOUND");
    }
    let mut about = system.get(&path).await.json();
    about["subject"] = json!({ "reference": "Patient/amina" });
    system.put(&path, &about).await.opened();
    w.amina().caller().await.get(&path).await.opened();
    w.amina().caller().await.post("/fhir/DocumentReference", &letter).await.says(422, "UNPROCESSABLE");
}

/// What is inside of a resource is in nobody's record but as a part of it.
// gaps: Records and reach > Writing about a patient
#[tokio::test]
async fn references_inside_contained_resources_ask_for_no_right() {
    let w = World::new().await;
    // Nobody here sees Ben.
    let foreign = json!({ "reference": "Patient/ben", "identifier": { "system": "urn:x", "value": "1" } });
    let inner = [
        json!({ "resourceType": "Condition", "id": "c", "subject": foreign }),
        json!({ "resourceType": "DocumentReference", "id": "c", "status": "current", "subject": foreign,
            "content": [{ "attachment": { "url": "Binary/letter-text-ben" } }] }),
        json!({ "resourceType": "Observation", "id": "c", "status": "final", "code": { "text": "x" },
            "subject": { "reference": "Patient/nobody" }, "performer": [foreign] }),
    ];
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        for inner in &inner {
            let mut outer = observation(AMINA);
            outer["contained"] = json!([inner]);
            outer["derivedFrom"] = json!([{ "reference": "#c" }]);
            if inner["resourceType"] == "Condition" {
                outer.as_object_mut().unwrap().remove("derivedFrom");
                outer["focus"] = json!([{ "reference": "#c" }]);
            }
            let made = caller.post("/fhir/Observation", &outer).await;
            assert_eq!(made.status, 201, "{}", made.text());
        }
    }
}
