//! `GET /fhir/Patient?identifier=…`.

use crate::kit::records::import;
use crate::kit::{BASE, RIVERSIDE, World};
use serde_json::json;

const NHS: &str = "https://fhir.nhs.uk/Id/nhs-number";

#[tokio::test]
async fn a_patient_is_found_by_identifier_however_it_is_written() {
    let w = World::new().await;
    let clinician = w.dr_okafor().caller().await;
    for query in [
        &format!("identifier={NHS}%7C9990000018"),
        &format!("identifier={NHS}|9990000018"),
        "identifier=9990000018",
        "identifier=|bare",
        r"identifier=urn:riverside|N%5C,1%5C|2",
        "identifier=nothing,9990000018",
        "_id=amina",
        "_id=nobody,amina&identifier=9990000018",
    ] {
        assert_eq!(clinician.get(&format!("/fhir/Patient?{query}")).await.found(), ["amina"], "{query}");
    }
    for query in ["identifier=|9990000018", "identifier=*|9990000018", "identifier=999", "_id=amina&identifier=x"] {
        assert!(clinician.get(&format!("/fhir/Patient?{query}")).await.found().is_empty(), "{query}");
    }
}

#[tokio::test]
async fn what_the_caller_may_not_see_is_left_out_not_refused() {
    let w = World::new().await;
    let both = format!("/fhir/Patient?identifier={NHS}|9990000018,{NHS}|9990000026");
    for caller in [
        w.amina().caller().await,
        w.dr_okafor().caller().await,
        w.grace().caller().await,
        w.site().await,
        w.system().await,
    ] {
        assert_eq!(caller.get(&both).await.found(), ["amina"]);
        assert!(caller.get("/fhir/Patient?_id=ben").await.found().is_empty());
        assert!(caller.get("/fhir/Patient?identifier=9990000026").await.found().is_empty());
    }
    assert_eq!(w.system_for_hillside().await.get(&both).await.found(), ["ben"]);
}

#[tokio::test]
async fn the_bundle_says_where_it_and_its_entries_are() {
    let w = World::new().await;
    let answer = w.dr_okafor().caller().await.get("/fhir/Patient?identifier=urn:riverside|N%5C,1%5C|2").await;
    assert_eq!(answer.header("content-type"), Some("application/fhir+json; charset=UTF-8"));
    let bundle = answer.opened().json();
    let own = format!("{BASE}/fhir/Patient?identifier=urn%3Ariverside%7CN%5C%2C1%5C%7C2");
    assert_eq!(bundle["link"], json!([{ "relation": "self", "url": own }]));
    assert_eq!(bundle["entry"][0]["fullUrl"], format!("{BASE}/fhir/Patient/amina"));
    assert_eq!(bundle["entry"][0]["search"]["mode"], "match");
    assert_eq!(bundle["entry"][0]["resource"]["meta"]["versionId"], "1");
    let nothing = w.dr_okafor().caller().await.get("/fhir/Patient?identifier=x").await.opened().json();
    assert!(nothing.get("entry").is_none() && nothing.get("total").is_none());
}

#[tokio::test]
async fn a_patient_who_asks_for_nothing_in_particular_finds_themselves() {
    let w = World::new().await;
    assert_eq!(w.amina().caller().await.get("/fhir/Patient").await.found(), ["amina"]);
    for caller in [w.dr_okafor().caller().await, w.system().await] {
        assert!(caller.get("/fhir/Patient").await.words(400, "BAD_REQUEST").contains("identifier=system|value"));
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let w = World::new().await;
    let many: Vec<_> = (0..7)
        .map(|n| {
            json!({ "resourceType": "Patient", "id": format!("p{n}"),
                         "identifier": [{ "system": "urn:many", "value": n.to_string() }, { "value": "every" }] })
        })
        .collect();
    import(&w.app.store, RIVERSIDE, &many, w.now()).await;
    let system = w.system().await;
    let mut path = String::from("/fhir/Patient?identifier=urn:many|4,every&_count=3");
    let mut pages = Vec::new();
    loop {
        let answer = system.get(&path).await;
        pages.push(answer.found());
        let bundle = answer.opened().json();
        let links = bundle["link"].as_array().unwrap();
        assert_eq!(links[0]["url"], format!("{BASE}{}", path.replace("=urn:many|4,", "=urn%3Amany%7C4%2C")));
        let Some(next) = links.get(1) else { break };
        assert_eq!(next["relation"], "next");
        path = next["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
    }
    assert_eq!(pages, [vec!["p0", "p1", "p2"], vec!["p3", "p4", "p5"], vec!["p6"]]);
}

#[tokio::test]
async fn a_page_is_only_what_this_service_gave() {
    let w = World::new().await;
    let token = w.app.keys.seal("rgp_", b"Observation\0\0\0\0\0\0\0\x01").unwrap();
    for page in ["", "7", "rgp_x_y", &token] {
        let answer = w.system().await.get(&format!("/fhir/Patient?_id=amina&_page={page}")).await;
        answer.says(400, "BAD_REQUEST");
    }
}

#[tokio::test]
async fn what_a_search_does_not_know_is_refused_with_what_it_knows() {
    let w = World::new().await;
    let clinician = w.dr_okafor().caller().await;
    for query in ["access_token=x", "identifer=1", "identifier:exact=1", "_include=*", "_total=accurate"] {
        let words = clinician.get(&format!("/fhir/Patient?{query}")).await.words(400, "BAD_REQUEST");
        assert!(words.contains("_id, identifier, _count, _format, _page"), "{words}");
    }
    for query in [
        "identifier=",
        "identifier=urn:riverside|",
        "identifier=1&identifier=2",
        "_id=amina&_count=0",
        "_id=amina&_count=x",
    ] {
        clinician.get(&format!("/fhir/Patient?{query}")).await.says(400, "BAD_REQUEST");
    }
    clinician.get("/fhir/Patient?_id=amina&_format=xml").await.says(406, "NOT_ACCEPTABLE");
}
