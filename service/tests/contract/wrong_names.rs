//! Operations, parameters, types and addresses that there are not: each refusal says what there is, and what may have been meant.

use crate::kit::caller::Caller;
use crate::kit::{BASE, World, request};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

/// What the first issue says.
fn words(outcome: &Value) -> &str {
    outcome["issue"][0]["diagnostics"].as_str().expect("diagnostics")
}

async fn asked(caller: &Caller<'_>, method: Method, path: &str) -> Value {
    let body = json!({ "resourceType": "Parameters" }).to_string();
    let reply = match method {
        Method::GET => caller.get(path).await,
        _ => caller.send(method, path, &[("content-type", "application/fhir+json")], body).await,
    };
    reply.says(404, "NOT_FOUND");
    reply.json()
}

// gaps: FHIR, where R4 leaves it open > What is not served
#[tokio::test]
async fn an_operation_that_is_not_served_is_404_alike_wherever_and_however_it_is_asked_for() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for path in
        ["/fhir/$graphql", "/fhir/Patient/$graphql", "/fhir/Patient/amina/$graphql", "/fhir/Observation/x/$graphql"]
    {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
            let told = asked(&amina, method.clone(), path).await;
            let told = words(&told);
            assert!(told.starts_with("operation $graphql is not served; these are: "), "{method} {path}: {told}");
            assert!(told.contains("$everything, $export,") && told.contains("$validate"), "{told}");
        }
    }
    let told = asked(&amina, Method::GET, "/fhir/Patient/amina/$everythin").await;
    assert!(words(&told).ends_with("; did you mean $everything?"), "{told}");
    let told = asked(&amina, Method::POST, "/fhir/Patient/$valdiate").await;
    assert!(words(&told).ends_with("; did you mean $validate?"), "{told}");
}

#[tokio::test]
async fn an_operation_that_is_served_elsewhere_says_where_and_one_that_is_served_is_405_to_other_methods() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let told = asked(&amina, Method::GET, "/fhir/Observation/x/$everything").await;
    let expected =
        "operation $everything is not served here; it is at /fhir/Patient/$everything, /fhir/Patient/{id}/$everything";
    assert_eq!(words(&told), expected);
    amina.get("/fhir/Patient/$match").await.says(405, "METHOD_NOT_ALLOWED");
    amina.get("/fhir/Patient/amina/$everything").await.opened();
}

#[tokio::test]
async fn a_misspelt_type_or_parameter_is_asked_back() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for (path, status, meant) in [
        ("/fhir/Pateint", 404, "Patient"),
        ("/fhir/patient/amina", 404, "Patient"),
        ("/fhir/Patient/amina/Observatoin", 404, "Observation"),
        ("/fhir/Patient?birthDate=2000", 400, "birthdate"),
        ("/fhir/Patient?_cuont=2", 400, "_count"),
        ("/fhir/Observation?subject:Patient.famliy=x", 400, "family"),
        ("/fhir/Observation?_sort=-dtae", 400, "date"),
        ("/fhir/Observation?_include=Observation:subjetc", 400, "subject"),
        ("/fhir?_type=Patient,Observaton", 400, "Observation"),
    ] {
        let reply = amina.get(path).await;
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        let told = reply.json();
        assert!(words(&told).contains(&format!("did you mean {meant}?")), "{path}: {told}");
    }
    let told = amina.get("/fhir/Patient?shoe-size=44").await.json();
    assert!(!words(&told).contains("did you mean"), "{told}");
}

// gaps: FHIR, where R4 leaves it open > Faults of a search
#[tokio::test]
async fn each_parameter_that_is_wrong_is_an_issue_with_its_name_as_expression() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let reply = amina.get("/fhir/Patient?birthdate=soon&name:not=x&gender=male&_id=amina&colour=red").await;
    reply.says(400, "BAD_REQUEST");
    let told = reply.json();
    let places: Vec<&Value> = told["issue"].as_array().unwrap().iter().map(|issue| &issue["expression"]).collect();
    assert_eq!(places, [&json!(["http.birthdate"]), &json!(["http.name:not"]), &json!(["http.colour"])], "{told}");
    for (path, place) in [
        ("/fhir/Patient?_count=many", "http._count"),
        ("/fhir/Patient?_sort=shoe", "http._sort"),
        ("/fhir?_type=Shoe", "http._type"),
        ("/fhir?_type=Patient,Observation&gender=male", "http.gender"),
    ] {
        let told = amina.get(path).await.json();
        assert_eq!(told["issue"][0]["expression"], json!([place]), "{path}: {told}");
        assert_eq!(told["issue"][0]["location"], json!([place]), "R4's element for what is of HTTP");
    }
}

/// Whoever has the address wrong is mostly one part of it away.
// gaps: The two APIs > Wrong address
#[tokio::test]
async fn a_program_that_asks_for_json_at_a_wrong_address_hears_in_json_where_the_apis_are() {
    let w = World::new().await;
    let sent = async |method: Method, path: &str, accept: &str| {
        w.send(request(method, path).header("accept", accept).body(Body::empty()).unwrap()).await
    };
    for accept in ["application/fhir+json", "application/fhir+json, application/json;q=0.9, */*;q=0.1"] {
        for path in ["/Patient", "/Patient/amina", "/metadata", "/baseR4/Patient"] {
            let reply = sent(Method::GET, path, accept).await;
            reply.says(404, "NOT_FOUND");
            assert!(words(&reply.json()).contains(&format!("the FHIR API is at {BASE}/fhir,")), "{}", reply.text());
        }
    }
    let reply = sent(Method::GET, "/Patient?name=x", "application/json").await;
    reply.says_in_rest(404, "there is nothing at this path; the FHIR API is at");
    for path in ["/token", "/oauth2/token", "/oauth/access_token"] {
        let reply = sent(Method::POST, path, "application/json").await;
        assert_eq!(reply.status, 404);
        assert_eq!(reply.json()["error"], "invalid_request");
        let told = reply.json()["error_description"].as_str().unwrap().to_owned();
        assert!(told.contains(&format!("the token endpoint is {BASE}/apiToken.action")), "{told}");
    }
    let reply = sent(Method::GET, "/users/self", "application/json").await;
    reply.says_in_rest(404, "there is nothing at this path");
    assert!(reply.text().contains(&format!("the custom REST API is at {BASE}/json")), "{}", reply.text());
    for accept in
        ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", "text/html, application/json", "application/json;q=0"]
    {
        sent(Method::GET, "/Patient", accept).await.error_page(404);
    }
}
