//! Sessions with scopes of SMART (docs/smart.md): whichever way leads to a resource, a scope is in it, and reach before that.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, import};
use crate::kit::reply::Reply;
use crate::kit::{RIVERSIDE, RIVERSIDE_TEAM, World};
use axum::http::Method;
use rules::labels::Labels;
use serde_json::{Value, json};

const CATEGORIES: &str = "http://terminology.hl7.org/CodeSystem/observation-category";
/// The laboratory's Observations alone.
const LABORATORY: &str =
    "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory";

fn observed(id: &str, patient: &str, category: &str) -> Value {
    json!({ "resourceType": "Observation", "id": id, "status": "final", "code": { "coding": [{ "system": "urn:tests", "code": id }] },
        "category": [{ "coding": [{ "system": CATEGORIES, "code": category }] }],
        "encounter": { "reference": format!("Encounter/visit-{patient}") },
        "subject": { "reference": format!("Patient/{patient}") }, "effectiveDateTime": "2026-05-01" })
}

/// Amina has a visit, a laboratory's result and a vital sign.
async fn world() -> World {
    let w = World::new().await;
    let record = [
        json!({ "resourceType": "Encounter", "id": "visit-amina", "status": "finished", "class": { "code": "AMB" },
            "subject": { "reference": "Patient/amina" } }),
        observed("lab", AMINA, "laboratory"),
        observed("vital", AMINA, "vital-signs"),
        json!({ "resourceType": "Condition", "id": "asthma", "subject": { "reference": "Patient/amina" } }),
    ];
    import(&w.app.store, RIVERSIDE, &record, w.now()).await;
    w
}

/// The ids in a Bundle.
fn ids(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, 200, "{}", reply.text());
    let bundle = reply.json();
    let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
    let mut ids: Vec<String> =
        entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

async fn found(caller: &Caller<'_>, path: &str) -> Vec<String> {
    ids(&caller.get(path).await)
}

/// That it is refused for want of a scope, which the refusal names.
fn wants(reply: &Reply, scope: &str) {
    assert_eq!(reply.status, 403, "{}", reply.text());
    let text = reply.text();
    assert!(text.contains(scope), "{text}");
    assert!(reply.header("www-authenticate").unwrap().contains("insufficient_scope"));
}

#[tokio::test]
async fn a_type_that_no_scope_names_is_refused_with_the_scope_that_would_do() {
    let w = world().await;
    let caller = w.amina().granted("launch/patient patient/Observation.rs").await;
    for (path, scope) in [
        ("/fhir/Condition/asthma", "patient/Condition.r"),
        ("/fhir/Condition/asthma/_history", "patient/Condition.r"),
        ("/fhir/Condition/asthma/_history/1", "patient/Condition.r"),
        ("/fhir/Condition/not-there", "patient/Condition.r"),
        ("/fhir/Condition?patient=amina", "patient/Condition.s"),
        ("/fhir/Condition/_history", "patient/Condition.s"),
        ("/fhir?_type=Condition,Observation", "patient/Condition.s"),
        ("/fhir/Patient/amina/Condition", "patient/Condition.s"),
        ("/fhir/Observation?encounter.status=finished", "patient/Encounter.s"),
        ("/fhir/Observation?subject:Patient.name=Amina", "patient/Patient.s"),
        ("/fhir/Observation?_has:DiagnosticReport:result:status=final", "patient/DiagnosticReport.s"),
        ("/fhir/Patient/amina", "patient/Patient.r"),
        ("/fhir/Patient/amina/$everything", "patient/Patient.rs"),
        ("/fhir/Condition/$meta", "patient/Condition.s"),
    ] {
        let reply = caller.get(path).await;
        wants(&reply, scope);
        assert!(reply.text().contains("INSUFFICIENT_SCOPE"), "{path}");
    }
    wants(&caller.get("/json/diagnoses").await, "patient/Condition.rs");
    assert_eq!(found(&caller, "/fhir/Observation?patient=amina").await, ["lab", "vital"]);
    assert_eq!(found(&caller, "/fhir/Observation/$lastn?patient=amina&category=laboratory").await, ["lab"]);
    assert_eq!(caller.get("/json/symptoms").await.status, 200);
    wants(&caller.get("/json/tests/results").await, "patient/DiagnosticReport.rs");
}

