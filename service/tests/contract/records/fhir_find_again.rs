//! `$meta`, `Observation/$lastn` and `Patient/$match`: small questions about what is there, within the caller's reach.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA_NHS, BEN_NHS, NHS_NUMBER, import};
use crate::kit::{HILLSIDE, RIVERSIDE, World};
use serde_json::{Value, json};

fn reading(id: &str, code: &str, date: &str) -> Value {
    json!({ "resourceType": "Observation", "id": id, "status": "final",
        "category": [{ "coding": [{ "system": "urn:category", "code": "vital" }] }],
        "code": { "coding": [{ "system": "urn:codes", "code": code }] },
        "subject": { "reference": "Patient/amina" }, "effectiveDateTime": date })
}

// gaps: FHIR, where R4 leaves it open > $lastn
#[tokio::test]
async fn of_each_kind_of_observation_the_newest_are_found() {
    let w = World::new().await;
    let record = [
        reading("w3", "weight", "2026-03-01"),
        reading("w1", "weight", "2026-01-01"),
        reading("w2", "weight", "2026-02-01"),
        reading("h1", "height", "2020-01-01"),
    ];
    import(&w.app.store, RIVERSIDE, &record, w.now()).await;
    import(&w.app.store, HILLSIDE, &[reading("hidden", "weight", "2026-10-01")], w.now()).await;
    let system = w.system().await;
    let found = |query: &str| {
        let (system, path) = (&system, format!("/fhir/Observation/$lastn?{query}"));
        async move { system.get(&path).await.found() }
    };
    assert_eq!(found("patient=amina&category=vital").await, ["w3", "h1"]);
    assert_eq!(found("subject=Patient/amina&category=urn:category|vital&max=2").await, ["w3", "w2", "h1"]);
    assert_eq!(found("patient=amina&code=urn:codes|weight&max=10").await, ["w3", "w2", "w1"]);
    assert_eq!(found("patient=amina&code=weight&date=lt2026-02-15").await, ["w2"]);
    assert_eq!(found("patient=ben&code=weight").await, Vec::<String>::new());
    let own = w.amina().caller().await.get("/fhir/Observation/$lastn?patient=amina&code=weight").await;
    assert_eq!(own.found(), ["hidden"], "the patient sees what everybody wrote");
    let wrong =
        ["", "patient=amina", "code=weight", "patient=amina&code=weight&max=0", "patient=amina&code=weight&_sort=date"];
    for wrong in wrong.into_iter().chain(["patient=amina&code=weight&colour=red"]) {
        system.get(&format!("/fhir/Observation/$lastn?{wrong}")).await.says(400, "BAD_REQUEST");
    }
}

/// Who is found, with grade and score.
async fn matches(caller: &Caller<'_>, patient: &Value, more: &[Value]) -> Vec<(String, String, f64)> {
    let mut parameters = vec![json!({ "name": "resource", "resource": patient })];
    parameters.extend_from_slice(more);
    let asked = json!({ "resourceType": "Parameters", "parameter": parameters });
    let bundle = caller.post("/fhir/Patient/$match", &asked).await.opened().json();
    let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
    assert_eq!(bundle["total"], entries.len());
    let told = entries.iter().map(|entry| {
        let grade = &entry["search"]["extension"][0];
        assert_eq!(grade["url"], "http://hl7.org/fhir/StructureDefinition/match-grade");
        let id = entry["resource"]["id"].as_str().unwrap().to_owned();
        (id, grade["valueCode"].as_str().unwrap().to_owned(), entry["search"]["score"].as_f64().unwrap())
    });
    told.collect()
}

