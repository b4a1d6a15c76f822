//! Lists: their order, their filters, and their pages.

use super::callers::{clinician, patient};
use crate::kit::World;
use crate::kit::caller::Caller;
use axum::http::Method;
use serde_json::{Value, json};

/// Measurements of these dates, in which dates of a year and of a month are whole times.
const DATES: [&str; 9] = [
    "2026-11-03T08:00:00Z",
    "2026-11-03",
    "2026-11-02T23:30:00Z",
    "2026-11",
    "2026-10-31T00:00:00Z",
    "2026-10-31T00:00:00Z",
    "2026",
    "2025-12-31T10:00:00.123Z",
    "2025",
];

async fn filled(patient: &Caller<'_>) {
    let sent: Vec<Value> =
        DATES.iter().rev().map(|date| json!({ "apiRef": "weight", "value": 60, "dateTaken": date })).collect();
    let made = patient.sends(Method::POST, "/json/measurements", &json!(sent)).await;
    assert_eq!(made.status, 201, "{}", made.text());
}

fn dates(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["dateTaken"].as_str().unwrap()).collect()
}

/// The path of the next page, if there is one.
fn next(reply: &crate::kit::reply::Reply) -> Option<String> {
    let link = reply.header("link")?;
    let url = link.strip_prefix('<')?.strip_suffix(">; rel=\"next\"")?;
    Some(url[url.find("/json").unwrap()..].to_owned())
}

#[tokio::test]
async fn pages_have_together_what_the_whole_list_has() {
    let w = World::new().await;
    let patient = patient(&w).await;
    filled(&patient).await;
    let whole = patient.get("/json/measurements").await.json();
    assert_eq!(dates(&whole), DATES);
    for path in ["measurements", "measurements/byType/weight"] {
        for limit in 1..=10 {
            let (mut all, mut at) = (Vec::new(), Some(format!("/json/{path}?limit={limit}")));
            while let Some(path) = at {
                let page = patient.get(&path).await;
                let items = page.opened().json().as_array().unwrap().clone();
                assert!(!items.is_empty() && items.len() <= limit);
                all.extend(items);
                at = next(&page);
            }
            assert_eq!(Value::from(all), whole, "{path} by {limit}");
        }
    }
}

#[tokio::test]
async fn kinds_whose_dates_no_index_has_are_paged_too() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for onset in ["2019", "2020-01-02", "2018-05"] {
        let sent = json!({ "name": onset, "onsetDate": onset });
        assert_eq!(patient.sends(Method::POST, "/json/diagnoses", &sent).await.status, 201);
    }
    let whole = patient.get("/json/diagnoses").await.json();
    let (mut all, mut at) = (Vec::new(), Some("/json/diagnoses?limit=2".to_owned()));
    while let Some(path) = at {
        let page = patient.get(&path).await;
        all.extend(page.json().as_array().unwrap().clone());
        at = next(&page);
    }
    assert_eq!((Value::from(all), whole.as_array().unwrap().len()), (whole, 3));
}

#[tokio::test]
async fn filters_take_what_they_name() {
    let w = World::new().await;
    let patient = patient(&w).await;
    filled(&patient).await;
    let of = async |query: &str| {
        let list = patient.get(&format!("/json/measurements?{query}")).await.opened().json();
        dates(&list).into_iter().map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(of("from=2026-11-03").await, ["2026-11-03T08:00:00Z", "2026-11-03", "2026-11", "2026"]);
    assert_eq!(of("to=2025").await, ["2025-12-31T10:00:00.123Z", "2025"]);
    assert_eq!(of("from=2026-11-02&to=2026-11-02&limit=1").await, ["2026-11-02T23:30:00Z"]);
    assert_eq!(of("privacyLabel=SOCIAL_CARE").await, Vec::<String>::new());
    let labelled = json!({ "apiRef": "weight", "value": 1, "dateTaken": "2024", "privacyLabel": "SOCIAL_CARE" });
    assert_eq!(patient.sends(Method::POST, "/json/measurements", &labelled).await.status, 201);
    assert_eq!(of("privacyLabel=SOCIAL_CARE").await, ["2024"]);
}

#[tokio::test]
async fn status_is_a_filter_of_what_has_one() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for status in ["ACTIVE", "INACTIVE"] {
        let sent = json!({ "substance": status, "status": status });
        assert_eq!(patient.sends(Method::POST, "/json/allergies", &sent).await.status, 201);
    }
    let list = patient.get("/json/allergies?status=INACTIVE").await.json();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["substance"]), (1, &json!("INACTIVE")));
    patient.get("/json/allergies?status=PAST").await.says_in_rest(400, "parameter status: must be one of ACTIVE");
    patient.get("/json/symptoms?status=ACTIVE").await.says_in_rest(400, "unknown parameter status; known: from, to,");
}

#[tokio::test]
async fn since_tells_what_is_new_and_what_is_gone() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let made = async |name: &str| {
        let date = if name == "new" { "2026-11-02" } else { "2026-11-01" };
        let sent = json!({ "name": name, "dateStarted": date });
        patient.sends(Method::POST, "/json/symptoms", &sent).await.json()
    };
    let (old, gone) = (made("old").await, made("gone").await);
    w.after(60);
    let new = made("new").await;
    assert_eq!(patient.delete(&format!("/json/symptoms/{}", gone["id"].as_str().unwrap())).await.status, 204);
    let since = new["dateUpdated"].as_str().unwrap();
    for (by, path) in [(&patient, "/json/symptoms"), (&clinician, "/json/symptoms/forPatient/amina")] {
        let list = by.get(&format!("{path}?since={since}")).await.opened().json();
        let told = json!([new, { "id": gone["id"], "fhirReference": gone["fhirReference"], "deleted": true,
            "dateUpdated": since }]);
        assert_eq!(list, told);
        assert_eq!(by.get(path).await.json(), json!([new, old]), "without since nothing is told of what is gone");
        assert_eq!(by.get(&path.replace("symptoms", "journal")).await.json(), json!([]));
    }
    assert_eq!(patient.get(&format!("/json/journal?since={since}")).await.json(), json!([]), "it was no journal entry");
}

#[tokio::test]
async fn head_is_as_get_and_nobody_keeps_a_list() {
    let w = World::new().await;
    let patient = patient(&w).await;
    filled(&patient).await;
    let (get, head) = (patient.get("/json/measurements").await, patient.head("/json/measurements").await);
    assert_eq!((head.status, head.text().as_str()), (200, ""));
    assert_eq!(head.header("content-length"), Some(get.text().len().to_string().as_str()));
    assert_eq!(get.header("cache-control"), Some("no-store"));
}
