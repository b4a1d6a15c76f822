//! SearchParameters of users' own: what they define is searched by at once, within each caller's reach; what cannot be served is
//! refused by its name.

use crate::kit::records::{AMINA, import, observation};
use crate::kit::{BASE, HILLSIDE, RIVERSIDE, World};
use axum::http::Method;
use rules::limits::{OWN_PARAMETERS, OWN_PARAMETERS_EACH};
use serde_json::{Value, json};
use service::preparation::base;
use store::filling::{self, FillingStep};

fn parameter(code: &str, base: &str, kind: &str, expression: &str) -> Value {
    json!({
        "resourceType": "SearchParameter", "url": format!("http://x.example/SearchParameter/{code}"), "name": "mine",
        "status": "active", "description": "Mine", "code": code, "base": [base], "type": kind, "expression": expression,
    })
}

fn lot() -> Value {
    let url = "http://x.example/lot";
    parameter("lot", "Observation", "string", &format!("Observation.extension('{url}').value.ofType(string)"))
}

fn with_lot(patient: &str, id: &str, lot: &str) -> Value {
    let mut one = observation(patient);
    one["id"] = id.into();
    one["extension"] = json!([{ "url": "http://x.example/lot", "valueString": lot }]);
    one
}

async fn told(w: &World) -> bool {
    w.after(2);
    let open = w.get("/fhir/metadata").await.opened().text();
    assert!(!open.contains("Defined by a SearchParameter"), "what organisations define is not for strangers");
    let statement = w.dr_okafor().caller().await.get("/fhir/metadata").await.opened().json();
    let resources = statement["rest"][0]["resource"].as_array().unwrap().clone();
    let has = |kind: &str| {
        let of = resources.iter().find(|resource| resource["type"] == kind).unwrap();
        of["searchParam"].as_array().unwrap().iter().any(|one| one["name"] == "lot" && one["type"] == "string")
    };
    assert!(!has("Patient"), "it is of Observations");
    has("Observation")
}

// gaps: FHIR, where R4 leaves it open > SearchParameters of one's own
#[tokio::test]
async fn what_a_searchparameter_defines_is_searched_by_at_once_within_reach_until_it_is_deleted() {
    let w = World::new().await;
    import(&w.app.store, RIVERSIDE, &[with_lot(AMINA, "o1", "Äpfel 7"), with_lot(AMINA, "o2", "Birnen")], w.now())
        .await;
    import(&w.app.store, HILLSIDE, &[with_lot("ben", "o3", "apfel 7")], w.now()).await;
    let (system, okafor) = (w.system().await, w.dr_okafor().caller().await);
    let words = okafor.get("/fhir/Observation?lot=apfel").await.words(400, "BAD_REQUEST");
    assert!(words.contains("no search parameter \"lot\"") && !told(&w).await, "{words}");
    let made = system.makes(&lot()).await;
    let id = made.rsplit('/').next().unwrap();
    assert!(told(&w).await);
    for caller in [&system, &okafor, &w.amina().caller().await] {
        assert_eq!(caller.get("/fhir/Observation?lot=apfel").await.found(), ["o1"]);
        assert_eq!(caller.get("/fhir/Observation?lot:exact=Birnen&patient=amina").await.found(), ["o2"]);
        assert_eq!(caller.get("/fhir/Observation?lot=birnen,apfel&_total=accurate").await.json()["total"], 2);
        assert_eq!(caller.get("/fhir/Patient/amina/Observation?lot=birnen").await.found(), ["o2"]);
        caller.get("/fhir/Patient?lot=apfel").await.says(400, "BAD_REQUEST");
        caller.get("/fhir/Observation?_sort=lot").await.says(400, "BAD_REQUEST");
        caller.get("/fhir/Observation?lot.name=x").await.says(400, "BAD_REQUEST");
    }
    let batch = json!({ "resourceType": "Bundle", "type": "transaction",
        "entry": [{ "request": { "method": "GET", "url": "Observation?lot=birnen" } }] });
    let answer = okafor.post("/fhir", &batch).await.opened().json();
    assert_eq!(answer["entry"][0]["resource"]["entry"][0]["resource"]["id"], "o2", "{answer}");
    let mut other = lot();
    other["id"] = id.into();
    other["expression"] = "Observation.status".into();
    other["type"] = "token".into();
    system.put(&format!("/fhir/SearchParameter/{id}"), &other).await.opened();
    assert_eq!(system.get("/fhir/Observation?lot=apfel").await.found(), Vec::<String>::new());
    assert!(system.get("/fhir/Observation?lot=final").await.found().contains(&"o1".to_owned()));
    system.delete(&format!("/fhir/SearchParameter/{id}")).await;
    system.get("/fhir/Observation?lot=apfel").await.says(400, "BAD_REQUEST");
    assert!(!told(&w).await);
}

