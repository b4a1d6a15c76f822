//! What is out of a caller's reach changes nothing: whoever asks whatever, the answer is the same whether it is there or not.

use crate::kit::caller::Caller;
use crate::kit::records::{self, AMINA, BEN};
use crate::kit::{HILLSIDE, RIVERSIDE, World};
use crate::records::exports;
use axum::http::Method;
use serde_json::{Value, json};
use service::routes::routes;
use std::collections::BTreeSet;

const FORM: &[(&str, &str)] = &[("content-type", "application/x-www-form-urlencoded")];
const RESOURCE: &[(&str, &str)] = &[("content-type", "application/fhir+json")];

/// What Riverside has about Amina, in both worlds.
fn seen() -> Vec<Value> {
    vec![
        json!({ "resourceType": "Practitioner", "id": "gp", "name": [{ "family": "Grey" }] }),
        visit("visit", AMINA),
        weight("weight", AMINA, "visit"),
        group("ours", &[AMINA]),
        json!({ "resourceType": "Condition", "id": "asthma", "subject": { "reference": format!("Patient/{AMINA}") },
            "code": { "coding": [{ "system": "http://snomed.info/sct", "code": "195967001" }] } }),
    ]
}

/// What Hillside has about Ben, in one of them: alike in all that is searched for, and with links into what is seen.
fn hidden() -> Vec<Value> {
    vec![
        json!({ "resourceType": "Patient", "id": "amina-too", "active": true, "gender": "female", "birthDate": "1984-02-29",
            "name": [{ "given": ["Amina", "Noor"], "family": "Rahman" }], "identifier": [{ "value": "bare" }],
            "generalPractitioner": [{ "reference": "Practitioner/gp" }], "meta": { "tag": [{ "code": "tagged" }] } }),
        group("theirs", &[BEN, "amina-too"]),
        visit("another-visit", BEN),
        weight("another-weight", BEN, "visit"),
        weight("aaa-weight", "amina-too", "another-visit"),
        json!({ "resourceType": "Condition", "id": "another-asthma", "subject": { "reference": "Patient/amina-too" },
            "encounter": { "reference": "Encounter/visit" }, "meta": { "tag": [{ "code": "tagged" }] },
            "code": { "coding": [{ "system": "http://snomed.info/sct", "code": "195967001" }] } }),
    ]
}

fn group(id: &str, patients: &[&str]) -> Value {
    let member = |patient: &&str| json!({ "entity": { "reference": format!("Patient/{patient}") } });
    json!({ "resourceType": "Group", "id": id, "type": "person", "actual": true,
        "member": patients.iter().map(member).collect::<Vec<_>>() })
}

fn visit(id: &str, patient: &str) -> Value {
    json!({ "resourceType": "Encounter", "id": id, "status": "finished", "class": { "code": "AMB" },
        "subject": { "reference": format!("Patient/{patient}") }, "period": { "start": "2026-03-01" },
        "participant": [{ "individual": { "reference": "Practitioner/gp" } }] })
}

fn weight(id: &str, patient: &str, visit: &str) -> Value {
    let mut weight = records::observation(patient);
    weight["id"] = json!(id);
    weight["identifier"] = json!([{ "system": "urn:lab", "value": "1" }]);
    weight["category"] = json!([{ "coding": [{ "code": "vital-signs" }] }]);
    weight["encounter"] = json!({ "reference": format!("Encounter/{visit}") });
    weight["effectiveDateTime"] = json!("2026-03-01");
    weight
}