#[tokio::test]
async fn what_only_a_query_hides_is_as_if_it_were_not_there() {
    let w = world().await;
    let caller = w.amina().granted(LABORATORY).await;
    // Again, when it may be remembered, by this session and by one that sees all.
    let all = w.amina().caller().await;
    for _ in 0..2 {
        assert_eq!(all.get("/fhir/Observation/vital").await.status, 200);
        assert_eq!(found(&all, "/fhir/Observation?patient=amina").await, ["lab", "vital"]);
        assert_eq!(caller.get("/fhir/Observation/lab").await.status, 200);
        assert_eq!(found(&caller, "/fhir/Observation?patient=amina").await, ["lab"]);
        for path in ["vital", "vital/_history", "vital/_history/1", "vital/$meta"] {
            assert_eq!(caller.get(&format!("/fhir/Observation/{path}")).await.status, 404, "{path}");
        }
    }
    for path in [
        "/fhir/Observation?_id=lab,vital",
        "/fhir/Observation?code=lab,vital",
        "/fhir/Observation?_sort=-date",
        "/fhir/Observation?category:not=nothing",
        "/fhir?_type=Observation",
        "/fhir/Patient/amina/Observation",
        "/fhir/Patient/amina/*",
        "/fhir/Observation/_history",
        "/fhir/_history",
    ] {
        assert_eq!(found(&caller, path).await, ["lab"], "{path}");
    }
    let counted = caller.get("/fhir/Observation?_summary=count").await.json();
    assert_eq!(counted["total"], 1);
    let counted = caller.get("/fhir/Observation?_total=accurate&_count=1").await.json();
    assert_eq!(counted["total"], 1);
    let caller = w.amina().granted(&format!("{LABORATORY} patient/DiagnosticReport.rs")).await;
    let tests = caller.get("/json/tests/results").await.text();
    assert!(tests.contains("lab") && !tests.contains("vital"), "{tests}");
}

#[tokio::test]
async fn nothing_out_of_the_scopes_comes_along_and_nothing_is_found_through_it() {
    let w = world().await;
    let caller = w.amina().granted(&format!("{LABORATORY} patient/Encounter.s")).await;
    let with = "/fhir/Observation?patient=amina&_include=Observation:encounter&_include=Observation:subject";
    assert_eq!(found(&caller, with).await, ["lab", "visit-amina"]);
    for path in [
        "&_revinclude=Observation:encounter",
        "&_revinclude=*",
        "&_revinclude=Observation:encounter&_revinclude=Condition:encounter",
    ] {
        assert_eq!(found(&caller, &format!("/fhir/Encounter?patient=amina{path}")).await, ["lab", "visit-amina"]);
    }
    assert_eq!(found(&caller, "/fhir/Encounter?_has:Observation:encounter:code=lab").await, ["visit-amina"]);
    assert_eq!(found(&caller, "/fhir/Encounter?_has:Observation:encounter:code=vital").await, [""; 0]);
    assert_eq!(found(&caller, "/fhir/Observation?encounter.status=finished").await, ["lab"]);
    // What may be searched for need not be read.
    wants(&caller.get("/fhir/Encounter/visit-amina").await, "patient/Encounter.r");
}

#[tokio::test]
async fn the_whole_record_is_what_the_scopes_leave_of_it() {
    let w = world().await;
    let caller = w.amina().granted(&format!("{LABORATORY} patient/Patient.rs patient/Condition.r")).await;
    assert_eq!(found(&caller, "/fhir/Patient/amina/$everything").await, ["amina", "lab"]);
    wants(&caller.get("/fhir/Patient/amina/$everything?_type=Condition").await, "patient/Condition.rs");
    assert_eq!(caller.get("/fhir/Condition/asthma").await.status, 200);
    wants(&caller.get("/fhir/Condition?patient=amina").await, "patient/Condition.s");
}

