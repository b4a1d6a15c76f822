//! What an operator imports is held to what a client is held to that creates it.

use crate::kit::records::{LETTER_BASE64, LETTER_TEXT, document, letter};
use crate::kit::{BASE, HILLSIDE, RIVERSIDE, World};
use serde_json::{Value, json};
use service::operator::{ImportMode, ImportReport, Reply, Request, ResourceText, execute};
use std::sync::Arc;

/// What `recordgate import letters.ndjson` does.
pub(super) async fn import(w: &World, organisation: &str, resources: &[Value]) -> ImportReport {
    let line = |(number, resource): (usize, &Value)| ResourceText {
        at: format!("letters.ndjson:{}", number + 1),
        json: resource.to_string(),
    };
    let request = Request::Import {
        organisation: organisation.into(),
        team: None,
        resources: resources.iter().enumerate().map(line).collect(),
        mode: ImportMode::Store,
    };
    match execute(&w.app, request, &(Arc::new(|_, _| ()) as _)).await {
        Reply::Imported(report) => report,
        other => panic!("{other:?}"),
    }
}

fn binary(id: &str) -> Value {
    json!({ "resourceType": "Binary", "id": id, "contentType": "text/plain", "data": LETTER_BASE64 })
}

fn around(id: &str, url: &str) -> Value {
    document(id, "amina", id, json!({ "contentType": "text/plain", "url": url }))
}

/// Whether Amina opens a document's content, and whether its sender then hears that it was read.
async fn opens(w: &World, document: &str, binary: &str) -> bool {
    let amina = w.amina().caller().await;
    let doors = [
        amina.get(&format!("/json/attachments/{document}")).await,
        amina.get(&format!("/json/attachments/{binary}")).await,
        amina.get(&format!("/fhir/Binary/{binary}")).await,
    ];
    let opened = doors.iter().all(|door| door.status == 200 && door.body == LETTER_TEXT.as_bytes());
    assert!(opened || doors.iter().all(|door| door.status == 404), "one door shows what the others hide");
    let asked = json!({ "resourceType": "Parameters",
        "parameter": [{ "name": "documentIdentifier", "valueString": document }] });
    let told = w.system().await.post("/fhir/DocumentReference/$read-receipt-query", &asked).await.opened().json();
    let parts = told["parameter"][0]["part"].as_array().expect("the receipt").clone();
    let read = parts.iter().find(|part| part["name"] == "read").unwrap()["valueBoolean"].as_bool().unwrap();
    assert_eq!(read, opened, "what was not opened was not read");
    opened
}

