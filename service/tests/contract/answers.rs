//! What every answer has, whatever it answers: its voice, its media type, and what it asks of the bearer.

use crate::kit::caller::REST_PATH;
use crate::kit::records::letter;
use crate::kit::token_reply::TokenReply;
use crate::kit::{HILLSIDE, World, request};
use axum::body::Body;
use axum::http::Method;
use rules::limits::HEADER_BLOCK_BYTES;
use serde_json::json;
use service::routes::routes;

/// A refusal of what a token may do says so to the client, with the scope where one would do (RFC 6750 3.1).
// gaps: The two APIs > Wrong user type or client kind
#[tokio::test]
async fn a_403_says_that_the_scope_is_not_sufficient_and_which_would_be() {
    let w = World::embedded().await;
    let document = "/fhir/DocumentReference";
    let receipts = json!({ "resourceType": "Parameters" });
    let system = w.system().await;
    let ungranted = w.calls_fhir_for(HILLSIDE, &system.access).await;
    for (reply, scope) in [
        (w.grace().caller().await.post(document, &letter("amina")).await, Some("CLINICIAN")),
        (w.amina().caller().await.post(&format!("{document}/$read-receipt-query"), &receipts).await, Some("CLINICIAN")),
        (system.get(REST_PATH).await, None),
        (ungranted, None),
    ] {
        assert_eq!(reply.status, 403, "{}", reply.text());
        let scope = scope.map_or_else(String::new, |scope| format!(r#", scope="{scope}""#));
        let expected = format!(r#"Bearer error="insufficient_scope"{scope}, resource_metadata="#);
        let challenge = reply.header("www-authenticate").unwrap_or_default();
        assert!(challenge.starts_with(&expected), "{challenge}");
    }
}

#[tokio::test]
async fn no_browser_may_guess_what_an_answer_is() {
    let w = World::embedded().await;
    let send = async |method: &str, path: &str, more: usize| {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        w.send(request(method, path).header("x-more", "x".repeat(more)).body(Body::empty()).unwrap()).await
    };
    let mut paths: Vec<String> = routes()
        .iter()
        .map(|route| {
            route
                .path
                .replace("{id}", "amina")
                .replace("{name}", "recordgate.css")
                .replace("{version}", "1")
                .replace("{type}", "Observation")
        })
        .collect();
    paths.extend(["/nowhere", "/assets/none", "/json", "/fhir/", "/apiToken.action/"].map(String::from));
    for path in &paths {
        for method in ["GET", "HEAD", "POST", "PUT", "OPTIONS"] {
            let reply = send(method, path, 0).await;
            assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{method} {path}: {}", reply.status);
        }
        let reply = send("GET", path, HEADER_BLOCK_BYTES).await;
        assert_eq!((reply.status, reply.header("x-content-type-options")), (431, Some("nosniff")), "{path}");
    }
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused_in_the_voice_of_its_path() {
    let w = World::embedded().await;
    let send = async |path: &str| {
        let long = request(Method::GET, path).header("x-more", "x".repeat(HEADER_BLOCK_BYTES));
        w.send(long.body(Body::empty()).unwrap()).await
    };
    send("/fhir/Patient/amina").await.says(431, "TOO_LARGE");
    send("/json/users/self").await.says_in_rest(431, "the first line and the headers may be at most 32768 bytes long");
    TokenReply::of(send("/apiToken.action").await).refused_as(431, "invalid_request");
    send("/sign-in").await.error_page(431);
}

#[tokio::test]
async fn fhir_answers_say_that_they_are_utf_8() {
    let w = World::embedded().await;
    let amina = w.amina().caller().await;
    for path in ["/fhir/metadata", "/fhir/Patient/amina", "/fhir/Patient", "/fhir/Patient/none", "/fhir/nowhere"] {
        let reply = amina.get(path).await;
        assert_eq!(reply.header("content-type"), Some("application/fhir+json; charset=UTF-8"), "{path}");
    }
}

/// Every answer below the token endpoint has its voice and its three headers.
// contract: 2. Token endpoint > Content-Type
#[tokio::test]
async fn every_answer_under_the_token_endpoint_is_the_token_endpoints() {
    let w = World::embedded().await;
    for (method, path, status) in [
        (Method::GET, "/apiToken.action", 405),
        (Method::PUT, "/apiToken.action", 405),
        (Method::GET, "/apiToken.action?grant_type=x", 405),
        (Method::POST, "/apiToken.action/", 404),
        (Method::GET, "/apiToken.action/", 404),
        (Method::POST, "/apiToken.action/x/y", 404),
        (Method::POST, "/apiToken.action?grant_type=x", 400),
        (Method::POST, "/apiToken.action", 400),
        (Method::GET, "/apiPar.action", 405),
        (Method::POST, "/apiPar.action/x", 404),
        (Method::GET, "/apiRevoke.action", 405),
        (Method::POST, "/apiRevoke.action/", 404),
        (Method::GET, "/apiIntrospect.action", 405),
        (Method::POST, "/apiIntrospect.action/x", 404),
    ] {
        let reply = w.send(request(method.clone(), path).body(Body::empty()).unwrap()).await;
        assert_eq!(reply.header("allow"), (status == 405).then_some("POST"), "{method} {path}");
        TokenReply::of(reply).refused_as(status, "invalid_request");
    }
}

#[tokio::test]
async fn every_answer_under_json_is_json() {
    let w = World::embedded().await;
    for path in ["/json", "/json/", "/json/x", "/json/v1", "/json/v1/", "/json/v2/users", "/json/attachments/%FF"] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            let reply = w.send(request(method.clone(), path).body(Body::empty()).unwrap()).await;
            assert_eq!(reply.header("content-type"), Some("application/json;charset=UTF-8"), "{method} {path}");
            assert!(reply.json()["errorMessage"].is_string(), "{method} {path}: {}", reply.text());
        }
    }
    let refused = w.send(request(Method::PUT, "/json/users/self").body(Body::empty()).unwrap()).await;
    refused.says_in_rest(405, "PUT is not offered here; GET, HEAD are");
}

#[tokio::test]
async fn a_parameter_that_is_refused_is_named() {
    let w = World::embedded().await;
    let amina = w.amina().caller().await;
    for (query, named) in [
        ("nme=Amina", "Patient has no search parameter \"nme\""),
        ("identifier=%FF", "the parameter identifier is not UTF-8"),
        ("%22%0a=x", "??: Patient has no search parameter"),
    ] {
        let words = amina.get(&format!("/fhir/Patient?{query}")).await.words(400, "BAD_REQUEST");
        assert!(words.contains(named), "{query}: {words}");
    }
    let words = amina.get("/fhir/Patient/amina?_count=1").await.words(400, "BAD_REQUEST");
    assert!(words.contains("the parameter _count is not known"), "{words}");
}
