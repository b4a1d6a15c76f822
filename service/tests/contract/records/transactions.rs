//! `POST /fhir` with a transaction: all of it or nothing.

use super::bundles::{SYSTEM, asks, bundle, numbered, result, sends, statuses, with};
use crate::kit::World;
use crate::kit::records::{AMINA, BEN, observation};
use rules::limits::{REPLACED_INDEX_ROWS, TRANSACTION_INDEX_ROWS};
use serde_json::{Value, json};

const CHOSEN: &str = "0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b90";
const TWICE: &str = "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a";
const ANOTHER: &str = "0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b91";

// gaps: FHIR, where R4 leaves it open > Transaction
#[tokio::test]
async fn a_transaction_stores_all_and_knows_its_own_resources_by_their_full_urls() {
    let w = World::new().await;
    let system = w.system().await;
    let old = system.makes(&result(AMINA, "old")).await;
    let kept = system.makes(&result(AMINA, "kept")).await;
    let patient = json!({ "resourceType": "Patient", "identifier": [{ "system": SYSTEM, "value": "P" }] });
    let mut about = observation("x");
    about["subject"] = json!({ "reference": "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a" });
    about["derivedFrom"] = json!([{ "reference": "urn:uuid:88f151c0-a954-468a-88bd-5ae15c08e059" }]);
    let mut derived = about.clone();
    derived["derivedFrom"] = json!([{ "reference": "urn:uuid:05efabf0-4be2-4561-91ce-51548425acb9" }]);
    let mut chosen = about.clone();
    chosen["id"] = json!(CHOSEN);
    chosen["performer"] =
        json!([{ "reference": format!("Patient?identifier=https://fhir.nhs.uk/Id/nhs-number|9990000018") }]);
    let entries = [
        asks("GET", &format!("Observation/{CHOSEN}")),
        with(sends("POST", "Observation", &about), "fullUrl", "urn:uuid:05efabf0-4be2-4561-91ce-51548425acb9"),
        with(sends("POST", "Observation", &derived), "fullUrl", "urn:uuid:88f151c0-a954-468a-88bd-5ae15c08e059"),
        with(sends("POST", "Patient", &patient), "fullUrl", "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a"),
        sends("PUT", &format!("Observation/{CHOSEN}"), &chosen),
        asks("DELETE", old.strip_prefix("/fhir/").unwrap()),
        with(sends("POST", "Observation", &result(AMINA, "kept")), "ifNoneExist", &numbered("kept")),
        asks("DELETE", "Observation/nobody"),
        asks("DELETE", &numbered("nobody")),
    ];
    let answer = system.exchanges("transaction", &entries).await;
    assert_eq!(statuses(&answer), [200, 201, 201, 201, 201, 204, 200, 204, 204], "{answer}");
    let resource = |at: usize| &answer["entry"][at]["resource"];
    let id = |at: usize| resource(at)["id"].as_str().unwrap().to_owned();
    for at in [1, 2, 4] {
        assert_eq!(resource(at)["subject"]["reference"], format!("Patient/{}", id(3)));
    }
    assert_eq!(resource(1)["derivedFrom"][0]["reference"], format!("Observation/{}", id(2)), "each names the other");
    assert_eq!(resource(2)["derivedFrom"][0]["reference"], format!("Observation/{}", id(1)));
    assert_eq!(resource(4)["performer"][0]["reference"], format!("Patient/{AMINA}"));
    assert_eq!(resource(0)["id"], CHOSEN, "reads come last");
    assert_eq!(format!("/fhir/Observation/{}", id(6)), kept);
    assert_eq!(system.get(&format!("/fhir/Observation?subject=Patient/{}", id(3))).await.found().len(), 3);
    assert_eq!(system.status(&old).await, 410);
}