// gaps: Records and reach > Import
#[tokio::test]
async fn a_document_around_another_organisations_binary_is_refused_and_its_line_is_named() {
    let w = World::new().await;
    assert_eq!(import(&w, HILLSIDE, &[binary("scan")]).await.problems, Vec::<String>::new());
    let batch = [around("sound", "Binary/letter-text-amina"), around("greedy", "Binary/scan")];
    let refused = import(&w, RIVERSIDE, &batch).await;
    assert_eq!(
        refused.problems,
        ["letters.ndjson:2: content refers to Binary/scan, which is not within reach of this source"]
    );
    assert_eq!((refused.stored["DocumentReference"], refused.rejected), (1, 1), "the sound one is stored");
    w.amina().caller().await.get("/fhir/DocumentReference/greedy").await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_document_opens_a_binary_of_its_own_source_that_comes_later_and_no_others() {
    let w = World::new().await;
    let batch = [around("early", "Binary/late"), around("robbed", "Binary/taken")];
    assert_eq!(import(&w, RIVERSIDE, &batch).await.stored["DocumentReference"], 2);
    assert_eq!(import(&w, HILLSIDE, &[binary("taken")]).await.stored["Binary"], 1);
    assert_eq!(import(&w, RIVERSIDE, &[binary("late")]).await.stored["Binary"], 1);
    assert!(opens(&w, "early", "late").await);
    assert!(!opens(&w, "robbed", "taken").await);
}

#[tokio::test]
async fn the_same_id_on_a_foreign_host_is_not_our_binary() {
    let w = World::new().await;
    assert_eq!(import(&w, HILLSIDE, &[binary("scan")]).await.problems, Vec::<String>::new());
    for (id, url) in [
        ("foreign", "https://elsewhere.example/fhir/Binary/scan".to_owned()),
        ("alike", format!("{BASE}.elsewhere.example/fhir/Binary/scan")),
        ("beside", format!("{BASE}/other/Binary/scan")),
    ] {
        assert_eq!(import(&w, RIVERSIDE, &[around(id, &url)]).await.problems, Vec::<String>::new(), "{url}");
        assert!(!opens(&w, id, "scan").await, "{url}");
        let stored = w.amina().caller().await.get(&format!("/fhir/DocumentReference/{id}")).await.opened().json();
        assert_eq!(stored["content"][0]["attachment"]["url"], url.as_str(), "what is foreign is kept as it is");
    }
}

#[tokio::test]
async fn a_binary_under_our_own_base_is_stored_as_the_relative_one() {
    let w = World::new().await;
    let url = format!("{BASE}/fhir/Binary/letter-text-amina");
    assert_eq!(import(&w, RIVERSIDE, &[around("absolute", &url)]).await.problems, Vec::<String>::new());
    assert!(opens(&w, "absolute", "letter-text-amina").await);
    let created = w.system().await.post("/fhir/DocumentReference", &around("ignored", &url)).await.json();
    let imported = w.amina().caller().await.get("/fhir/DocumentReference/absolute").await.opened().json();
    for stored in [created, imported] {
        let attachment = json!({ "contentType": "text/plain", "url": "Binary/letter-text-amina" });
        assert_eq!(stored["content"], json!([{ "attachment": attachment }]));
    }
}

#[tokio::test]
async fn what_a_create_refuses_an_import_refuses_with_the_same_words() {
    let w = World::new().await;
    let with = |member: &str, value: Value| {
        let mut document = letter("amina");
        document[member] = value;
        document
    };
    let two_labels = json!({ "security": [
        { "system": "urn:recordgate:privacy-label", "code": "MENTAL_HEALTH" },
        { "system": "urn:recordgate:privacy-label", "code": "SEXUAL_HEALTH" }] });
    for document in [
        with("status", Value::Null),
        with("status", json!("final")),
        with("content", json!([])),
        with("content", json!([{ "attachment": { "contentType": "a/b", "data": "?" } }])),
        with("subject", json!({ "reference": "https://other.example/fhir/Patient/amina" })),
        with("meta", json!(1)),
        with("meta", two_labels),
        with("meta", json!({ "tag": [{ "system": "urn:recordgate:approved", "code": "x" }] })),
    ] {
        let words = w.system().await.post("/fhir/DocumentReference", &document).await.words(422, "UNPROCESSABLE");
        let refused = import(&w, RIVERSIDE, &[letter("amina"), document]).await;
        assert_eq!(refused.problems, [format!("letters.ndjson:2: {words}")]);
        assert_eq!(refused.stored.len() + refused.unchanged.len(), 1, "the sound one is stored: {words}");
    }
}

#[tokio::test]
async fn an_import_refuses_a_searchparameter_that_cannot_be_served_and_says_why() {
    let w = World::new().await;
    let parameter = |code: &str, expression: &str| {
        json!({ "resourceType": "SearchParameter", "id": format!("of-{}", code.trim_start_matches('_')), "url": "http://x.example/sp", "name": "mine",
            "status": "active", "description": "Mine", "code": code, "base": ["Patient"], "type": "token",
            "expression": expression })
    };
    let sound = parameter("speech", "Patient.communication.language");
    for (unsound, why) in [
        (parameter("many", "Patient.name.exists()"), "exists()"),
        (parameter("shoe", "Patient.shoeSize"), "shoeSize"),
        (parameter("gender", "Patient.maritalStatus"), "by R4 already"),
        (parameter("_mine", "Patient.language"), "cannot be the name"),
    ] {
        let refused = import(&w, RIVERSIDE, &[sound.clone(), unsound.clone()]).await;
        let [problem] = refused.problems.as_slice() else { panic!("{:?}", refused.problems) };
        assert!(problem.starts_with("letters.ndjson:2: ") && problem.contains(why), "{why}: {problem}");
        assert_eq!(refused.rejected, 1, "the sound one is stored: {problem}");
        let path = format!("/fhir/SearchParameter/{}", unsound["id"].as_str().unwrap());
        w.system().await.get(&path).await.says(404, "NOT_FOUND");
    }
    assert_eq!(w.system().await.get("/fhir/SearchParameter?status=active").await.found(), ["of-speech"]);
}

#[tokio::test]
async fn what_is_no_valid_fhir_is_left_out_and_each_fault_of_it_is_named() {
    let w = World::new().await;
    let faulty = json!({ "resourceType": "Observation", "id": "o", "status": "done", "valueInteger": "1" });
    let refused = import(&w, RIVERSIDE, &[letter("amina"), faulty]).await;
    assert_eq!((refused.stored["DocumentReference"], refused.rejected), (1, 1));
    let [problem] = refused.problems.as_slice() else { panic!("{:?}", refused.problems) };
    for part in ["letters.ndjson:2: ", "Observation.status: ", "Observation.value", "Observation.code: "] {
        assert!(problem.contains(part), "{part} is not in {problem}");
    }
}

#[tokio::test]
async fn what_searches_would_find_by_too_many_values_is_left_out_and_the_rest_is_stored() {
    let w = World::new().await;
    let code = |number: usize| json!({ "system": "http://loinc.org", "code": format!("c-{number}") });
    let mut large = letter("amina");
    large["id"] = "large".into();
    large["category"] = json!([{ "coding": (0..20_000).map(code).collect::<Vec<_>>() }]);
    let report = import(&w, RIVERSIDE, &[binary("b"), large]).await;
    assert_eq!((report.stored.get("Binary"), report.rejected), (Some(&1), 1));
    assert!(report.problems.iter().any(|why| why.contains("letters.ndjson:2") && why.contains("10000")), "{report:?}");
}
