//! How reads are answered: in which format and version, how much of a resource, laid out or not, and whether at all.

use crate::kit::records::{AMINA, observation};
use crate::kit::{BASE, MINUTE, World};
use axum::http::Method;
use serde_json::{Value, json};

const SUBSETTED: &str = "SUBSETTED";

fn members(resource: &Value) -> Vec<String> {
    resource.as_object().unwrap().keys().cloned().collect()
}

/// An observation with all that a summary leaves out.
fn long_observation() -> Value {
    let mut long = observation(AMINA);
    let members = long.as_object_mut().unwrap();
    members.insert("note".into(), json!([{ "text": "after breakfast" }]));
    members.insert("category".into(), json!([{ "text": "vital signs" }]));
    let narrative =
        json!({ "status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\">70.5 kg</div>" });
    members.insert("text".into(), narrative);
    long
}

// gaps: FHIR, where R4 leaves it open > How much of a resource is given
#[tokio::test]
async fn a_summary_is_the_same_by_every_way_of_reading_and_says_that_it_is_one() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&long_observation()).await;
    let id = path.rsplit('/').next().unwrap();
    let always = ["resourceType", "id", "meta"];
    for (query, expected) in [
        ("_summary=true", vec!["status", "code", "subject", "valueQuantity"]),
        ("_summary=text", vec!["text", "status", "code"]),
        ("_summary=data", vec!["category", "status", "code", "subject", "valueQuantity", "note"]),
        ("_elements=note,subject", vec!["status", "code", "subject", "note"]),
    ] {
        let mut expected: Vec<&str> = always.iter().copied().chain(expected).collect();
        expected.sort_unstable();
        let read = okafor.get(&format!("{path}?{query}")).await.opened().json();
        let version = okafor.get(&format!("{path}/_history/1?{query}")).await.opened().json();
        let history = okafor.get(&format!("{path}/_history?{query}")).await.opened().json();
        let search = okafor.get(&format!("/fhir/Observation?_id={id}&{query}")).await.opened().json();
        for given in [&read, &version, &history["entry"][0]["resource"], &search["entry"][0]["resource"]] {
            let mut told = members(given);
            told.sort_unstable();
            assert_eq!(told, expected, "{query}");
            assert_eq!(given["meta"]["tag"][0]["code"], SUBSETTED, "{query}");
            assert_eq!(*given, read, "{query}");
        }
    }
    let whole = okafor.get(&path).await;
    assert_eq!(okafor.get(&format!("{path}?_summary=false")).await.text(), whole.text());
    assert!(whole.json()["meta"].get("tag").is_none());
    let cut = okafor.get(&format!("{path}?_elements=value")).await.text();
    assert!(cut.contains("70.5"), "{cut}");
    for query in ["_summary=count", "_summary=short", "_summary=", "_pretty=yes"] {
        okafor.get(&format!("{path}?{query}")).await.says(400, "BAD_REQUEST");
    }
}

#[tokio::test]
async fn what_is_laid_out_for_people_is_the_same_resource() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let paths = ["/fhir/Patient/amina", "/fhir/Patient/amina/_history", "/fhir/Patient?_id=amina", "/fhir/metadata"];
    for path in paths {
        let mark = if path.contains('?') { '&' } else { '?' };
        let (plain, pretty) = (okafor.get(path).await, okafor.get(&format!("{path}{mark}_pretty=true")).await);
        let mut told = pretty.opened().json();
        if told["link"].is_array() {
            assert_eq!(told["link"][0]["url"], format!("{BASE}{path}{mark}_pretty=true"));
            told["link"] = plain.json()["link"].clone();
        }
        assert_eq!(told, plain.json(), "{path}");
        if path != "/fhir/metadata" {
            assert!(pretty.text().starts_with("{\n  \"resourceType\": "), "{path}");
        }
        assert!(!plain.text().contains('\n'), "{path}");
    }
}

// gaps: FHIR, where R4 leaves it open > Format and version
#[tokio::test]
async fn answers_are_json_of_r4_and_a_request_that_wants_another_hears_so() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let paths =
        ["/fhir/Patient/amina", "/fhir/Patient/amina/_history/1", "/fhir/Patient/amina/_history", "/fhir/Patient"];
    for path in paths.into_iter().chain(["/fhir/metadata"]) {
        for format in ["json", "application/json", "text/json", "application/fhir%2Bjson", "application/fhir+json"] {
            okafor.get(&format!("{path}?_format={format}")).await.opened();
        }
        okafor.get(&format!("{path}?_format=application/fhir%2Bjson;%20fhirVersion=4.0")).await.opened();
        for format in ["xml", "application/fhir%2Bxml", "text/xml", "turtle", "application/fhir%2Bjson;fhirVersion=3.0"]
        {
            let words = okafor.get(&format!("{path}?_format={format}")).await.words(406, "NOT_ACCEPTABLE");
            assert!(words.contains("application/fhir+json"), "{words}");
        }
        for accept in ["application/json", "application/fhir+json; fhirVersion=4.0", "text/html, */*;q=0.1"] {
            okafor.get_with(path, &[("accept", accept)]).await.opened();
        }
        for accept in ["application/fhir+xml", "application/fhir+json;fhirVersion=5.0", "text/html"] {
            let words = okafor.get_with(path, &[("accept", accept)]).await.words(406, "NOT_ACCEPTABLE");
            assert!(words.contains(&format!("Accept {accept} was asked for")), "{words}");
        }
    }
    okafor.get("/fhir/Patient?fhirVersion=3.0").await.says(406, "NOT_ACCEPTABLE");
    let body = observation(AMINA).to_string();
    let send = async |version: &str| {
        let media_type = format!("application/fhir+json; fhirVersion={version}");
        okafor.send(Method::POST, "/fhir/Observation", &[("content-type", &media_type)], body.clone()).await
    };
    assert_eq!(send("4.0").await.status, 201);
    send("3.0").await.says(415, "UNSUPPORTED_MEDIA_TYPE");
    let patch = [("content-type", "application/json-patch+json;fhirVersion=3.0")];
    okafor.send(Method::PATCH, "/fhir/Observation/x", &patch, "[]").await.says(415, "UNSUPPORTED_MEDIA_TYPE");
}

