//! Searching inside of a compartment, and over several types at once.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, import, observation};
use crate::kit::{BASE, HILLSIDE, MINUTE, RIVERSIDE, World};
use serde_json::{Value, json};

/// Four resources of Amina's, of three types, and one of Ben's; a minute between each.
async fn record(w: &World) {
    let about = |patient: &str, kind: &str, id: &str, more: Value| {
        let mut one =
            json!({ "resourceType": kind, "id": id, "subject": { "reference": format!("Patient/{patient}") } });
        one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        one
    };
    let seen = json!({ "status": "final", "code": { "text": "Pulse" }, "encounter": { "reference": "Encounter/e1" } });
    let met = json!({ "status": "finished", "class": { "code": "AMB" } });
    for (organisation, one) in [
        (RIVERSIDE, about(AMINA, "Encounter", "e1", met)),
        (RIVERSIDE, about(AMINA, "Observation", "o1", seen.clone())),
        (HILLSIDE, about("ben", "Observation", "o2", seen)),
        (RIVERSIDE, about(AMINA, "Condition", "c1", json!({ "code": { "text": "Asthma" } }))),
        (RIVERSIDE, about(AMINA, "Observation", "o3", json!({ "status": "amended", "code": { "text": "Pulse" } }))),
    ] {
        w.after(MINUTE);
        import(&w.app.store, organisation, &[one], w.now()).await;
    }
}

/// What all pages find, from the first on.
async fn all(caller: &Caller<'_>, first: &str) -> Vec<String> {
    let (mut path, mut found) = (first.to_owned(), Vec::new());
    loop {
        let answer = caller.get(&path).await;
        found.extend(answer.found());
        let Some(next) = answer.json()["link"].get(1).cloned() else { return found };
        path = next["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
    }
}

// gaps: FHIR, where R4 leaves it open > Compartments and several types
#[tokio::test]
async fn a_compartment_has_what_refers_to_what_it_is_of_within_the_callers_reach() {
    let w = World::new().await;
    record(&w).await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        for (path, expected) in [
            ("/fhir/Patient/amina/Observation", vec!["o3", "o1"]),
            ("/fhir/Patient/amina/Observation?status=final", vec!["o1"]),
            ("/fhir/Patient/amina/Observation?_sort=_lastUpdated", vec!["o1", "o3"]),
            ("/fhir/Patient/amina/Condition", vec!["c1"]),
            ("/fhir/Patient/amina/Patient", vec!["amina"]),
            ("/fhir/Encounter/e1/Observation", vec!["o1"]),
            ("/fhir/Encounter/e1/*", vec!["o1", "e1"]),
            ("/fhir/Patient/ben/Observation", vec![]),
            ("/fhir/Patient/nobody/*", vec![]),
        ] {
            assert_eq!(caller.get(path).await.found(), expected, "{path}");
        }
        let own = vec!["o3", "c1", "o1", "e1", "elsewhere", "note", "letter-amina", "amina"];
        assert_eq!(caller.get("/fhir/Patient/amina/*").await.found(), own);
        assert_eq!(all(&caller, "/fhir/Patient/amina/*?_count=3").await, own, "page by page");
        let some = caller.get("/fhir/Patient/amina/*?_type=Observation,Condition&_total=accurate").await;
        assert_eq!((some.found(), &some.json()["total"]), (vec!["o3".into(), "c1".into(), "o1".into()], &json!(3)));
    }
    let okafor = w.dr_okafor().caller().await;
    let form = okafor.post_form("/fhir/Patient/amina/Observation/_search", "status=amended").await;
    assert_eq!(form.found(), ["o3"]);
    assert_eq!(form.json()["link"][0]["url"], format!("{BASE}/fhir/Patient/amina/Observation?status=amended"));
    assert_eq!(okafor.post_form("/fhir/Patient/amina/*/_search", "_type=Condition").await.found(), ["c1"]);
}

#[tokio::test]
async fn what_is_in_no_compartment_is_refused_with_what_is() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let words = okafor.get("/fhir/Patient/amina/Practitioner").await.words(400, "BAD_REQUEST");
    assert!(words.contains("Practitioner is not in the compartment") && words.contains("Observation"), "{words}");
    let words = okafor.get("/fhir/Observation/o1/Patient").await.words(404, "NOT_FOUND");
    assert!(words.contains("Device, Encounter, Patient, Practitioner, RelatedPerson"), "{words}");
    okafor.get("/fhir/Patient/amina/Nothing").await.says(404, "NOT_FOUND");
    okafor.get("/fhir/Patient/amina/*?_type=Practitioner").await.says(400, "BAD_REQUEST");
    okafor.get("/fhir/Patient?_type=Observation").await.says(400, "BAD_REQUEST");
}

#[tokio::test]
async fn several_types_are_searched_by_what_all_of_them_have() {
    let w = World::new().await;
    record(&w).await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        for (query, expected) in [
            ("_type=Observation,Condition", vec!["o3", "c1", "o1"]),
            ("_type=Observation,Condition&patient=amina&_sort=_lastUpdated", vec!["o1", "c1", "o3"]),
            ("_type=Observation,Condition&_sort=-_lastUpdated&_count=2", vec!["o3", "c1", "o1"]),
            ("_type=Observation,Encounter&status=finished,amended", vec!["o3", "e1"]),
            ("_type=Condition", vec!["c1"]),
            ("_id=o1,c1,o2", vec!["c1", "o1"]),
            ("_type=Observation,Condition&_count=1", vec!["o3", "c1", "o1"]),
        ] {
            assert_eq!(all(&caller, &format!("/fhir?{query}")).await, expected, "{query}");
        }
        let included = caller.get("/fhir?_type=Observation,Condition&_id=o1&_include=Observation:encounter").await;
        assert_eq!(included.found(), ["o1", "e1"]);
        assert_eq!(caller.get("/fhir/?_summary=count&_id=o1,o2").await.json()["total"], 1);
    }
    let okafor = w.dr_okafor().caller().await;
    let words = okafor.get("/fhir?status=final").await.words(400, "BAD_REQUEST");
    assert!(words.contains("_type") && words.contains("_id, _lastUpdated"), "{words}");
    for query in ["_type=Nothing", "_type=Observation,Condition&status=final", "_type=Observation,Condition&_sort=code"]
    {
        okafor.get(&format!("/fhir?{query}")).await.says(400, "BAD_REQUEST");
    }
    let form = okafor.post_form("/fhir/_search", "_type=Condition,Observation&_id=c1").await;
    assert_eq!(form.found(), ["c1"]);
    assert_eq!(form.json()["link"][0]["url"], format!("{BASE}/fhir?_type=Condition%2CObservation&_id=c1"));
    assert!(w.ben().caller().await.get("/fhir?_id=o1,c1").await.found().is_empty());
    let made = okafor.makes(&observation(AMINA)).await;
    assert!(all(&okafor, "/fhir?_count=3").await.iter().any(|id| made.ends_with(id)), "all that the caller may see");
}

#[tokio::test]
async fn the_capability_statement_names_the_compartments_and_the_search_of_everything() {
    let w = World::new().await;
    let rest = w.get("/fhir/metadata").await.opened().json()["rest"][0].clone();
    assert!(rest["interaction"].as_array().unwrap().contains(&json!({ "code": "search-system" })));
    let compartments = rest["compartment"].as_array().unwrap();
    assert_eq!(compartments.len(), 5);
    assert!(compartments.contains(&json!("http://hl7.org/fhir/CompartmentDefinition/relatedPerson")));
}
