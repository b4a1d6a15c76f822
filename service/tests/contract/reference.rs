//! The documentation: made from the list of routes and the rules, complete, and the same in all its forms.

use crate::kit::reference::hold;
use crate::kit::reply::Reply;
use crate::kit::{BASE, World, request};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use http_body_util::BodyExt;
use serde_json::Value;
use service::reference::listing::Input;
use service::reference::markdown;
use service::routes::{Route, Voice, routes};
use std::collections::BTreeSet;
use std::path::Path;

/// How docs/api.md is written anew.
const WRITE: &str = "RECORDGATE_WRITE_DOCS=1 cargo test -p service --test contract api_md";

#[test]
fn api_md_is_what_the_routes_and_the_rules_say() {
    let listings: Vec<_> = routes().iter().map(Route::listing).collect();
    let said = markdown(&listings);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api.md");
    if std::env::var_os("RECORDGATE_WRITE_DOCS").is_some() {
        std::fs::write(&file, &said).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = said.lines().zip(kept.lines()).find(|(said, kept)| said != kept);
    assert!(said == kept, "docs/api.md is not up to date, first at {differs:?}; write it with: {WRITE}");
}

#[test]
fn every_route_has_a_sentence_and_tells_of_every_free_part_of_its_path() {
    for route in routes() {
        let listing = route.listing();
        assert!(listing.sentence.ends_with('.') && listing.sentence.len() > 10, "{route:?}: {}", listing.sentence);
        for free in route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
            assert!(listing.inputs.iter().any(|input| input.name == free), "{route:?} says nothing of {free}");
        }
        let place = |input: &Input| format!("{:?} {}", input.place, input.name);
        let names: BTreeSet<String> = listing.inputs.iter().map(place).collect();
        assert_eq!(names.len(), listing.inputs.len(), "{route:?} tells of a parameter twice");
    }
}

/// It is made once: whoever has it hears so, and whoever takes it compressed gets it so.
// gaps: Discovery > Documentation
#[tokio::test]
async fn documentation_has_a_tag_is_not_sent_again_to_who_has_it_and_is_compressed() {
    let w = World::embedded().await;
    for path in ["/openapi.json", "/docs", "/fhir/metadata"] {
        let plain = w.get(path).await;
        let tag = plain.opened().header("etag").unwrap().to_owned();
        assert!(plain.header("vary").is_some_and(|varies| varies.starts_with("accept-encoding")), "{path}");
        assert_ne!(plain.header("cache-control"), Some("no-store"), "{path} may be kept");
        assert_eq!(w.get(path).await.header("etag"), Some(tag.as_str()), "{path} is the same");
        let held = w.send(request(Method::GET, path).header("if-none-match", &tag).body(Body::empty()).unwrap()).await;
        assert_eq!((held.status, held.body.len()), (304, 0), "{path}");
        assert_eq!(held.header("etag"), Some(tag.as_str()));
        for coding in ["gzip", "zstd"] {
            let taken = request(Method::GET, path).header("accept-encoding", coding).body(Body::empty()).unwrap();
            let compressed = w.answers(taken).await;
            assert_eq!(compressed.headers().get("content-encoding").unwrap(), coding, "{path}");
            let bytes = compressed.into_body().collect().await.unwrap().to_bytes();
            assert!(bytes.len() < plain.body.len() / 3, "{path}: {} of {}", bytes.len(), plain.body.len());
        }
    }
}

async fn openapi(w: &World) -> Value {
    let reply = w.get("/openapi.json").await;
    assert_eq!(reply.opened().header("content-type"), Some("application/json;charset=UTF-8"));
    reply.json()
}

/// Every answer in these tests is held to the documentation; that is worth its name only if a wrong one is told.
#[tokio::test]
#[should_panic(expected = "no 418 among")]
async fn an_answer_that_is_not_documented_fails_the_test_that_received_it() {
    let reply = Reply::read("/json/users/self", StatusCode::IM_A_TEAPOT.into_response()).await;
    hold(&Method::GET, "/json/users/self", &reply);
}