#[tokio::test]
async fn what_cannot_be_served_is_refused_by_its_name_and_nothing_is_stored() {
    let w = World::new().await;
    let system = w.system().await;
    for (wrong, part) in [
        (parameter("a", "Patient", "token", "Patient.name.exists()"), "exists()"),
        (parameter("a", "Patient", "token", "Patient.name.where(use = 'x' or use = 'y').family"), "where(use = 'x' or"),
        (parameter("a", "Patient", "token", "Patient.shoeSize"), "shoeSize"),
        (parameter("gender", "Patient", "token", "Patient.maritalStatus"), "by R4 already"),
        (parameter("a", "Patient", "composite", "Patient"), "composite"),
        (parameter("a", "Patient", "quantity", "Patient.birthDate"), "of which a quantity parameter has no values"),
        (parameter("a", "Resource", "token", "Resource.language"), "name the types"),
        (parameter("_a", "Patient", "token", "Patient.language"), "cannot be the name"),
    ] {
        let answer = system.post("/fhir/SearchParameter", &wrong).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert!(answer.text().contains(part), "{part}: {}", answer.text());
    }
    let mut draft = parameter("gender", "Patient", "token", "Patient.name.exists()");
    draft["status"] = "draft".into();
    system.makes(&draft).await;
    let known = system.get("/fhir/SearchParameter?status=active").await.found();
    assert_eq!(known, Vec::<String>::new());
    let okafor = w.dr_okafor().caller().await;
    assert_eq!(okafor.post("/fhir/SearchParameter", &lot()).await.status, 403);
}

#[tokio::test]
async fn a_name_is_defined_once_though_many_define_it_at_once() {
    let w = World::new().await;
    let system = w.system().await;
    let requests = (0..8).map(|_| system.post_request("/fhir/SearchParameter", &lot())).collect();
    let answers = w.shoots(requests).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(made, 1, "{:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
    assert!(answers.iter().all(|answer| [201, 409, 422].contains(&answer.status)));
    let words = system.post("/fhir/SearchParameter", &lot()).await.text();
    assert!(words.contains("defines the search parameter \\\"lot\\\" of the same type already"), "{words}");
    let entry = |code: &str| {
        let mut one = lot();
        one["code"] = code.into();
        json!({ "resource": one, "request": { "method": "POST", "url": "SearchParameter" } })
    };
    let two = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [entry("lot-a"), entry("lot-a")] });
    assert_eq!(system.post("/fhir", &two).await.status, 422);
    let three = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [entry("lot-a"), entry("lot-b")] });
    system.post("/fhir", &three).await.opened();
    assert_eq!(system.get("/fhir/SearchParameter?status=active").await.found().len(), 3);
}

#[tokio::test]
async fn there_are_so_many_and_no_more_and_what_is_deleted_makes_room() {
    let w = World::new().await;
    let system = w.system().await;
    let mine = |n: usize| parameter(&format!("mine-{n}"), "Observation", "token", "Observation.status");
    let mut last = String::new();
    for n in 0..OWN_PARAMETERS_EACH {
        last = system.makes(&mine(n)).await;
    }
    let one_more = system.post("/fhir/SearchParameter", &mine(OWN_PARAMETERS_EACH)).await;
    let words = one_more.words(422, "UNPROCESSABLE");
    assert!(words.contains(&format!("more than {OWN_PARAMETERS_EACH}")) && words.contains("of this organisation"));
    let entry = |n: usize| json!({ "resource": mine(n), "request": { "method": "POST", "url": "SearchParameter" } });
    let id = last.rsplit('/').next().unwrap();
    system.delete(&format!("/fhir/SearchParameter/{id}")).await;
    let two = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [entry(100), entry(101)] });
    assert_eq!(system.post("/fhir", &two).await.status, 422, "those that come together count together");
    system.makes(&mine(OWN_PARAMETERS_EACH)).await;
    let hillside = w.system_for_hillside().await;
    hillside.makes(&mine(200)).await;
    let theirs = (0..OWN_PARAMETERS - OWN_PARAMETERS_EACH - 1).map(|n| {
        let mut one = mine(300 + n);
        one["id"] = json!(format!("theirs-{n}"));
        one
    });
    import(&w.app.store, HILLSIDE, &theirs.collect::<Vec<_>>(), w.now()).await;
    let full = w.system_for_hillside().await.post("/fhir/SearchParameter", &mine(400)).await;
    assert_eq!(full.status, 422, "{}", full.text());
}

/// Does what is done in the background, to its end.
async fn index(w: &World) {
    while filling::step(&w.app.store, &base(BASE)).await.unwrap() != FillingStep::Idle {}
}

/// What the statement says of a parameter of Observations, and whether it can be included by.
async fn documentation(w: &World, code: &str) -> (String, bool) {
    w.after(2);
    let statement = w.dr_okafor().caller().await.get("/fhir/metadata").await.opened().json();
    let resources = statement["rest"][0]["resource"].as_array().unwrap().clone();
    let of = resources.iter().find(|resource| resource["type"] == "Observation").unwrap();
    let one = of["searchParam"].as_array().unwrap().iter().find(|one| one["name"] == code).unwrap();
    let inclusion = json!(format!("Observation:{code}"));
    (one["documentation"].as_str().unwrap().to_owned(), of["searchInclude"].as_array().unwrap().contains(&inclusion))
}

