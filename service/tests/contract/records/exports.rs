//! Bulk Data `$export`: begun, asked for, fetched and cancelled; within the caller's reach when it is fetched, as of one moment.

use crate::kit::caller::Caller;
use crate::kit::records::{self, import};
use crate::kit::{BASE, HILLSIDE, MINUTE, RIVERSIDE, World, damage};
use axum::http::Method;
use serde_json::{Value, json};
use service::formats::when;
use std::collections::BTreeSet;

pub const ASYNC: &[(&str, &str)] = &[("prefer", "respond-async"), ("accept", "application/fhir+json")];

/// Begins an export and gives the path of its status.
pub async fn begun(caller: &Caller<'_>, path: &str) -> String {
    let reply = caller.get_with(path, ASYNC).await;
    assert_eq!(reply.status, 202, "{}", reply.text());
    assert_eq!(reply.json()["resourceType"], "OperationOutcome");
    own(reply.header("content-location").expect("Content-Location"))
}

/// A URL of ours as a path.
pub fn own(url: &str) -> String {
    url.strip_prefix(BASE).expect("a URL of ours").to_owned()
}

/// Asks until the export is counted.
pub async fn manifest(caller: &Caller<'_>, status: &str) -> Value {
    loop {
        let reply = caller.get(status).await;
        if reply.status != 202 {
            assert_eq!(reply.opened().header("content-type"), Some("application/json;charset=UTF-8"));
            assert!(reply.header("expires").is_some());
            return reply.json();
        }
        assert!(reply.header("x-progress").is_some_and(|said| said.len() < 100), "{reply:?}");
        assert!(reply.header("retry-after").is_some());
    }
}

/// The resources of the files, file by file.
pub async fn resources(caller: &Caller<'_>, manifest: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for file in manifest["output"].as_array().unwrap() {
        let reply = caller.get(&own(file["url"].as_str().unwrap())).await;
        assert_eq!(reply.opened().header("content-type"), Some("application/fhir+ndjson"));
        let text = reply.text();
        assert!(text.is_empty() || text.ends_with('\n'));
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines.iter().all(|line| line["resourceType"] == file["type"]), "one type to a file");
        all.extend(lines);
    }
    all
}

