//! SMART's bulk-data-client, request by request as its source makes them: the rounding of its assertions, its headers, and that it
//! never deletes an export.

use super::exports::{own, with_records};
use crate::kit::caller::Caller;
use crate::kit::signer::{ASSERTION_TYPE, Signer, claims};
use crate::kit::token_reply::TokenReply;
use crate::kit::{BASE, MINUTE, RIVERSIDE, World, fields};
use flate2::read::GzDecoder;
use rules::limits::{EXPORTS_PER_CALLER, FAILURES_PER_ACCOUNT};
use serde_json::{Value, json};
use std::io::Read;

/// What its configuration calls `accessTokenLifetime`.
const LIFETIME: i64 = 300;

/// A world in which Lab Link signs with this key.
async fn world_with(signer: &Signer) -> World {
    let (w, key) = (World::new().await, signer.key());
    w.change("Lab Link", move |client| (client.keys, client.secret) = (vec![key], None)).await;
    w
}

/// Asks for a token with an `exp` that is so many seconds ahead. Half of the time `exp` is rounded up, and `iat` never is.
async fn asks_for_token(w: &World, signer: &Signer, ahead: i64) -> TokenReply {
    let mut said = claims(w, "lab-link");
    said["aud"] = format!("{BASE}/apiToken.action").into();
    let now = said["iat"].as_i64().expect("iat");
    said["exp"] = json!(now + ahead);
    let mut header = signer.header();
    header["typ"] = "JWT".into();
    let form = fields([
        ("scope", "system/*.rs"),
        ("grant_type", "client_credentials"),
        ("client_assertion_type", ASSERTION_TYPE),
        ("client_assertion", &signer.sign(&header, &said)),
    ]);
    TokenReply::of(w.post_form("/apiToken.action", &form).await)
}

/// One run of the client: a token, the CapabilityStatement, the kick-off, the status until it is complete, and each file.
async fn runs(w: &World, signer: &Signer) -> Vec<Value> {
    let access = asks_for_token(w, signer, LIFETIME + 1).await.granted().access;
    let caller = Caller { world: w, access, organisation: Some(RIVERSIDE.to_owned()) };
    assert_eq!(w.get("/fhir/metadata").await.opened().json()["resourceType"], "CapabilityStatement");
    let kick_off = [("accept", "application/fhir+json"), ("prefer", "respond-async, handling=lenient")];
    let begun = caller.get_with("/fhir/Patient/$export", &kick_off).await;
    assert_eq!(begun.status, 202, "{}", begun.text());
    let status = own(begun.header("content-location").expect("content-location"));
    let manifest = loop {
        let reply = caller.get_with(&status, &[("accept", "application/json")]).await;
        match reply.status {
            202 => assert!(reply.header("retry-after").is_some()),
            _ => break reply.opened().json(),
        }
    };
    let mut lines = Vec::new();
    for file in manifest["output"].as_array().expect("output") {
        let headers = [("accept-encoding", "gzip, deflate, br, identity"), ("accept", "*/*")];
        let reply = caller.get_with(&own(file["url"].as_str().expect("a URL")), &headers).await;
        assert_eq!(reply.opened().header("content-type"), Some("application/fhir+ndjson"));
        // It unpacks what it is sent packed.
        assert_eq!(reply.header("content-encoding"), Some("gzip"));
        let mut text = String::new();
        GzDecoder::new(reply.body.as_slice()).read_to_string(&mut text).unwrap();
        let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(found.len(), usize::try_from(file["count"].as_u64().unwrap()).unwrap());
        lines.extend(found);
    }
    lines
}

// gaps: FHIR, where R4 leaves it open > `exp` and `iat` of an assertion
// gaps: FHIR, where R4 leaves it open > `$export`
#[tokio::test]
async fn it_can_run_as_often_as_it_likes_though_it_never_deletes_an_export() {
    let signer = Signer::for_algorithm("ES384");
    let w = world_with(&signer).await;
    with_records(&w).await;
    let first = runs(&w, &signer).await;
    assert!(first.len() > 2, "{first:?}");
    for _ in 0..2 * EXPORTS_PER_CALLER {
        assert_eq!(runs(&w, &signer).await.len(), first.len());
    }
}

/// It may be killed between its kick-off and the manifest.
#[tokio::test]
async fn runs_that_were_killed_stand_in_its_way_for_as_long_as_it_is_told_and_no_longer() {
    let signer = Signer::for_algorithm("ES384");
    let w = world_with(&signer).await;
    let access = asks_for_token(&w, &signer, LIFETIME).await.granted().access;
    let caller = Caller { world: &w, access, organisation: Some(RIVERSIDE.to_owned()) };
    let kick_off = async || caller.get_with("/fhir/Patient/$export", &[("prefer", "respond-async")]).await;
    for _ in 0..EXPORTS_PER_CALLER {
        assert_eq!(kick_off().await.status, 202);
    }
    w.after(MINUTE);
    let refused = kick_off().await;
    refused.says(429, "TOO_MANY_EXPORTS");
    let wait: i64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((2..=10 * MINUTE).contains(&wait), "{wait}");
    w.after(wait - 2);
    kick_off().await.says(429, "TOO_MANY_EXPORTS");
    w.after(2);
    assert_eq!(kick_off().await.status, 202);
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn assertions_of_its_own_that_are_refused_lock_it_out_never() {
    let signer = Signer::for_algorithm("ES384");
    let w = world_with(&signer).await;
    for _ in 0..=2 * FAILURES_PER_ACCOUNT {
        asks_for_token(&w, &signer, 3600).await.refused("invalid_client");
    }
    // Others at its address are not told to wait for its mistakes, either.
    w.client("Post Room").client_credentials().await.granted();
    asks_for_token(&w, &signer, LIFETIME + 1).await.granted();
}