// gaps: FHIR, where R4 leaves it open > Transaction
// gaps: FHIR, where R4 leaves it open > References to what is not there
#[tokio::test]
async fn a_transaction_with_one_bad_entry_stores_nothing_and_names_it() {
    let w = World::new().await;
    let system = w.system().await;
    let own = system.makes(&result(AMINA, "own")).await;
    let own = own.strip_prefix("/fhir/").unwrap();
    let theirs = w.dr_okafor().caller().await.makes(&result(AMINA, "theirs")).await;
    let theirs = theirs.strip_prefix("/fhir/").unwrap();
    let good = sends("POST", "Observation", &result(AMINA, "1"));
    let mut wrong = observation(AMINA);
    wrong["status"] = json!("no such status");
    let mut unresolved = observation(AMINA);
    unresolved["encounter"] = json!({ "reference": "urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0" });
    let mut nobody = observation(AMINA);
    nobody["encounter"] = json!({ "reference": "Encounter?identifier=nobody" });
    let mut changed = result(AMINA, "own");
    changed["id"] = json!(own.strip_prefix("Observation/").unwrap());
    let put = sends("PUT", own, &changed);
    for (bad, status, expression) in [
        (sends("POST", "Observation", &wrong), 422, "Bundle.entry[1].resource.status"),
        (sends("POST", "Observation", &observation(BEN)), 422, "Bundle.entry[1].resource.subject"),
        (sends("POST", "Observation", &unresolved), 422, "Bundle.entry[1].resource.encounter"),
        (sends("POST", "Observation", &nobody), 412, "Bundle.entry[1]"),
        (sends("POST", "Patient", &observation(AMINA)), 400, "Bundle.entry[1]"),
        (asks("POST", "Observation"), 400, "Bundle.entry[1]"),
        (asks("DELETE", theirs), 403, "Bundle.entry[1]"),
        (with(asks("DELETE", "Observation/nobody"), "ifMatch", "W/\"1\""), 412, "Bundle.entry[1]"),
        (with(put.clone(), "ifMatch", "W/\"7\""), 412, "Bundle.entry[1]"),
        (with(good.clone(), "ifMatch", "W/\"7\""), 400, "Bundle.entry[1]"),
        (with(put.clone(), "ifNoneExist", "identifier=1"), 400, "Bundle.entry[1]"),
        (asks("GET", "Observation?nosuch=1"), 400, "Bundle.entry[1]"),
        (asks("GET", "https://other.example/fhir/Patient/1"), 400, "Bundle.entry[1]"),
        (asks("GET", "Patient/../Observation"), 400, "Bundle.entry[1]"),
        (asks("GET", "Patient/%2e%2e/Observation"), 400, "Bundle.entry[1]"),
        (asks("GET", "NoSuchType/1"), 404, "Bundle.entry[1]"),
        (sends("POST", "/", &bundle("transaction", &[])), 400, "Bundle.entry[1]"),
        (sends("POST", "Observation/$lastn", &observation(AMINA)), 400, "Bundle.entry[1]"),
        (sends("PATCH", own, &observation(AMINA)), 400, "Bundle.entry[1]"),
    ] {
        let (told, words) = system.is_refused(&[good.clone(), bad], status).await;
        assert_eq!(told, expression, "{words}");
    }
    let (told, words) = system.is_refused(&[put.clone(), asks("DELETE", own)], 400).await;
    assert!(told == "Bundle.entry[1]" && words.contains("entry[0]"), "{words}");
    let unless = with(good.clone(), "ifNoneExist", &numbered("1"));
    let (told, words) = system.is_refused(&[unless.clone(), good, unless], 400).await;
    assert!(told == "Bundle.entry[2]" && words.contains("entry[0]"), "{words}");
    let same = |url: &str| with(sends("POST", "Observation", &result(AMINA, "1")), "fullUrl", url);
    let (_, words) = system.is_refused(&[same(TWICE), same(TWICE)], 422).await;
    assert!(words.contains("bdl-7"), "{words}");
}

#[tokio::test]
async fn nobody_writes_about_a_patient_who_goes_with_the_same_transaction() {
    let w = World::new().await;
    let system = w.system().await;
    let mut patient = json!({ "resourceType": "Patient", "id": CHOSEN });
    system.put(&format!("/fhir/Patient/{CHOSEN}"), &patient).await;
    let about = |id: &str| sends("POST", "Observation", &observation(id));
    let (told, _) = system.is_refused(&[about(CHOSEN), asks("DELETE", &format!("Patient/{CHOSEN}"))], 422).await;
    assert_eq!(told, "Bundle.entry[0].resource.subject");
    patient["id"] = json!(ANOTHER);
    let entries = [about(ANOTHER), sends("PUT", &format!("Patient/{ANOTHER}"), &patient)];
    assert_eq!(statuses(&system.exchanges("transaction", &entries).await), [201, 201]);
}

#[tokio::test]
async fn a_document_and_its_binary_are_stored_together() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let binary = json!({ "resourceType": "Binary", "contentType": "text/plain", "data": "aGk=" });
    let mut document = crate::kit::records::letter(AMINA);
    document["content"][0]["attachment"] = json!({ "url": "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a" });
    let entries = [
        sends("POST", "DocumentReference", &document),
        with(sends("POST", "Binary", &binary), "fullUrl", "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a"),
        sends("POST", "DocumentReference", &crate::kit::records::letter(AMINA)),
    ];
    let answer = okafor.exchanges("transaction", &entries).await;
    assert_eq!(statuses(&answer), [201, 201, 201], "{answer}");
    let url = answer["entry"][0]["resource"]["content"][0]["attachment"]["url"].as_str().unwrap().to_owned();
    assert_eq!(url, format!("Binary/{}", answer["entry"][1]["resource"]["id"].as_str().unwrap()));
    assert_eq!(w.amina().caller().await.get(&format!("/fhir/{url}")).await.text(), "hi");
}