fn name(resource: &Value) -> String {
    format!("{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap())
}

/// What an export gives, each once.
async fn exported(caller: &Caller<'_>, path: &str) -> BTreeSet<String> {
    let status = begun(caller, path).await;
    let manifest = manifest(caller, &status).await;
    let found: Vec<String> = resources(caller, &manifest).await.iter().map(name).collect();
    let told: i64 = manifest["output"].as_array().unwrap().iter().map(|file| file["count"].as_i64().unwrap()).sum();
    assert_eq!(usize::try_from(told).unwrap(), found.len());
    let all: BTreeSet<String> = found.iter().cloned().collect();
    assert_eq!(all.len(), found.len(), "nothing is there twice");
    caller.delete(&status).await;
    all
}

/// What a search finds on all of its pages.
async fn searched(caller: &Caller<'_>, path: &str) -> BTreeSet<String> {
    let (mut path, mut found) = (path.to_owned(), BTreeSet::new());
    loop {
        let bundle = caller.get(&path).await.opened().json();
        let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
        found.extend(entries.iter().map(|entry| name(&entry["resource"])));
        let next = bundle["link"].as_array().unwrap().iter().find(|link| link["relation"] == "next").cloned();
        let Some(next) = next else { return found };
        path = own(next["url"].as_str().unwrap());
    }
}

pub fn weight(id: &str, patient: &str) -> Value {
    let mut weight = records::observation(patient);
    weight["id"] = json!(id);
    weight
}

pub async fn with_records(w: &World) {
    let gp = json!({ "resourceType": "Practitioner", "id": "gp" });
    let seen = [gp, weight("w1", "amina"), weight("w2", "amina")];
    import(&w.app.store, RIVERSIDE, &seen, w.now()).await;
    import(&w.app.store, HILLSIDE, &[weight("bens", "ben")], w.now()).await;
}

fn names(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

const AMINAS: [&str; 6] = [
    "DocumentReference/elsewhere",
    "DocumentReference/letter-amina",
    "DocumentReference/note",
    "Observation/w1",
    "Observation/w2",
    "Patient/amina",
];

// gaps: FHIR, where R4 leaves it open > $export
#[tokio::test]
async fn an_export_gives_each_caller_what_a_search_would_find_each_once_in_files_by_type() {
    let w = World::new().await;
    with_records(&w).await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        assert_eq!(exported(&caller, "/fhir/$export").await, searched(&caller, "/fhir?_count=200").await);
        assert_eq!(exported(&caller, "/fhir/Patient/$export").await, names(&AMINAS));
        let narrow = exported(&caller, "/fhir/$export?_type=Patient,Practitioner&_type=Condition").await;
        assert_eq!(narrow, names(&["Patient/amina", "Practitioner/gp"]));
    }
    let ben = w.ben().caller().await;
    assert_eq!(exported(&ben, "/fhir/Patient/$export?_type=Observation").await, names(&["Observation/bens"]));
}

#[tokio::test]
async fn the_manifest_says_what_was_asked_as_of_when_and_where_each_file_is() {
    let w = World::new().await;
    with_records(&w).await;
    let system = w.system().await;
    let path = "/fhir/Patient/$export?_type=Observation&_outputFormat=application%2Ffhir%2Bndjson";
    let status = begun(&system, path).await;
    let manifest = manifest(&system, &status).await;
    assert_eq!(manifest["request"], format!("{BASE}{path}"));
    assert_eq!(manifest["transactionTime"], when::rfc3339(w.now().plus_seconds(-60)));
    assert_eq!((&manifest["requiresAccessToken"], &manifest["error"]), (&json!(true), &json!([])));
    let url = format!("{BASE}{status}/1.Observation.ndjson");
    assert_eq!(manifest["output"], json!([{ "type": "Observation", "url": url, "count": 2 }]));
    let head = system.head(&own(&url)).await;
    assert_eq!((head.opened().body.len(), head.header("content-type")), (0, Some("application/fhir+ndjson")));
    let accept = [("accept", "application/fhir+xml")];
    system.get_with(&own(&url), &accept).await.says(406, "NOT_ACCEPTABLE");
    for missing in ["2.Observation.ndjson", "1.Patient.ndjson", "x"] {
        system.get(&format!("{status}/{missing}")).await.says(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_kick_off_says_that_it_can_wait_and_asks_for_nothing_that_is_not_served() {
    let w = World::new().await;
    let system = w.system().await;
    let path = "/fhir/$export";
    assert!(system.get(path).await.words(400, "BAD_REQUEST").contains("Prefer: respond-async"));
    for wrong in ["_typeFilter=Patient%3Fx", "_outputFormat=csv", "_type=Colour", "_since=soon", "patient=amina"] {
        system.get_with(&format!("{path}?{wrong}"), ASYNC).await.says(400, "BAD_REQUEST");
    }
    let xml = [("prefer", "respond-async"), ("accept", "application/fhir+xml")];
    system.get_with(path, &xml).await.says(406, "NOT_ACCEPTABLE");
    for format in ["application/fhir%2Bndjson", "application/fhir+ndjson", "application/ndjson", "ndjson"] {
        let status = begun(&system, &format!("{path}?_outputFormat={format}")).await;
        assert_eq!(system.delete(&status).await.status, 202);
    }
    let lenient = [("prefer", "respond-async, handling=lenient")];
    let reply = system.get_with(&format!("{path}?_typeFilter=x&_type=Colour,Patient"), &lenient).await;
    assert_eq!(reply.status, 202);
    let told = reply.text();
    assert!(told.contains("_typeFilter") && told.contains("Colour"), "{told}");
    let status = own(reply.header("content-location").unwrap());
    assert_eq!(manifest(&system, &status).await["output"][0]["type"], "Patient");
}

#[tokio::test]
async fn a_kick_off_may_be_a_parameters_resource() {
    let w = World::new().await;
    with_records(&w).await;
    let system = w.system().await;
    let headers = [ASYNC, &[("content-type", "application/fhir+json")]].concat();
    let body = |name: &str| {
        json!({ "resourceType": "Parameters", "parameter": [
            { "name": name, "valueString": "Observation" }, { "name": "_since", "valueInstant": "2020-01-01T00:00:00Z" }] })
    };
    for path in ["/fhir/$export", "/fhir/Patient/$export"] {
        let reply = system.send(Method::POST, path, &headers, body("_type").to_string()).await;
        assert_eq!(reply.status, 202, "{}", reply.text());
        let manifest = manifest(&system, &own(reply.header("content-location").unwrap())).await;
        assert_eq!(manifest["output"][0]["count"], 2);
    }
    let wrong = system.send(Method::POST, "/fhir/$export", &headers, body("patient").to_string()).await;
    wrong.says(400, "BAD_REQUEST");
}

#[tokio::test]
async fn an_export_of_a_group_is_of_those_who_are_its_members_and_in_reach() {
    let w = World::new().await;
    with_records(&w).await;
    let member = |patient: &str| json!({ "entity": { "reference": format!("Patient/{patient}") } });
    let mut gone = member("amina");
    gone["inactive"] = json!(true);
    let group = |id: &str, members: Vec<Value>| json!({ "resourceType": "Group", "id": id, "type": "person", "actual": true, "member": members });
    let groups = [
        group("both", vec![member("amina"), member("ben"), member("nobody")]),
        group("former", vec![gone, member("ben")]),
    ];
    import(&w.app.store, RIVERSIDE, &groups, w.now()).await;
    let system = w.system().await;
    let mut expected = names(&AMINAS);
    // Who has made something about a patient, a Group too, may see who that is.
    expected.extend(["Group/both", "Group/former", "Patient/ben"].map(String::from));
    let both = exported(&system, "/fhir/Group/both/$export").await;
    assert!(names(&AMINAS).is_subset(&both) && both.is_subset(&expected), "{both:?}");
    let former = exported(&system, "/fhir/Group/former/$export?_type=Observation,Patient").await;
    assert_eq!(former, names(&["Patient/ben"]), "the rest of Ben's record is Hillside's");
    let post = system.send(Method::POST, "/fhir/Group/both/$export", ASYNC, String::new()).await;
    assert_eq!(post.status, 202, "{}", post.text());
    for missing in ["nobody", "a%20b"] {
        system.get_with(&format!("/fhir/Group/{missing}/$export"), ASYNC).await.says(404, "NOT_FOUND");
    }
    let hillside = w.system_for_hillside().await;
    hillside.get_with("/fhir/Group/both/$export", ASYNC).await.says(404, "NOT_FOUND");
    system.delete("/fhir/Group/former").await;
    system.get_with("/fhir/Group/former/$export", ASYNC).await.says(410, "GONE");
}

#[tokio::test]
async fn a_file_is_as_of_the_kick_off_whatever_is_written_before_it_is_fetched() {
    let w = World::new().await;
    with_records(&w).await;
    let system = w.system().await;
    let status = begun(&system, "/fhir/Patient/$export?_type=Observation,Condition").await;
    w.after(2 * MINUTE);
    let mut changed = weight("w1", "amina");
    changed["status"] = json!("amended");
    import(&w.app.store, RIVERSIDE, &[changed, weight("w3", "amina")], w.now()).await;
    let found = resources(&system, &manifest(&system, &status).await).await;
    let told: Vec<_> = found.iter().map(|found| (name(found), found["status"].as_str().unwrap())).collect();
    assert_eq!(told, [("Observation/w1".to_owned(), "final"), ("Observation/w2".to_owned(), "final")]);
    // What is deleted meanwhile is nobody's to fetch.
    assert_eq!(system.delete("/fhir/Observation/w2").await.status, 204);
    let found = resources(&system, &manifest(&system, &status).await).await;
    assert_eq!(found.iter().map(name).collect::<Vec<_>>(), ["Observation/w1"]);
    let since = when::rfc3339(w.now());
    let newer = exported(&system, &format!("/fhir/Patient/$export?_type=Observation&_since={since}")).await;
    assert_eq!(newer, names(&["Observation/w1", "Observation/w3"]));
}

#[tokio::test]
async fn the_capability_statement_says_that_exports_are_as_bulk_data_access_has_them() {
    let w = World::new().await;
    let statement = w.get("/fhir/metadata").await.json();
    assert_eq!(statement["instantiates"], json!(["http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data"]));
    let rest = &statement["rest"][0];
    let of = |name: &str| {
        let all = rest["resource"].as_array().unwrap();
        all.iter().find(|resource| resource["type"] == name).unwrap()["operation"].clone()
    };
    for (operations, definition) in
        [(rest["operation"].clone(), "export"), (of("Patient"), "patient-export"), (of("Group"), "group-export")]
    {
        let url = format!("http://hl7.org/fhir/uv/bulkdata/OperationDefinition/{definition}");
        let mut all = operations.as_array().unwrap().iter().filter(|operation| operation["name"] == "export");
        assert_eq!(all.next().unwrap()["definition"], url);
    }
    let definition = w.get("/fhir/OperationDefinition/export").await.json();
    let levels = ["system", "type", "instance"].map(|level| definition[level].as_bool());
    assert_eq!((levels, &definition["resource"]), ([Some(true); 3], &json!(["Group", "Patient"])));
}

/// One bit on a disk costs nobody the others, and nobody takes the rest for the whole.
// gaps: FHIR, where R4 leaves it open > $export
#[tokio::test]
async fn a_damaged_resource_is_an_entry_of_the_error_file_and_all_others_are_given() {
    let w = World::new().await;
    with_records(&w).await;
    damage::resource(&w, "w1");
    for caller in [w.amina().caller().await, w.system().await] {
        let manifest =
            manifest(&caller, &begun(&caller, "/fhir/Patient/$export?_type=Observation,Patient").await).await;
        let given: BTreeSet<String> = resources(&caller, &manifest).await.iter().map(name).collect();
        assert!(given.contains("Observation/w2") && given.contains("Patient/amina"), "{given:?}");
        assert!(!given.contains("Observation/w1"));
        let counted: u64 =
            manifest["output"].as_array().unwrap().iter().map(|file| file["count"].as_u64().unwrap()).sum();
        assert_eq!(counted, given.len() as u64);
        let [told] = manifest["error"].as_array().unwrap().as_slice() else { panic!("{manifest}") };
        assert_eq!((told["type"].as_str(), told["count"].as_u64()), (Some("OperationOutcome"), Some(1)));
        let file = own(told["url"].as_str().unwrap());
        let reply = caller.get(&file).await;
        assert_eq!(reply.opened().header("content-type"), Some("application/fhir+ndjson"));
        let outcome: Value = serde_json::from_str(reply.text().trim_end()).expect("one line");
        assert_eq!(outcome["issue"][0]["severity"], "error");
        let words = outcome["issue"][0]["diagnostics"].as_str().unwrap();
        assert!(words.contains("of Observation/w1 is damaged"), "{words}");
        w.ben().caller().await.get(&file).await.says(404, "NOT_FOUND");
    }
    let ben = w.ben().caller().await;
    let whole = manifest(&ben, &begun(&ben, "/fhir/Patient/$export?_type=Observation").await).await;
    assert_eq!(whole["error"], json!([]), "who could not see it hears nothing of it");
}

/// What was whole when it was counted and is not any more breaks its file off.
#[tokio::test]
async fn a_resource_that_is_damaged_after_the_count_is_never_left_out_in_silence() {
    let w = World::new().await;
    with_records(&w).await;
    let amina = w.amina().caller().await;
    let manifest = manifest(&amina, &begun(&amina, "/fhir/Patient/$export?_type=Observation").await).await;
    damage::resource(&w, "w1");
    amina.get(&own(manifest["output"][0]["url"].as_str().unwrap())).await.says(500, "TROUBLE");
}