// gaps: FHIR, where R4 leaves it open > $match
#[tokio::test]
async fn a_patient_is_matched_by_number_or_by_name_and_birthday_within_reach() {
    let w = World::new().await;
    let system = w.system().await;
    let by_number =
        |value: &str| json!({ "resourceType": "Patient", "identifier": [{ "system": NHS_NUMBER, "value": value }] });
    assert_eq!(matches(&system, &by_number(AMINA_NHS), &[]).await, [("amina".into(), "certain".into(), 1.0)]);
    assert_eq!(matches(&system, &by_number(BEN_NHS), &[]).await, [], "not a patient of this organisation");
    let by_name = json!({ "resourceType": "Patient", "birthDate": "1984-02-29",
        "name": [{ "family": "RAHMAN", "given": ["Amina"] }] });
    let found = matches(&system, &by_name, &[]).await;
    assert_eq!((found[0].0.as_str(), found[0].1.as_str(), found.len()), ("amina", "probable", 1));
    let only_certain = json!({ "name": "onlyCertainMatches", "valueBoolean": true });
    assert_eq!(matches(&system, &by_name, std::slice::from_ref(&only_certain)).await, []);
    assert_eq!(matches(&system, &by_number(AMINA_NHS), std::slice::from_ref(&only_certain)).await.len(), 1);
    let twin = json!({ "resourceType": "Patient", "id": "twin", "identifier": [{ "system": NHS_NUMBER, "value": AMINA_NHS }] });
    import(&w.app.store, RIVERSIDE, &[twin], w.now()).await;
    assert_eq!(
        matches(&system, &by_number(AMINA_NHS), std::slice::from_ref(&only_certain)).await,
        [],
        "which of two nobody can say"
    );
    assert_eq!(matches(&system, &by_number(AMINA_NHS), &[]).await.len(), 2);
    let one = json!({ "name": "count", "valueInteger": 1 });
    assert_eq!(matches(&system, &by_number(AMINA_NHS), &[one]).await.len(), 1);
    assert_eq!(matches(&w.amina().caller().await, &by_number(BEN_NHS), &[]).await, []);
}

#[tokio::test]
async fn a_match_is_asked_with_one_valid_patient() {
    let w = World::new().await;
    let system = w.system().await;
    let one = |resource: Value| json!({ "resourceType": "Parameters", "parameter": [{ "name": "resource", "resource": resource }] });
    system.post("/fhir/Patient/$match", &json!({ "resourceType": "Parameters" })).await.says(400, "BAD_REQUEST");
    system.post("/fhir/Patient/$match", &one(json!({ "resourceType": "Basic" }))).await.says(400, "BAD_REQUEST");
    let broken = one(json!({ "resourceType": "Patient", "birthDate": "soon" }));
    system.post("/fhir/Patient/$match", &broken).await.says(422, "UNPROCESSABLE");
    assert!(matches(&system, &json!({ "resourceType": "Patient" }), &[]).await.is_empty());
    let odd =
        json!({ "resourceType": "Patient", "birthDate": "1984", "name": [{ "family": "a,b|c$d\\", "given": ["x"] }] });
    assert!(matches(&system, &odd, &[]).await.is_empty());
}

// gaps: FHIR, where R4 leaves it open > $meta
#[tokio::test]
async fn meta_is_told_of_one_resource_and_gathered_of_a_type() {
    let w = World::new().await;
    let tagged = |id: &str, tag: &str| {
        json!({ "resourceType": "Basic", "id": id, "code": { "text": "x" },
        "meta": { "tag": [{ "system": "urn:tags", "code": tag }], "profile": ["urn:profile"] } })
    };
    import(&w.app.store, RIVERSIDE, &[tagged("b1", "one"), tagged("b2", "two"), tagged("b3", "one")], w.now()).await;
    import(&w.app.store, HILLSIDE, &[tagged("b4", "hidden")], w.now()).await;
    let system = w.system().await;
    let of = |path: &'static str| {
        let system = &system;
        async move { system.get(path).await.opened().json() }
    };
    let one = of("/fhir/Basic/b1/$meta").await;
    assert_eq!(one["parameter"][0]["name"], "return");
    let meta = &one["parameter"][0]["valueMeta"];
    assert_eq!((&meta["tag"][0]["code"], &meta["versionId"]), (&json!("one"), &json!("1")));
    let all = of("/fhir/Basic/$meta").await;
    let gathered = &all["parameter"][0]["valueMeta"];
    let mut codes: Vec<&str> =
        gathered["tag"].as_array().unwrap().iter().map(|tag| tag["code"].as_str().unwrap()).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["one", "two"]);
    assert_eq!(gathered["profile"], json!(["urn:profile"]));
    assert_eq!(of("/fhir/Slot/$meta").await, json!({ "resourceType": "Parameters" }));
    system.get("/fhir/Basic/b4/$meta").await.says(404, "NOT_FOUND");
}
