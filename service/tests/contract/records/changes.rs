//! `GET /fhir/{type}/_history` and `GET /fhir/_history`: what became of everything that a caller may see.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, observation};
use crate::kit::{BASE, MINUTE, World};
use serde_json::{Value, json};

/// Two observations of Amina's and one of Ben's, a minute between each: the first is updated, the second deleted.
async fn observations(w: &World) -> (String, String) {
    let system = w.system().await;
    let first = system.makes(&observation(AMINA)).await;
    w.after(MINUTE);
    let second = system.makes(&observation(AMINA)).await;
    w.after(MINUTE);
    w.system_for_hillside().await.makes(&observation("ben")).await;
    let mut changed = system.get(&first).await.json();
    changed["status"] = json!("amended");
    w.after(MINUTE);
    assert_eq!(system.put(&first, &changed).await.status, 200);
    w.after(MINUTE);
    assert_eq!(system.delete(&second).await.status, 204);
    (first, second)
}

/// Path, method and status of each entry.
fn told(bundle: &Value) -> Vec<(String, String, String)> {
    assert_eq!((&bundle["resourceType"], &bundle["type"]), (&json!("Bundle"), &json!("history")));
    let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entry = |entry: &Value| {
        let path = text(&entry["fullUrl"]).strip_prefix(BASE).unwrap().to_owned();
        assert_eq!(entry["resource"].is_object(), entry["request"]["method"] != "DELETE", "{entry}");
        (path, text(&entry["request"]["method"]), text(&entry["response"]["status"]))
    };
    entries.iter().map(entry).collect()
}

async fn pages(caller: &Caller<'_>, first: &str) -> Vec<Vec<(String, String, String)>> {
    let (mut path, mut pages) = (Some(first.to_owned()), Vec::new());
    while let Some(at) = path {
        let bundle = caller.get(&at).await.opened().json();
        assert_eq!(bundle["link"][0]["url"], format!("{BASE}{at}"));
        pages.push(told(&bundle));
        path = bundle["link"].get(1).map(|next| next["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned());
    }
    pages
}

// gaps: FHIR, where R4 leaves it open > History
#[tokio::test]
async fn the_history_of_a_type_is_newest_first_and_in_pages_within_the_callers_reach() {
    let w = World::new().await;
    let (first, second) = observations(&w).await;
    let entry = |path: &str, method: &str, status: &str| (path.to_owned(), method.to_owned(), status.to_owned());
    let whole = vec![
        entry(&second, "DELETE", "204"),
        entry(&first, "PUT", "200"),
        entry(&second, "POST", "201"),
        entry(&first, "POST", "201"),
    ];
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        let pages = pages(&caller, "/fhir/Observation/_history?_count=3").await;
        assert_eq!(pages, [whole[..3].to_vec(), whole[3..].to_vec()]);
        assert_eq!(told(&caller.get("/fhir/Observation/_history").await.opened().json()), whole);
    }
    let ben = w.ben().caller().await;
    assert_eq!(told(&ben.get("/fhir/Observation/_history").await.opened().json()).len(), 1);
    let none = ben.get("/fhir/Condition/_history").await.opened().json();
    assert!(none.get("entry").is_none(), "nothing is not refused");
}

#[tokio::test]
async fn the_history_of_everything_has_every_type() {
    let w = World::new().await;
    observations(&w).await;
    let amina = w.amina().caller().await;
    let all: Vec<_> = pages(&amina, "/fhir/_history?_count=2").await.concat();
    assert_eq!(all, told(&amina.get("/fhir/_history").await.opened().json()));
    for kind in ["Observation", "Patient", "DocumentReference"] {
        let of_kind: Vec<_> =
            all.iter().filter(|(path, ..)| path.starts_with(&format!("/fhir/{kind}/"))).cloned().collect();
        let alone = told(&amina.get(&format!("/fhir/{kind}/_history")).await.opened().json());
        assert!(!alone.is_empty() && of_kind == alone, "{kind}");
    }
    assert!(!all.iter().any(|(path, ..)| path.contains("ben")));
    let statement = w.get("/fhir/metadata").await.json();
    assert_eq!(statement["rest"][0]["interaction"][0]["code"], "history-system");
}

#[tokio::test]
async fn since_and_at_choose_by_moments() {
    let w = World::new().await;
    let (first, second) = observations(&w).await;
    let okafor = w.dr_okafor().caller().await;
    for (query, expected) in [
        ("_since=2026-11-15T09:32:00Z", vec!["DELETE", "PUT"]),
        ("_since=2026-11-15T09:33:30%2B00:00", vec!["DELETE"]),
        ("_since=2027", vec![]),
        ("_at=2026-11-15T09:31:30Z", vec!["POST", "POST"]),
        ("_at=2026-11-15T09:33:30Z", vec!["PUT", "POST"]),
        ("_at=2026-11-15T09:30:59Z", vec!["POST"]),
        ("_at=2020", vec![]),
        ("_at=2026-11-15&_since=2026-11-15T09:31:00Z", vec!["DELETE", "PUT", "POST"]),
    ] {
        let bundle = okafor.get(&format!("/fhir/Observation/_history?{query}")).await.opened().json();
        let methods: Vec<String> = told(&bundle).into_iter().map(|(_, method, _)| method).collect();
        assert_eq!(methods, expected, "{query}");
    }
    let own = async |query: &str| told(&okafor.get(&format!("{first}/_history?{query}")).await.opened().json()).len();
    assert_eq!(own("_since=2026-11-15T09:32:00Z").await, 1);
    assert_eq!(own("_at=2026-11-15T09:31:30Z").await, 1);
    assert_eq!(own("_at=2020").await, 0, "there is a history, and none of it is of then");
    okafor.get("/fhir/Observation/none/_history?_at=2020").await.says(404, "NOT_FOUND");
    assert_eq!(told(&okafor.get(&format!("{second}/_history?_since=2026-11-15T09:34:00Z")).await.json()).len(), 1);
}

#[tokio::test]
async fn a_page_of_one_history_is_of_no_other() {
    let w = World::new().await;
    observations(&w).await;
    let okafor = w.dr_okafor().caller().await;
    let next = okafor.get("/fhir/Observation/_history?_count=1").await.json()["link"][1]["url"].clone();
    let (_, page) = next.as_str().unwrap().split_once("_page=").unwrap();
    for other in ["/fhir/_history", "/fhir/Condition/_history", "/fhir/Observation", "/fhir/Patient/amina/_history"] {
        okafor.get(&format!("{other}?_page={page}")).await.says(400, "BAD_REQUEST");
    }
    okafor.get(&format!("/fhir/Observation/_history?_page={page}")).await.opened();
}

#[tokio::test]
async fn who_saw_a_history_is_in_the_log_of_its_patient() {
    let w = World::new().await;
    w.dr_okafor().caller().await.get("/fhir/DocumentReference/_history").await.opened();
    let log = w.amina().signs_in().await.sees("/access-log").await;
    assert!(log.html.contains("Opened the details of a letter"), "{}", log.html);
    let nobody = w.ben().signs_in().await.sees("/access-log").await;
    assert!(!nobody.html.contains("Opened the details of a letter"), "{}", nobody.html);
}