/// Every way to read, each in some of its forms: method, path, body.
fn questions() -> Vec<(Method, String, Value)> {
    let mut asked: Vec<(Method, String, Value)> = Vec::new();
    for path in [
        "Patient/amina",
        "Patient/amina-too",
        "Observation/weight",
        "Observation/another-weight",
        "Binary/letter-text-ben",
        "Observation/another-weight/_history",
        "Observation/weight/_history",
        "Observation/another-weight/_history/1",
        "Binary/letter-text-ben/_history/1",
        "_history",
        "_history?_since=2020-01-01&_count=2",
        "Observation/_history",
        "Observation/_history?_at=2026",
        "Observation",
        "Observation?_total=accurate&_count=0",
        "Observation?_summary=count",
        "Observation?_count=1&_sort=date,_id",
        "Observation?identifier=urn:lab|1&_total=accurate",
        "Observation?_id=weight,another-weight",
        "Observation?value-quantity=70.5&_sort=-value-quantity",
        "Observation?date=ge2026&category=vital-signs&_sort=-date",
        "Observation?patient.name=Rahman",
        "Observation?subject:Patient.birthdate=1984-02-29",
        "Observation?encounter.participant.family=Grey",
        "Observation?encounter=another-visit",
        "Observation?_include=*&_revinclude=*:*",
        "Observation?_include=Observation:encounter&_include:iterate=Encounter:participant",
        "Encounter?_revinclude=Observation:encounter&_revinclude=Condition:encounter",
        "Encounter?_has:Observation:encounter:value-quantity=70.5",
        "Encounter?_has:Condition:encounter:code=195967001",
        "Patient?name=Rahman&_total=accurate",
        "Patient?_has:Observation:patient:identifier=urn:lab|1",
        "Patient?general-practitioner=gp",
        "Patient?_tag=tagged",
        "Practitioner?_has:Encounter:participant:status=finished",
        "Practitioner?_revinclude=Patient:general-practitioner&_revinclude=Encounter:participant",
        "Practitioner?_id=gp&_revinclude:iterate=Observation:encounter&_revinclude=Encounter:participant",
        "Condition?code=195967001&_summary=count",
        "Patient/amina/Observation",
        "Patient/amina-too/Observation?_total=accurate",
        "Patient/amina/*?_total=accurate",
        "Encounter/visit/Observation",
        "Encounter/visit/*",
        "Practitioner/gp/Encounter",
        "?_type=Observation,Condition,Patient&_total=accurate",
        "?_count=3",
        "?_tag=tagged",
        "Patient/amina/$everything",
        "Patient/amina-too/$everything",
        "Patient/$everything?_count=2",
        "Observation/$lastn?patient=amina&category=vital-signs",
        "Observation/$lastn?patient=amina-too&category=vital-signs",
        "Patient/$meta",
        "Condition/another-asthma/$meta",
        "Observation/another-weight/$validate?mode=delete",
        "Observation/weight/$validate",
        "$purview",
        "Consent/$purview",
        "Patient/$date-of-last-data-point",
        "Patient/amina-too/$date-of-last-data-point",
        "$export",
        "Patient/$export",
        "Group/theirs/$export",
        "$export/rge_000000_x",
        "$export/rge_000000_x/1.Patient.ndjson",
    ] {
        let path = if path.starts_with('?') { format!("/fhir{path}") } else { format!("/fhir/{path}") };
        asked.push((Method::GET, path, Value::Null));
    }
    asked.push((Method::DELETE, "/fhir/$export/rge_000000_x".into(), Value::Null));
    for (path, form) in [
        ("/fhir/Patient/_search", "name=Rahman&_total=accurate"),
        ("/fhir/_search", "_type=Observation,Patient&_total=accurate"),
        ("/fhir/Patient/amina-too/Observation/_search", "_total=accurate"),
    ] {
        asked.push((Method::POST, path.into(), json!(form)));
    }
    let alike = json!({ "resourceType": "Patient", "birthDate": "1984-02-29", "identifier": [{ "value": "bare" }],
        "name": [{ "given": ["Amina"], "family": "Rahman" }] });
    let number = json!({ "name": "patientIdentifier",
        "valueIdentifier": { "system": records::NHS_NUMBER, "value": records::AMINA_NHS } });
    for (path, body) in [
        ("Patient/$match", parameters(&[json!({ "name": "resource", "resource": alike })])),
        ("Patient/amina-too/$everything", parameters(&[])),
        ("Patient/$validate", alike.clone()),
        ("Observation/another-weight/$validate", parameters(&[json!({ "name": "mode", "valueCode": "delete" })])),
        ("Patient/$status-query", parameters(std::slice::from_ref(&number))),
        ("Organization/$generate-invitation-tokens", parameters(std::slice::from_ref(&number))),
        ("Patient/$date-of-last-data-point", parameters(&[number])),
        ("Patient/amina-too/$date-of-last-data-point", parameters(&[])),
        (
            "DocumentReference/$read-receipt-query",
            parameters(&[json!({ "name": "documentIdentifier", "valueString": records::BEN_LETTER_UUID })]),
        ),
        ("Patient/amina-too/$break-glass", parameters(&[])),
        ("Observation/another-weight/$meta-add", parameters(&[])),
        ("Patient/amina-too/$mend-glass", parameters(&[])),
        ("$purview", parameters(&[])),
        ("Consent/$purview", parameters(&[])),
        ("$export", parameters(&[])),
        ("Patient/$export", parameters(&[])),
        ("Group/theirs/$export", parameters(&[])),
    ] {
        asked.push((Method::POST, format!("/fhir/{path}"), body));
    }
    let entry = |url: &str| json!({ "request": { "method": "GET", "url": url } });
    let entries = ["Observation?_total=accurate", "Observation/another-weight", "Patient/amina/*"].map(entry);
    asked.push((Method::POST, "/fhir".into(), json!({ "resourceType": "Bundle", "type": "batch", "entry": entries })));
    asked
}

