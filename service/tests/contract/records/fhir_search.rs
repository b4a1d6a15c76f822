//! `GET /fhir/{type}` and `POST /fhir/{type}/_search`.

use crate::kit::records::{import, observation};
use crate::kit::{BASE, RIVERSIDE, World};
use axum::http::Method;
use rules::limits::PAGE_BYTES;
use serde_json::{Value, json};

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
    assert_eq!((nothing.get("entry"), &nothing["total"]), (None, &json!(0)));
}

#[tokio::test]
async fn who_asks_for_nothing_in_particular_finds_all_that_they_may_see() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        assert_eq!(caller.get("/fhir/Patient").await.found(), ["amina"]);
    }
}

/// Five resources of nearly half a page each; what comes with one of them is bounded alike.
// gaps: FHIR, where R4 leaves it open > Pages
#[tokio::test]
async fn a_page_ends_where_its_resources_are_large_and_the_next_one_goes_on_there() {
    let w = World::new().await;
    // No text may be longer than a mebibyte.
    let notes = vec![json!({ "text": "x".repeat(PAGE_BYTES * 2 / 5 / 7) }); 7];
    let large = |n: usize| {
        json!({ "resourceType": "Observation", "id": format!("o{n}"), "status": "final", "code": { "text": "scan" },
                "subject": { "reference": "Patient/amina" }, "note": notes })
    };
    import(&w.app.store, RIVERSIDE, &(0..5).map(large).collect::<Vec<_>>(), w.now()).await;
    let caller = w.system().await;
    let (mut path, mut pages) = (String::from("/fhir/Observation?code:text=scan"), Vec::new());
    loop {
        let answer = caller.get(&path).await;
        let bundle = answer.opened().json();
        let entries = bundle["entry"].as_array().unwrap();
        pages
            .push(entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>());
        let Some(next) = bundle["link"].get(1) else { break };
        path = next["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
    }
    assert_eq!(pages, [vec!["o4", "o3"], vec!["o2", "o1"], vec!["o0"]]);
    let with_all = caller.get("/fhir/Patient?_id=amina&_revinclude=Observation:subject").await.opened().json();
    let modes = with_all["entry"].as_array().unwrap().iter().map(|entry| entry["search"]["mode"].as_str().unwrap());
    assert_eq!(modes.collect::<Vec<_>>(), ["match", "include", "include", "outcome"], "it says that there is more");
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
    assert_eq!(pages, [vec!["p6", "p5", "p4"], vec!["p3", "p2", "p1"], vec!["p0"]], "the newest first");
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

// gaps: FHIR, where R4 leaves it open > How much of a search is too much
#[tokio::test]
async fn what_a_search_does_not_know_is_refused_with_what_it_knows() {
    let w = World::new().await;
    let clinician = w.dr_okafor().caller().await;
    for query in ["access_token=x", "identifer=1", "_page_=x", "colour=red&name=x"] {
        let words = clinician.get(&format!("/fhir/Patient?{query}")).await.words(400, "BAD_REQUEST");
        assert!(words.contains("known are _content, _id, _lastUpdated"), "{words}");
        assert!(words.contains(", birthdate, "), "{words}");
    }
    for (query, part) in [
        ("identifier=", "a value is missing"),
        ("identifier:exact=1", "not served for a token parameter"),
        ("general-practitioner._content=x", "_content is not served behind a chain"),
        ("_filter=x", "_filter is not served"),
        ("_count=x", "must be a number"),
        ("_sort=colour", "has no search parameter"),
        ("birthdate=soon", "must be a date"),
    ] {
        let words = clinician.get(&format!("/fhir/Patient?{query}")).await.words(400, "BAD_REQUEST");
        assert!(words.contains(part), "{query}: {words}");
    }
    let many = vec!["a"; 51].join(",");
    let words = clinician.get(&format!("/fhir/Patient?_id={many}")).await.words(400, "BAD_REQUEST");
    assert!(words.contains("at most 50 alternatives"), "{words}");
    clinician.get("/fhir/Patient?_id=amina&_format=xml").await.says(406, "NOT_ACCEPTABLE");
    clinician.get("/fhir/Nothing?_id=amina").await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_unknown_parameter_is_passed_over_on_request_and_the_bundle_says_so() {
    let w = World::new().await;
    let caller = w.dr_okafor().caller().await;
    let answer =
        caller.get_with("/fhir/Patient?colour=red&identifier=9990000018", &[("prefer", "handling=lenient")]).await;
    let bundle = answer.opened().json();
    assert_eq!(bundle["link"][0]["url"], format!("{BASE}/fhir/Patient?identifier=9990000018"));
    assert_eq!(bundle["entry"][0]["resource"]["id"], "amina");
    assert_eq!(bundle["entry"][1]["search"]["mode"], "outcome");
    let words = bundle["entry"][1]["resource"]["issue"][0]["diagnostics"].as_str().unwrap();
    assert_eq!(words, "the parameter colour is not known and was ignored");
}

/// Amina's record of a few months.
async fn record(w: &World) {
    let observation = |n: usize, code: &str, day: &str, value: f64| {
        json!({
            "resourceType": "Observation", "id": format!("o{n}"), "status": "final",
            "code": { "coding": [{ "system": "http://loinc.org", "code": code }] },
            "subject": { "reference": "Patient/amina" }, "encounter": { "reference": "Encounter/e1" },
            "effectiveDateTime": day,
            "valueQuantity": { "value": value, "system": "http://unitsofmeasure.org", "code": "kg" },
        })
    };
    let all = [
        json!({ "resourceType": "Encounter", "id": "e1", "status": "finished", "class": { "code": "AMB" },
            "subject": { "reference": "Patient/amina" } }),
        observation(1, "29463-7", "2026-03-01", 70.5),
        observation(2, "29463-7", "2026-01-01", 71.0),
        observation(3, "8302-2", "2026-02-01", 1.8),
        observation(4, "29463-7", "2026-04-01", 69.0),
    ];
    import(&w.app.store, RIVERSIDE, &all, w.now()).await;
}

#[tokio::test]
async fn a_record_is_searched_by_patient_code_date_and_value_and_put_in_order() {
    let w = World::new().await;
    record(&w).await;
    let clinician = w.dr_okafor().caller().await;
    for (query, found) in [
        ("patient=amina&code=29463-7&_sort=-date", &["o4", "o1", "o2"][..]),
        ("patient=amina&code=29463-7&_sort=date", &["o2", "o1", "o4"]),
        ("patient=amina", &["o4", "o3", "o2", "o1"]),
        ("code=http://loinc.org|8302-2", &["o3"]),
        ("date=ge2026-02-15&_sort=_id", &["o1", "o4"]),
        ("value-quantity=gt70000|http://unitsofmeasure.org|g&_sort=_id", &["o1", "o2"]),
        ("code-value-quantity=29463-7$lt70", &["o4"]),
        ("subject:Patient.identifier=9990000018&code=8302-2", &["o3"]),
        ("encounter.status=finished&date=2026-01", &["o2"]),
        ("patient=ben", &[]),
    ] {
        assert_eq!(clinician.get(&format!("/fhir/Observation?{query}")).await.found(), found, "{query}");
        let form = clinician.post_form("/fhir/Observation/_search", query).await;
        assert_eq!(form.found(), found, "{query} in a form");
    }
    assert_eq!(clinician.get("/fhir/Patient?_has:Observation:patient:code=8302-2").await.found(), ["amina"]);
    assert!(w.ben().caller().await.get("/fhir/Observation?code=29463-7").await.found().is_empty());
    assert!(w.ben().caller().await.get("/fhir/Patient?_has:Observation:patient:code=8302-2").await.found().is_empty());
}

// gaps: FHIR, where R4 leaves it open > Order of a result
#[tokio::test]
async fn an_order_goes_on_over_pages() {
    let w = World::new().await;
    record(&w).await;
    let clinician = w.dr_okafor().caller().await;
    let mut path = String::from("/fhir/Observation?patient=amina&_sort=-date&_count=2");
    let mut found = Vec::new();
    loop {
        let answer = clinician.get(&path).await;
        found.extend(answer.found());
        let bundle = answer.opened().json();
        let Some(next) = bundle["link"].get(1) else { break };
        path = next["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
        let other = path.replace("_sort=-date", "_sort=code");
        clinician.get(&other).await.says(400, "BAD_REQUEST");
    }
    assert_eq!(found, ["o4", "o1", "o3", "o2"]);
}

// gaps: FHIR, where R4 leaves it open > Pages
#[tokio::test]
async fn totals_counts_and_elements_are_given_when_asked_for() {
    let w = World::new().await;
    record(&w).await;
    let clinician = w.dr_okafor().caller().await;
    let get = async |query: &str| clinician.get(&format!("/fhir/Observation?{query}")).await.opened().json();
    for query in ["patient=amina&_summary=count", "patient=amina&_count=0"] {
        let bundle = get(query).await;
        assert_eq!((&bundle["total"], bundle.get("entry")), (&json!(4), None), "{query}");
    }
    let bundle = get("code=29463-7&_total=accurate&_count=1").await;
    assert_eq!((&bundle["total"], bundle["entry"].as_array().unwrap().len()), (&json!(3), 1));
    // What is all on one page costs nothing to count; what is not is counted only where that is asked for.
    for (query, total) in [
        ("code=29463-7", json!(3)),
        ("code=29463-7&_count=3", json!(3)),
        ("code=nothing", json!(0)),
        ("code=29463-7&_include=Observation:subject", json!(3)),
        ("code=29463-7&_total=none", Value::Null),
        ("code=29463-7&_count=2", Value::Null),
    ] {
        assert_eq!(get(query).await["total"], total, "{query}");
    }
    let first = get("code=29463-7&_count=2").await;
    let next = first["link"][1]["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
    let last = clinician.get(&next).await.opened().json();
    assert_eq!((last["entry"].as_array().unwrap().len(), &last["total"]), (1, &Value::Null), "a page of several");
    let bundle = get("_id=o1&_elements=value,effectiveDateTime").await;
    let members: Vec<&String> = bundle["entry"][0]["resource"].as_object().unwrap().keys().collect();
    for member in ["resourceType", "id", "meta", "status", "code", "effectiveDateTime", "valueQuantity"] {
        assert!(members.iter().any(|known| *known == member), "{member} in {members:?}");
    }
    assert!(!members.iter().any(|member| *member == "subject" || *member == "encounter"), "{members:?}");
    assert_eq!(bundle["entry"][0]["resource"]["meta"]["tag"][0]["code"], "SUBSETTED");
}

// gaps: FHIR, where R4 leaves it open > Included
#[tokio::test]
async fn what_matches_refer_to_and_what_refers_to_them_comes_along() {
    let w = World::new().await;
    record(&w).await;
    let clinician = w.dr_okafor().caller().await;
    for (path, included) in [
        ("Observation?_id=o1&_include=Observation:subject", &["amina"][..]),
        ("Observation?_id=o1&_include=Observation:subject:Group", &[]),
        ("Observation?_id=o1&_include=*", &["amina", "e1"]),
        ("Observation?_id=o1&_include=Observation:encounter&_include:iterate=Encounter:patient", &["amina", "e1"]),
        ("Encounter?_id=e1&_revinclude=Observation:encounter", &["o1", "o2", "o3", "o4"]),
        ("Encounter?_id=e1&_revinclude=*", &["o1", "o2", "o3", "o4"]),
    ] {
        let bundle = clinician.get(&format!("/fhir/{path}")).await.opened().json();
        let of_mode = |mode: &str| {
            let entries = bundle["entry"].as_array().unwrap().iter().filter(|entry| entry["search"]["mode"] == mode);
            let mut ids: Vec<_> = entries.map(|entry| entry["resource"]["id"].as_str().unwrap()).collect();
            ids.sort_unstable();
            ids.join(" ")
        };
        assert_eq!((of_mode("match").len(), of_mode("include")), (2, included.join(" ")), "{path}");
    }
}

// gaps: FHIR, where R4 leaves it open > Numbers and quantities
#[tokio::test]
async fn a_decimal_of_more_digits_than_a_number_holds_is_found_by_itself() {
    let w = World::new().await;
    let system = w.system().await;
    for (digits, unit) in [("1.234567890123456", ""), ("0.1234567890123456", "||mg"), ("5.551115123125783", "||mg")] {
        let mut made = observation("amina");
        made["valueQuantity"] =
            json!({ "value": 0, "system": "http://unitsofmeasure.org", "code": "mg", "unit": "mg" });
        let text = made.to_string().replace("\"value\":0", &format!("\"value\":{digits}"));
        let headers = [("content-type", "application/fhir+json")];
        let created = system.send(Method::POST, "/fhir/Observation", &headers, text).await;
        assert_eq!(created.status, 201, "{}", created.text());
        for path in [format!("value-quantity={digits}{unit}"), format!("value-quantity=eq{digits}{unit}")] {
            let found = system.get(&format!("/fhir/Observation?{path}&_count=5")).await.opened().json();
            assert_eq!(found["total"], 1, "{path}: {found}");
        }
    }
}
