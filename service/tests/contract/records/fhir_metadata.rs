//! `GET /fhir/metadata`: open, and true.

use crate::kit::{BASE, World};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

async fn statement(w: &World) -> Value {
    w.send(Request::get("/fhir/metadata").body(Body::empty()).unwrap()).await.opened().json()
}

#[tokio::test]
async fn it_is_open_and_names_the_oauth_endpoints() {
    let w = World::new().await;
    let statement = statement(&w).await;
    assert_eq!(statement["resourceType"], "CapabilityStatement");
    assert_eq!(statement["fhirVersion"], "4.0.1");
    let oauth = &statement["rest"][0]["security"]["extension"][0];
    assert_eq!(oauth["url"], "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris");
    assert_eq!(
        oauth["extension"],
        json!([
            { "url": "authorize", "valueUri": format!("{BASE}/apiAuthorize.action") },
            { "url": "token", "valueUri": format!("{BASE}/apiToken.action") },
            { "url": "revoke", "valueUri": format!("{BASE}/apiRevoke.action") },
            { "url": "introspect", "valueUri": format!("{BASE}/apiIntrospect.action") },
            { "url": "manage", "valueUri": format!("{BASE}/connected-apps") },
        ])
    );
    assert_eq!(statement["rest"][0]["security"]["cors"], true, "tests/contract/cors.rs tries it");
    let smart = w.get("/fhir/.well-known/smart-configuration").await.json();
    for (uri, endpoint) in oauth["extension"].as_array().unwrap().iter().zip(
        ["authorization", "token", "revocation", "introspection", "management"].map(|name| format!("{name}_endpoint")),
    ) {
        assert_eq!(uri["valueUri"], smart[&endpoint], "both say the same");
    }
}

#[tokio::test]
async fn each_search_parameter_it_names_is_one_that_a_search_knows() {
    let w = World::new().await;
    let statement = statement(&w).await;
    let resources = statement["rest"][0]["resource"].as_array().unwrap();
    assert!(resources.len() > 140);
    let clinician = w.dr_okafor().caller().await;
    for name in ["Patient", "Observation", "Location", "Measure"] {
        let resource = resources.iter().find(|resource| resource["type"] == name).unwrap();
        let parameters = resource["searchParam"].as_array().unwrap();
        assert!(parameters.len() > 10, "{name}");
        for parameter in parameters {
            let path = format!("/fhir/{name}?{}:missing=true", parameter["name"].as_str().unwrap());
            assert_eq!(clinician.get(&path).await.status, 200, "{path}");
        }
    }
    let document = resources.iter().find(|resource| resource["type"] == "DocumentReference").unwrap();
    assert_eq!(document["operation"][0]["name"], "read-receipt-query");
}

fn of_type<'s>(statement: &'s Value, name: &str) -> &'s Value {
    let resources = statement["rest"][0]["resource"].as_array().unwrap();
    resources.iter().find(|resource| resource["type"] == name).unwrap()
}