// gaps: FHIR, where R4 leaves it open > Conditions of a read
#[tokio::test]
async fn what_the_caller_has_already_is_not_sent_again() {
    let w = World::new().await;
    w.after(MINUTE);
    let okafor = w.dr_okafor().caller().await;
    let path = okafor.makes(&observation(AMINA)).await;
    let modified = okafor.get(&path).await.header("last-modified").unwrap().to_owned();
    for path in [path.clone(), format!("{path}/_history/1"), format!("{path}?_summary=true")] {
        for held in [("if-modified-since", &*modified), ("if-modified-since", "Mon, 16 Nov 2026 00:00:00 GMT")] {
            let answer = okafor.get_with(&path, &[held]).await;
            assert_eq!((answer.status, answer.body.len()), (304, 0), "{path}");
            assert_eq!(answer.header("etag"), Some("W/\"1\""));
        }
        for old in ["Sun, 15 Nov 2026 09:30:59 GMT", "yesterday"] {
            assert_eq!(okafor.get_with(&path, &[("if-modified-since", old)]).await.status, 200, "{old}");
        }
        let tag_first = [("if-modified-since", &*modified), ("if-none-match", "W/\"2\"")];
        assert_eq!(okafor.get_with(&path, &tag_first).await.status, 200, "the tag says more than the moment");
        assert_eq!(okafor.get_with(&path, &[("if-none-match", "\"7\", W/\"1\"")]).await.status, 304);
    }
    let content = okafor.get_with("/fhir/Binary/letter-text-amina", &[("if-modified-since", &modified)]).await;
    assert_eq!(content.status, 304);
}

// gaps: FHIR, where R4 leaves it open > The moment of a version
#[tokio::test]
async fn a_clock_that_was_set_back_hides_no_change_from_who_asks_what_is_new() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    w.after(MINUTE);
    let path = okafor.makes(&observation(AMINA)).await;
    let first = okafor.get(&path).await;
    let held = first.header("last-modified").unwrap().to_owned();
    w.app.clock.jump_seconds(-30);
    let mut changed = first.json();
    changed["status"] = "amended".into();
    okafor.put(&path, &changed).await.opened();
    let second = okafor.get_with(&path, &[("if-modified-since", &held)]).await;
    assert_eq!((second.status, &second.json()["status"]), (200, &"amended".into()));
    let moments = [&first, &second].map(|answer| answer.json()["meta"]["lastUpdated"].as_str().unwrap().to_owned());
    assert!(moments[0] < moments[1], "{moments:?}");
    let since = format!("/fhir/Observation/_history?_since={}", moments[1]);
    assert!(okafor.get(&since).await.json()["entry"][0]["resource"]["status"] == "amended");
}

#[tokio::test]
async fn a_slash_behind_a_path_says_nothing_and_head_is_everywhere_that_get_is() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for path in [
        "/fhir/metadata",
        "/fhir/Patient",
        "/fhir/Patient/amina",
        "/fhir/Patient/amina/_history",
        "/fhir/Patient/amina/_history/1",
        "/fhir/DocumentReference/note",
        "/fhir/Binary/letter-text-amina",
    ] {
        let (plain, slashed, head) =
            (amina.get(path).await, amina.get(&format!("{path}/")).await, amina.head(path).await);
        assert_eq!(slashed.opened().text(), plain.opened().text(), "{path}");
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        // What is sent piece by piece has no length of its own.
        assert!(head.header("content-length").is_none_or(|length| length == plain.body.len().to_string()), "{path}");
    }
    let made = amina.post("/fhir/Observation/", &observation(AMINA)).await;
    assert_eq!(made.status, 201, "{}", made.text());
}

#[tokio::test]
async fn a_read_knows_what_it_can_be_asked() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for path in ["/fhir/Patient/amina", "/fhir/Patient/amina/_history/1", "/fhir/DocumentReference/note"] {
        for query in ["_count=1", "name=x", "_summary=true&_summary=text"] {
            amina.get(&format!("{path}?{query}")).await.says(400, "BAD_REQUEST");
        }
        let words = amina.get(&format!("{path}?_count=1")).await.words(400, "BAD_REQUEST");
        assert!(words.contains("_elements, _format, _pretty, _summary"), "{words}");
    }
    let words = amina.get("/fhir/Binary/letter-text-amina?_summary=true").await.words(400, "BAD_REQUEST");
    assert!(words.contains("_format, _pretty"), "{words}");
}

#[tokio::test]
async fn the_capability_statement_is_told_in_each_mode() {
    let w = World::new().await;
    let full = w.get("/fhir/metadata").await.opened().json();
    for mode in ["full", "normative"] {
        assert_eq!(w.get(&format!("/fhir/metadata?mode={mode}")).await.opened().json(), full);
    }
    let terminology = w.get("/fhir/metadata?mode=terminology").await.opened().json();
    assert_eq!(terminology["resourceType"], "TerminologyCapabilities");
    assert!(w.get("/fhir/metadata?mode=all").await.words(400, "BAD_REQUEST").contains("full, normative"));
    let summary = w.get("/fhir/metadata?_summary=true").await.opened().json();
    assert_eq!(summary["meta"]["tag"][0]["code"], SUBSETTED);
}