fn parameters(parameter: &[Value]) -> Value {
    json!({ "resourceType": "Parameters", "parameter": parameter })
}

/// Whether a path is one of a route: a free part is no name that begins with `_` or `$`.
fn is_of(route: &str, path: &str) -> bool {
    let (route, path): (Vec<&str>, Vec<&str>) = (route.split('/').collect(), path.split('/').collect());
    let is_part = |(of, part): (&&str, &&str)| of == part || (of.starts_with('{') && !part.starts_with(['_', '$']));
    route.len() == path.len() && route.iter().zip(&path).all(is_part)
}

/// Status and body of an answer. Where a page goes on is sealed, each time otherwise.
async fn answer(caller: &Caller<'_>, (method, path, body): &(Method, String, Value)) -> (u16, String) {
    let (headers, body) = match body {
        Value::Null => (&[][..], String::new()),
        Value::String(form) => (FORM, form.clone()),
        body => (RESOURCE, body.to_string()),
    };
    let reply = caller.send(method.clone(), path, headers, body).await;
    let text = reply.text();
    let mut parts = text.split("_page=");
    let mut told = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        told.push_str("_page=…");
        told.push_str(part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-_.~%".contains(c)));
    }
    (reply.status, told)
}

/// One of each kind.
const NAMES: [&str; 4] = ["Amina", "Dr Okafor", "a team's client", "a System Client"];

async fn callers(w: &World) -> [Caller<'_>; 4] {
    [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await]
}

#[tokio::test]
async fn the_questions_of_this_file_are_put_to_every_route_that_reads() {
    let asked = questions();
    let reads = routes().into_iter().filter(|route| {
        let is_read = route.method == Method::GET
            || route.path.contains('$')
            || route.path.ends_with("_search")
            || route.path == "/fhir";
        let takes_a_token =
            !["metadata", ".well-known", "OperationDefinition"].iter().any(|open| route.path.contains(open));
        route.path.starts_with("/fhir") && is_read && takes_a_token
    });
    let missing: BTreeSet<String> = reads
        .filter(|route| {
            let path = |path: &str| path.split('?').next().unwrap_or_default().to_owned();
            !asked.iter().any(|(method, asked, _)| *method == route.method && is_of(route.path, &path(asked)))
        })
        .map(|route| format!("{} {}", route.method, route.path))
        .collect();
    assert_eq!(missing, BTreeSet::new());
}