// gaps: Discovery > Documentation
#[tokio::test]
async fn openapi_has_every_route_that_a_program_calls_and_no_other() {
    for sandbox in [true, false] {
        let w = World::embedded_with(|settings| settings.sandbox = sandbox).await;
        let said = openapi(&w).await;
        assert_eq!((said["openapi"].as_str(), said["servers"][0]["url"].as_str()), (Some("3.1.0"), Some(BASE)));
        let mut told = BTreeSet::new();
        for (path, operations) in said["paths"].as_object().unwrap() {
            told.extend(operations.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
        }
        // The prefixes of the custom REST API are told once, and not of each operation.
        let machine = |route: &&Route| {
            let is_told = route.voice != Voice::Page && !route.sandbox_only;
            is_told && !route.listing().is_prefixed()
        };
        let listed = routes();
        let listed = listed.iter().filter(machine).map(|route| (route.method.to_string(), route.path.to_owned()));
        assert_eq!(told, listed.collect());
    }
}

#[tokio::test]
async fn every_reference_in_openapi_leads_to_a_schema_and_every_schema_is_used() {
    let w = World::embedded().await;
    let said = openapi(&w).await;
    let text = said.to_string();
    let referred: BTreeSet<&str> =
        text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let schemas: BTreeSet<&str> =
        said["components"]["schemas"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(referred, schemas);
}

/// Generators of clients name a type after its component, and some lose one that has none.
#[tokio::test]
async fn what_stands_among_alternatives_or_in_a_list_of_items_is_a_schema_of_its_own() {
    let w = World::embedded().await;
    let document = openapi(&w).await;
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        let alternatives = ["anyOf", "oneOf"].iter().filter_map(|word| schema[*word].as_array());
        let listed = ["anyOf", "oneOf"].iter().filter_map(|word| schema["items"][*word].as_array());
        for alternative in alternatives.chain(listed).flatten() {
            assert_ne!(alternative["type"], "object", "{name} has an object without a name");
        }
    }
    let entry = &schemas["MeasurementList"]["items"]["oneOf"];
    assert_eq!(entry[0]["$ref"], "#/components/schemas/Measurement");
    assert_eq!(entry[1]["$ref"], "#/components/schemas/DeletedItem");
    assert_eq!(schemas["NewMeasurementOrSeveral"]["anyOf"][1]["items"]["$ref"], "#/components/schemas/NewMeasurement");
}

/// Whoever writes an app copies what is sent, and reads what is answered.
#[tokio::test]
async fn every_operation_of_both_apis_shows_what_is_sent_what_is_answered_and_how_it_is_refused() {
    let w = World::embedded().await;
    let said = openapi(&w).await;
    let component = |reference: &Value| {
        let name = reference["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        &said["components"]["schemas"][name]
    };
    let schema = |content: &Value| {
        let schema = component(&content["schema"]);
        schema.get("anyOf").map_or(schema, |all| component(&all[0])).clone()
    };
    let (mut sent, mut answered) = (0, 0);
    for (path, operations) in said["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let tag = operation["tags"][0].as_str().unwrap();
            if !["rest", "fhir"].contains(&tag) {
                continue;
            }
            let json = &operation["requestBody"]["content"]["application/json"];
            if !json.is_null() {
                let (schema, example) = (schema(json), json["example"].as_object().expect(path));
                let known = schema["properties"].as_object().unwrap();
                assert!(example.keys().all(|name| known.contains_key(name)), "{method} {path}: {example:?}");
                let required = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str);
                assert!(required.clone().all(|name| example.contains_key(name)), "{method} {path}: {example:?}");
                sent += 1;
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                for (media, content) in response["content"].as_object().into_iter().flatten() {
                    let is_json = ["application/json", "application/fhir+json"].contains(&media.as_str());
                    let has_none = !is_json || content["schema"]["$ref"] == "#/components/schemas/ExportManifest";
                    assert!(has_none || !content["example"].is_null(), "{method} {path}: {status}");
                    answered += 1;
                }
                if status.starts_with('4') && tag == "fhir" {
                    let outcome = &response["content"]["application/fhir+json"]["example"];
                    assert_eq!(outcome["resourceType"], "OperationOutcome", "{method} {path}: {status}");
                }
            }
        }
    }
    assert!(sent > 25 && answered > 500, "{sent} bodies, {answered} answers");
}

// gaps: Discovery > Documentation
#[tokio::test]
async fn the_page_shows_every_route_that_is_there_and_needs_no_sign_in() {
    for sandbox in [true, false] {
        let w = World::embedded_with(|settings| settings.sandbox = sandbox).await;
        let page = w.get("/docs").await;
        assert_eq!(page.status, 200);
        let text = page.text();
        for route in routes().iter().filter(|route| !route.listing().is_prefixed()) {
            let title = format!("<h3><code>{} {}</code></h3>", route.method, route.path);
            assert_eq!(text.contains(&title), sandbox || !route.sandbox_only, "{title}");
        }
        for words in ["ACC_TOKEN_EXPIRED", "invalid_grant", "access_denied", "The parameter client_id is missing."] {
            assert!(text.contains(words), "{words}");
        }
    }
}