#[tokio::test]
async fn a_version_is_seen_as_it_was_and_not_as_it_is_now() {
    let w = world().await;
    import(&w.app.store, RIVERSIDE, &[observed("vital", AMINA, "laboratory")], w.now()).await;
    import(&w.app.store, RIVERSIDE, &[observed("lab", AMINA, "vital-signs")], w.now()).await;
    let caller = w.amina().granted(LABORATORY).await;
    assert_eq!(caller.get("/fhir/Observation/vital/_history/2").await.status, 200);
    assert_eq!(caller.get("/fhir/Observation/vital/_history/1").await.status, 404, "it was a vital sign then");
    assert_eq!(caller.get("/fhir/Observation/lab/_history/1").await.status, 404, "it is none of a laboratory now");
    let versions = caller.get("/fhir/Observation/vital/_history").await.json();
    assert_eq!(versions["entry"].as_array().unwrap().len(), 1, "{versions}");
}

#[tokio::test]
async fn entries_of_a_bundle_are_held_to_the_scopes_one_by_one() {
    let w = world().await;
    let caller = w.amina().granted(LABORATORY).await;
    let get = |url: &str| json!({ "request": { "method": "GET", "url": url } });
    let batch = json!({ "resourceType": "Bundle", "type": "batch", "entry": [
        get("Observation/lab"), get("Observation/vital"), get("Condition/asthma"), get("Condition?patient=amina"),
        get("Patient/amina/$everything"), { "request": { "method": "DELETE", "url": "Observation/lab" } } ] });
    let answered = caller.post("/fhir", &batch).await.json();
    let statuses: Vec<&str> = answered["entry"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["response"]["status"].as_str().unwrap()[..3])
        .collect();
    assert_eq!(statuses, ["200", "404", "403", "403", "403", "403"]);
}

#[tokio::test]
async fn writing_needs_its_own_permission_and_what_is_written_must_match() {
    let w = world().await;
    let reader = w.amina().granted("patient/*.read").await;
    wants(&reader.post("/fhir/Observation", &observed("x", AMINA, "laboratory")).await, "patient/Observation.c");
    let caller = w.amina().granted("patient/Observation.cu?category=laboratory patient/Observation.rs").await;
    let made = caller.makes(&observed("x", AMINA, "laboratory")).await;
    wants(&caller.post("/fhir/Observation", &observed("x", AMINA, "vital-signs")).await, "patient/Observation.c");
    let id = made.rsplit('/').next().unwrap();
    assert_eq!(caller.put(&made, &observed(id, AMINA, "laboratory")).await.status, 200);
    wants(&caller.put(&made, &observed(id, AMINA, "vital-signs")).await, "patient/Observation.u");
    wants(&caller.delete(&made).await, "patient/Observation.d");
    let patch = json!([{ "op": "replace", "path": "/category/0/coding/0/code", "value": "vital-signs" }]);
    wants(&caller.patch(&made, "application/json-patch+json", &patch).await, "patient/Observation.u");
    wants(
        &caller
            .post(
                "/fhir/Condition",
                &json!({ "resourceType": "Condition", "subject": { "reference": "Patient/amina" } }),
            )
            .await,
        "patient/Condition.c",
    );
}