#[tokio::test]
async fn what_is_out_of_reach_is_in_no_answer_is_not_counted_and_changes_none() {
    let (plain, crowded) = (World::new().await, World::new().await);
    for w in [&plain, &crowded] {
        records::import(&w.app.store, RIVERSIDE, &seen(), w.now()).await;
    }
    records::import(&crowded.app.store, HILLSIDE, &hidden(), crowded.now()).await;
    let (of_plain, of_crowded) = (callers(&plain).await, callers(&crowded).await);
    let mut found = 0;
    for ((here, there), name) in of_plain.iter().zip(&of_crowded).zip(NAMES) {
        for question in &questions() {
            let (expected, told) = (answer(here, question).await, answer(there, question).await);
            assert_eq!(expected, told, "{name}: {} {}", question.0, question.1);
            assert_ne!(expected.0, 500, "{name}: {} {}", question.0, question.1);
            found += usize::from(expected.1.contains("\"weight\""));
        }
    }
    assert!(found > 20, "the questions find what may be seen: {found}");
    let ben = crowded.ben().caller().await;
    ben.get("/fhir/Observation/another-weight").await.opened();
}

#[tokio::test]
async fn what_is_out_of_reach_is_in_no_export_and_is_not_counted() {
    let (plain, crowded) = (World::new().await, World::new().await);
    for w in [&plain, &crowded] {
        records::import(&w.app.store, RIVERSIDE, &seen(), w.now()).await;
    }
    records::import(&crowded.app.store, HILLSIDE, &hidden(), crowded.now()).await;
    let told = async |caller: &Caller<'_>, path: &str| {
        let status = exports::begun(caller, path).await;
        let manifest = exports::manifest(caller, &status).await;
        let files = manifest["output"].as_array().unwrap().iter();
        let files: Vec<String> = files.map(|file| format!("{} {}", file["type"], file["count"])).collect();
        let found = exports::resources(caller, &manifest).await;
        caller.delete(&status).await;
        (files, found)
    };
    let (of_plain, of_crowded) = (callers(&plain).await, callers(&crowded).await);
    for path in ["/fhir/$export", "/fhir/Patient/$export", "/fhir/Group/ours/$export"] {
        for ((here, there), by) in of_plain.iter().zip(&of_crowded).zip(NAMES) {
            let (here, there) = (told(here, path).await, told(there, path).await);
            assert!(here.0.contains(&"\"Observation\" 1".to_owned()), "{by}: {path}: {:?}", here.0);
            assert_eq!(here, there, "{by}: {path}");
        }
    }
}

#[tokio::test]
async fn what_is_out_of_reach_meets_no_criteria_of_a_write() {
    let w = World::new().await;
    records::import(&w.app.store, HILLSIDE, &hidden(), w.now()).await;
    let okafor = w.dr_okafor().caller().await;
    let criteria = "identifier=urn:lab%7C1";
    assert_eq!(okafor.delete(&format!("/fhir/Observation?{criteria}")).await.status, 204);
    let patch = json!([{ "op": "replace", "path": "/status", "value": "amended" }]);
    let patched = okafor.patch(&format!("/fhir/Observation?{criteria}"), "application/json-patch+json", &patch).await;
    assert_eq!(patched.status, 404);
    let mut mine = weight("ignored", AMINA, "visit");
    mine.as_object_mut().unwrap().remove("id");
    let made = okafor.put(&format!("/fhir/Observation?{criteria}"), &mine).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let ben = w.ben().caller().await;
    assert_eq!(ben.get("/fhir/Observation/another-weight").await.opened().json()["meta"]["versionId"], "1");
}