#[tokio::test]
async fn what_refers_to_a_type_is_claimed_and_comes_along() {
    let w = World::new().await;
    let statement = statement(&w).await;
    let clinician = w.dr_okafor().caller().await;
    for (name, one) in [("Patient", "Observation:subject"), ("Encounter", "Condition:encounter")] {
        let claimed = of_type(&statement, name)["searchRevInclude"].as_array().unwrap();
        assert!(claimed.contains(&json!("*")) && claimed.contains(&json!(one)), "{claimed:?}");
        for claim in claimed {
            let path = format!("/fhir/{name}?_revinclude={}", claim.as_str().unwrap());
            assert_eq!(clinician.get(&path).await.status, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn conditional_reads_are_claimed_and_answered() {
    let w = World::new().await;
    let statement = statement(&w).await;
    let system = w.system().await;
    let made = system.makes(&json!({ "resourceType": "Binary", "contentType": "text/plain", "data": "aGk=" })).await;
    for (name, path) in [("Patient", "/fhir/Patient/amina"), ("Binary", &made)] {
        assert_eq!(of_type(&statement, name)["conditionalRead"], "full-support", "{name}");
        let read = system.get_with(path, &[("accept", "application/fhir+json")]).await;
        let (tag, since) = (read.header("etag").unwrap(), read.header("last-modified").unwrap());
        for condition in [("if-none-match", tag), ("if-modified-since", since)] {
            let again = system.get_with(path, &[("accept", "application/fhir+json"), condition]).await;
            assert_eq!(again.status, 304, "{path} {condition:?}");
        }
    }
}

#[tokio::test]
async fn each_format_of_a_patch_that_it_names_is_read() {
    let w = World::new().await;
    let formats = statement(&w).await["patchFormat"].clone();
    assert_eq!(formats.as_array().unwrap().len(), 3);
    let system = w.system().await;
    for format in formats.as_array().unwrap() {
        let reply = system.patch("/fhir/Patient/amina", format.as_str().unwrap(), &json!("no patch")).await;
        assert_eq!(reply.status, 400, "{format}: {}", reply.text());
    }
    let reply = system.patch("/fhir/Patient/amina", "application/xml-patch+xml", &json!("no patch")).await;
    reply.says(415, "UNSUPPORTED_MEDIA_TYPE");
}

#[tokio::test]
async fn each_parameter_of_a_search_over_all_types_is_known_there() {
    let w = World::new().await;
    let statement = statement(&w).await;
    let claimed: Vec<&str> = statement["rest"][0]["searchParam"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert!(claimed.contains(&"_id") && claimed.contains(&"_lastUpdated"), "{claimed:?}");
    let amina = w.amina().caller().await;
    for name in claimed {
        let query = if name == "_type" {
            "_type=Patient".to_owned()
        } else {
            format!("_type=Patient,Binary&{name}:missing=false")
        };
        assert_eq!(amina.get(&format!("/fhir?{query}")).await.status, 200, "{query}");
    }
}

#[tokio::test]
async fn each_parameter_of_hl7s_has_the_definition_that_hl7_gives_it() {
    let w = World::new().await;
    let statement = statement(&w).await;
    let definition = |of: &str, code: &str| {
        let all = of_type(&statement, of)["searchParam"].as_array().unwrap();
        all.iter().find(|parameter| parameter["name"] == code).unwrap()["definition"].clone()
    };
    for (of, code, name) in [
        ("Patient", "birthdate", "individual-birthdate"),
        ("Patient", "identifier", "Patient-identifier"),
        ("Observation", "patient", "clinical-patient"),
        ("Observation", "_lastUpdated", "Resource-lastUpdated"),
    ] {
        assert_eq!(definition(of, code), format!("http://hl7.org/fhir/SearchParameter/{name}"));
    }
}

// gaps: The two APIs > `X-Org-Public-Id`
#[tokio::test]
async fn it_tells_system_clients_of_the_header_that_they_need() {
    let w = World::new().await;
    let told = statement(&w).await["rest"][0]["security"]["description"].as_str().unwrap().to_owned();
    assert!(told.contains("X-Org-Public-Id"), "{told}");
}

// gaps: Records and reach > Subscription
#[tokio::test]
async fn a_subscription_is_refused_in_words_and_not_claimed() {
    let w = World::new().await;
    let subscription = json!({ "resourceType": "Subscription", "status": "requested", "reason": "x",
        "criteria": "Observation?code=x", "channel": { "type": "rest-hook" } });
    let claimed = statement(&w).await;
    let codes: Vec<&Value> =
        of_type(&claimed, "Subscription")["interaction"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    for storing in ["create", "update", "patch"] {
        assert!(!codes.contains(&&json!(storing)), "{codes:?}");
    }
    assert_eq!(of_type(&claimed, "Subscription")["conditionalCreate"], false);
    for caller in [w.system().await, w.amina().caller().await] {
        let words = caller.post("/fhir/Subscription", &subscription).await.words(422, "UNPROCESSABLE");
        assert!(words.contains("sends no notifications"), "{words}");
    }
    let system = w.system().await;
    let path = "/fhir/Subscription/0190a6b0-5c4e-7d55-8b0a-3f6f3d1c2b4a";
    let mut chosen = subscription.clone();
    chosen["id"] = path.rsplit('/').next().unwrap().into();
    system.put(path, &chosen).await.says(422, "UNPROCESSABLE");
    let told = system.post("/fhir/Subscription/$validate?mode=create", &subscription).await.opened().json();
    assert!(told.to_string().contains("sends no notifications"), "{told}");
}

// gaps: Discovery > Documentation
#[tokio::test]
async fn it_may_be_kept_and_what_one_caller_is_told_is_kept_for_that_caller_alone() {
    let w = World::new().await;
    let open = w.get("/fhir/metadata").await;
    let system = w.system().await;
    let known = system.get("/fhir/metadata").await;
    assert_eq!(open.header("cache-control"), Some("public, max-age=300"));
    assert_eq!(known.header("cache-control"), Some("private, no-cache"));
    for reply in [&open, &known] {
        assert_eq!(reply.header("vary"), Some("accept-encoding, authorization"));
    }
    let tag = known.header("etag").unwrap();
    assert_eq!(system.get_with("/fhir/metadata", &[("if-none-match", tag)]).await.status, 304);
}