#[tokio::test]
async fn a_star_never_covers_sharing_nor_labels_nor_a_broken_glass() {
    let w = world().await;
    let everything = w.amina().granted("patient/*.cruds user/*.cruds").await;
    let consent = json!({ "resourceType": "Consent", "status": "active" });
    wants(&everything.post("/fhir/Consent", &consent).await, "/Consent.c");
    let shares = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "generalHealthConsentGranted": true });
    wants(&everything.sends(Method::POST, "/json/consents/forPatient/amina", &shares).await, "/Consent.crs");
    let label = json!({ "resourceType": "Parameters" });
    for (path, body) in [("/fhir/Observation/lab/$meta-add", &label), ("/fhir/Patient/amina/$break-glass", &label)] {
        assert_eq!(everything.post(path, body).await.status, 403, "{path}");
    }
    assert_eq!(everything.sends(Method::PUT, "/json/privacyLabels/Observation/lab", &json!({})).await.status, 403);
    assert_eq!(everything.get("/json/notices").await.status, 403);
    let doctor = w.dr_okafor().granted("user/*.cruds").await;
    for (method, path) in [
        (Method::POST, "/json/consents/BTG/ben"),
        (Method::GET, "/json/users/amina/recordAccessToken"),
        (Method::PUT, "/json/privacyLabels/Observation/lab"),
    ] {
        let reply = doctor.sends(method, path, &json!({})).await;
        assert_eq!((reply.status, reply.text().contains("scopes of SMART")), (403, true), "{path}: {}", reply.text());
    }
}

#[tokio::test]
async fn a_clinicians_scope_of_the_patient_in_context_opens_that_record_alone() {
    let w = world().await;
    w.opens(BEN, w.team(RIVERSIDE_TEAM).await, Labels::ALL).await;
    let weight = json!({ "resourceType": "Observation", "id": "bens", "status": "final", "code": { "text": "Weight" },
        "subject": { "reference": "Patient/ben" } });
    import(&w.app.store, crate::kit::HILLSIDE, &[weight], w.now()).await;
    let (team, patient) = (w.dr_okafor().granted("user/*.rs").await, w.dr_okafor().granted("patient/*.rs").await);
    assert_eq!(found(&team, "/fhir/Observation").await, ["bens", "lab", "vital"]);
    assert_eq!(found(&patient, "/fhir/Observation").await, ["lab", "vital"]);
    for path in ["/fhir/Observation/bens", "/fhir/Patient/ben", "/fhir/Patient/ben/$everything"] {
        assert_eq!(team.get(path).await.status, 200, "{path}");
        assert_eq!(patient.get(path).await.status, 404, "{path}");
    }
    let both = w.dr_okafor().granted("patient/*.rs user/Patient.r").await;
    assert_eq!(both.get("/fhir/Patient/ben").await.status, 200);
    assert_eq!(both.get("/fhir/Observation/bens").await.status, 404);
}

#[tokio::test]
async fn the_next_page_is_seen_by_the_scopes_of_whoever_asks_for_it() {
    let w = world().await;
    let all = w.amina().caller().await;
    let first = all.get("/fhir/Observation?patient=amina&_count=1").await.json();
    let links = first["link"].as_array().unwrap();
    let next = links.iter().find(|link| link["relation"] == "next").unwrap()["url"].as_str().unwrap();
    let next = next.strip_prefix(crate::kit::BASE).unwrap();
    assert_eq!(found(&all, next).await.len(), 1);
    let caller = w.amina().granted("patient/Observation.rs?category=survey").await;
    assert_eq!(found(&caller, next).await, [""; 0]);
    wants(&w.amina().granted("patient/Condition.rs").await.get(next).await, "patient/Observation.s");
}

#[tokio::test]
async fn reading_and_searching_are_permitted_apart() {
    let w = world().await;
    let (reads, searches) =
        (w.amina().granted("patient/Observation.r").await, w.amina().granted("patient/Observation.s").await);
    assert_eq!(reads.get("/fhir/Observation/lab").await.status, 200);
    wants(&reads.get("/fhir/Observation?patient=amina").await, "patient/Observation.s");
    assert_eq!(found(&searches, "/fhir/Observation?patient=amina").await, ["lab", "vital"]);
    wants(&searches.get("/fhir/Observation/lab").await, "patient/Observation.r");
}