#[tokio::test]
async fn until_it_is_indexed_that_is_told_and_then_it_is_served_wherever_others_are() {
    let w = World::new().await;
    let mut seen = with_lot(AMINA, "o1", "walrus");
    let ben = json!({ "url": "http://x.example/seen", "valueReference": { "reference": "Patient/ben" } });
    seen["extension"].as_array_mut().unwrap().push(ben);
    import(&w.app.store, RIVERSIDE, &[seen, with_lot(AMINA, "o2", "seal")], w.now()).await;
    import(&w.app.store, HILLSIDE, &[with_lot("ben", "o3", "walrus")], w.now()).await;
    let (system, okafor) = (w.system().await, w.dr_okafor().caller().await);
    system.makes(&lot()).await;
    let extension = "Observation.extension('http://x.example/seen').value.ofType(Reference)";
    system.makes(&parameter("seen", "Observation", "reference", extension)).await;
    let questions = [
        ("/fhir/Observation?lot:missing=false&_sort=lot", "o2 o1"),
        ("/fhir/Observation?lot:missing=false&_sort=-lot", "o1 o2"),
        ("/fhir/Patient?_has:Observation:subject:lot=walrus", "amina"),
        ("/fhir/Observation?_id=o1&_include=Observation:seen", "o1"),
        ("/fhir/Observation?seen.name=nobody", ""),
        ("/fhir/Patient?_has:Observation:seen:lot=walrus&_id=amina", ""),
    ];
    for (path, _) in questions {
        let words = okafor.get(path).await.words(400, "BAD_REQUEST");
        assert!(words.contains("is still being indexed") && words.contains("try again later"), "{path}: {words}");
    }
    let unless = [("content-type", "application/fhir+json"), ("if-none-exist", "lot:exact=walrus")];
    let again = with_lot(AMINA, "o4", "walrus").to_string();
    let refused = okafor.send(Method::POST, "/fhir/Observation", &unless, again.clone()).await;
    assert!(refused.words(400, "BAD_REQUEST").contains("is still being indexed"));
    let (words, is_included) = documentation(&w, "seen").await;
    assert!(words.contains("still being indexed") && !is_included, "{words}");
    assert_eq!(okafor.get("/fhir/Observation?lot=walrus").await.found(), ["o1"], "the resources are asked");
    index(&w).await;
    let (words, is_included) = documentation(&w, "seen").await;
    assert!(!words.contains("indexed") && is_included, "{words}");
    assert_eq!(okafor.get("/fhir/Observation?lot=walrus").await.found(), ["o1"], "what Hillside has is out of reach");
    for (path, expected) in questions {
        assert_eq!(okafor.get(path).await.found().join(" "), expected, "{path}");
    }
    let found = okafor.send(Method::POST, "/fhir/Observation", &unless, again.clone()).await;
    assert_eq!((found.status, found.json()["id"].as_str()), (200, Some("o1")), "{}", found.text());
    let unless = [("content-type", "application/fhir+json"), ("if-none-exist", "lot:exact=otter")];
    let otter = again.replace("walrus", "otter");
    let made = okafor.send(Method::POST, "/fhir/Observation", &unless, otter.clone()).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let there = okafor.send(Method::POST, "/fhir/Observation", &unless, otter).await;
    assert_eq!((there.status, &there.json()["id"]), (200, &made.json()["id"]), "{}", there.text());
    assert_eq!(system.get("/fhir/Observation?lot=walrus").await.found(), ["o1"]);
}

#[tokio::test]
async fn a_changed_definition_is_asked_of_the_resources_until_it_is_indexed_anew() {
    let w = World::new().await;
    import(&w.app.store, RIVERSIDE, &[with_lot(AMINA, "o1", "walrus")], w.now()).await;
    let system = w.system().await;
    let path = system.makes(&lot()).await;
    index(&w).await;
    assert_eq!(system.get("/fhir/Observation?lot=walrus&_sort=lot").await.found(), ["o1"]);
    let mut other = lot();
    other["id"] = path.rsplit('/').next().unwrap().into();
    other["expression"] = "Observation.extension('http://x.example/lot').url".into();
    other["type"] = "uri".into();
    system.put(&path, &other).await.opened();
    system.get("/fhir/Observation?_sort=lot").await.says(400, "BAD_REQUEST");
    for _ in 0..2 {
        assert_eq!(system.get("/fhir/Observation?lot=http://x.example/lot").await.found(), ["o1"]);
        assert_eq!(system.get("/fhir/Observation?lot=walrus").await.found(), Vec::<String>::new());
        index(&w).await;
    }
    system.get("/fhir/Observation?_sort=lot").await.opened();
}
