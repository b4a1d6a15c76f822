//! How much of a resource searches may find: everybody's writes wait while it is indexed.

use crate::kit::World;
use crate::kit::records::{AMINA, observation};
use rules::limits::RESOURCE_INDEX_ROWS;
use serde_json::{Value, json};

/// An Observation of so many codes.
fn of_codes(count: usize) -> Value {
    let code = |number: usize| json!({ "system": "http://loinc.org", "code": format!("c-{number}") });
    let mut one = observation(AMINA);
    one["code"] = json!({ "coding": (0..count).map(code).collect::<Vec<_>>() });
    one
}

// gaps: FHIR, where R4 leaves it open > How much is written at once
#[tokio::test]
async fn what_searches_would_find_by_too_many_values_is_refused_and_told_by_which() {
    let w = World::new().await;
    let system = w.system().await;
    assert_eq!(system.post("/fhir/Observation", &of_codes(100)).await.status, 201);
    let words = system.post("/fhir/Observation", &of_codes(RESOURCE_INDEX_ROWS)).await.words(422, "UNPROCESSABLE");
    assert!(words.contains("code") && words.contains(&RESOURCE_INDEX_ROWS.to_string()), "{words}");
    let told =
        system.post("/fhir/Observation/$validate?mode=create", &of_codes(RESOURCE_INDEX_ROWS)).await.opened().json();
    assert!(told["issue"][0]["diagnostics"].as_str().unwrap_or_default().contains("at the most"), "{told}");
    assert_eq!(system.results().await, 1);
}