// gaps: FHIR, where R4 leaves it open > Bundles of requests
#[tokio::test]
async fn five_thousand_entries_are_one_transaction_and_one_more_is_refused() {
    let w = World::new().await;
    let system = w.system().await;
    let entry = sends("POST", "Observation", &observation(AMINA));
    let mut entries = vec![entry; rules::limits::BUNDLE_ENTRIES];
    entries[4_000] = asks("PATCH", "Observation/nobody");
    let (told, _) = system.is_refused(&entries, 400).await;
    assert_eq!(told, "Bundle.entry[4000]");
    entries[4_000] = entries[0].clone();
    let answer = system.exchanges("transaction", &entries).await;
    assert!(statuses(&answer).iter().all(|status| *status == 201));
    let total = system.get("/fhir/Observation?_summary=count").await.opened().json();
    assert_eq!(total["total"], rules::limits::BUNDLE_ENTRIES);
    entries.push(entries[0].clone());
    let words = system.post("/fhir", &bundle("transaction", &entries)).await.words(400, "BAD_REQUEST");
    assert!(words.contains("5000"), "{words}");
}

// gaps: FHIR, where R4 leaves it open > How much is written at once
#[tokio::test]
async fn a_transaction_that_writes_too_much_at_once_is_refused() {
    let w = World::new().await;
    let system = w.system().await;
    // Each is found by itself, and with its system that is none.
    let codes: Vec<Value> = (0..4_500).map(|number| json!({ "code": format!("c{number}") })).collect();
    let mut one = observation(AMINA);
    one["code"] = json!({ "coding": codes });
    let entries = vec![sends("POST", "Observation", &one); 1 + TRANSACTION_INDEX_ROWS / 9_000];
    let words = system.post("/fhir", &bundle("transaction", &entries)).await.words(422, "UNPROCESSABLE");
    assert!(words.contains(&TRANSACTION_INDEX_ROWS.to_string()) && words.contains("several transactions"), "{words}");
    assert_eq!(system.results().await, 0, "nothing of it was made");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_transactions_that_make_the_same_at_once_one_does() {
    let w = World::new().await;
    let system = w.system().await;
    let practitioner = json!({ "resourceType": "Practitioner", "identifier": [{ "system": SYSTEM, "value": "1" }] });
    let full_url = "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a";
    let mut about = observation(AMINA);
    about["performer"] = json!([{ "reference": full_url }]);
    let unless = with(sends("POST", "Practitioner", &practitioner), "ifNoneExist", &format!("identifier={SYSTEM}|1"));
    let entries = [with(unless, "fullUrl", full_url), sends("POST", "Observation", &about)];
    let requests = (0..10).map(|_| system.post_request("/fhir", &bundle("transaction", &entries)));
    let replies = w.shoots(requests.collect()).await;
    let mut performers: Vec<Value> =
        replies.iter().map(|reply| reply.opened().json()["entry"][1]["resource"]["performer"].clone()).collect();
    performers.dedup();
    assert_eq!(performers.len(), 1, "{performers:?}");
    assert_eq!(system.get(&format!("/fhir/Practitioner?identifier={SYSTEM}%7C1")).await.found().len(), 1);
    assert_eq!(system.results().await, 10);
}

/// On the embedded store everybody's writes wait for one writer: what it would take too long to change is refused, and is made in
/// pieces. Other engines have many writers.
// gaps: FHIR, where R4 leaves it open > How much is written at once
#[tokio::test]
async fn a_transaction_that_changes_too_much_of_what_is_there_is_refused_and_its_parts_are_not() {
    let w = World::new().await;
    let system = w.system().await;
    let coded = |round: usize| {
        let codes: Vec<Value> = (0..1_000).map(|number| json!({ "code": format!("c{round}-{number}") })).collect();
        let mut one = observation(AMINA);
        one["code"] = json!({ "coding": codes });
        one
    };
    let mut paths = Vec::new();
    for _ in 0..8 {
        paths.push(system.makes(&coded(0)).await);
    }
    let changed = |path: &str| {
        let mut changed = coded(1);
        changed["id"] = json!(path.rsplit('/').next().unwrap());
        changed
    };
    let entries: Vec<Value> =
        paths.iter().map(|path| sends("PUT", path.trim_start_matches("/fhir/"), &changed(path))).collect();
    if cluster::is_postgres() {
        let answer = system.exchanges("transaction", &entries).await;
        assert!(statuses(&answer).iter().all(|status| *status == 200));
        return;
    }
    let words = system.post("/fhir", &bundle("transaction", &entries)).await.words(422, "UNPROCESSABLE");
    assert!(words.contains(&REPLACED_INDEX_ROWS.to_string()) && words.contains("several transactions"), "{words}");
    for path in &paths {
        assert_eq!(system.get(path).await.json()["meta"]["versionId"], "1", "nothing of it was made");
    }
    let answer = system.exchanges("transaction", &entries[..2]).await;
    assert_eq!(statuses(&answer), [200, 200], "{answer}");
    system.put(&paths[2], &changed(&paths[2])).await.opened();
    let found = system.get("/fhir/Observation?code=c1-999&_summary=count").await.json();
    assert_eq!(found["total"], 3, "{found}");
    let left = system.get("/fhir/Observation?code=c0-999&_summary=count").await.json();
    assert_eq!(left["total"], 5, "{left}");
}
