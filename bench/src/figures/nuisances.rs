//! What a good client is read beside: floods of requests that cost much, are refused, or are never read.

use super::creates::pulse;
use super::record::{self, Record};
use crate::http::flood::{FloodRequest, Listening};
use crate::http::requests;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::ORGANISATION;
use bytes::Bytes;
use rules::limits::{API_BODY_BYTES, BODY_BYTES_PER_CALLER, BUNDLE_ENTRIES};
use serde_json::json;
use std::sync::Arc;

const CONNECTIONS: usize = 200;
/// How many callers ask for what others have, each by a session of their own.
pub(crate) const HAS_CALLERS: usize = 70;
/// Of a body that is validated.
const VALIDATED_BYTES: usize = 41 * 1024;
/// Entries of the transaction in a smoke run.
const FEW_ENTRIES: usize = 100;

/// One flood.
#[derive(Debug)]
pub(crate) struct Nuisance {
    pub(crate) name: &'static str,
    pub(crate) connections: usize,
    pub(crate) requests: Arc<[FloodRequest]>,
    pub(crate) listening: Listening,
}

/// All of them. `clinicians` are the tokens of those who ask for what others have; the rest is one System Client's or a stranger's.
pub(crate) async fn all(
    record: &Record,
    server: &Server,
    clinicians: &[String],
    quick: bool,
) -> Result<Vec<Nuisance>, Trouble> {
    let (host, token) = (server.host(), record::token(server).await?);
    let search = |path: &str| vec![asking(requests::read_for(&host, path, &token, ORGANISATION))];
    let post = |path: &str, body: String| vec![sending(&host, path, &token, body)];
    let open = |path: &str| vec![asking(requests::get(&host, path))];
    let somebody = record.people.first().ok_or("there is nobody in the record")?;
    let has = |token: &String| asking(requests::read(&host, NESTED_HAS, token));
    let entries = if quick { FEW_ENTRIES } else { BUNDLE_ENTRIES };
    let transaction = transaction(&somebody.id, entries);
    // As many as have room for their bodies: the others would be refused before they cost anything.
    let transactions = (BODY_BYTES_PER_CALLER / transaction.len()).clamp(1, CONNECTIONS);
    let flood = |name, connections, requests: Vec<FloodRequest>| Nuisance {
        name,
        connections,
        requests: requests.into(),
        listening: Listening::AtOnce,
    };
    let iterated = ["_revinclude:iterate=*"; 45].join("&");
    Ok(vec![
        flood("refused_search", CONNECTIONS, search(REFUSED_SEARCH)),
        flood("validate", CONNECTIONS, post("/fhir/Observation/$validate", of_length(VALIDATED_BYTES))),
        flood("transaction", transactions, post("/fhir", transaction)),
        flood("openapi", CONNECTIONS, open("/openapi.json")),
        flood("docs", CONNECTIONS, open("/docs")),
        flood("nested_has", HAS_CALLERS, clinicians.iter().map(has).collect()),
        flood("revinclude_iterate", CONNECTIONS, search(&format!("/fhir/Patient?_id={}&{iterated}", somebody.id))),
        flood("refused_bodies", CONNECTIONS, post("/fhir/Observation", refused_body(API_BODY_BYTES - 1024))),
        Nuisance { listening: Listening::Never, ..flood("never_read", CONNECTIONS, open("/openapi.json")) },
    ])
}

/// Many Observations have this code, and none of an index is sorted by both.
const REFUSED_SEARCH: &str = "/fhir/Observation?code=http://loinc.org%7C29463-7&value-quantity=gt100&_sort=-date";

/// Patients with Observations of Encounters with Observations, and so on, and at the end what none has: less than 150 characters that
/// take all the time that a search may have.
const NESTED_HAS: &str = "/fhir/Patient?_has:Observation:patient:encounter._has:Observation:encounter:encounter.\
     _has:Observation:encounter:value-quantity=gt100000";

fn asking(head: Vec<u8>) -> FloodRequest {
    FloodRequest { head, body: Bytes::new() }
}

fn sending(host: &str, path: &str, token: &str, body: String) -> FloodRequest {
    let head = requests::create_head(host, path, token, ORGANISATION, body.len());
    FloodRequest { head, body: body.into() }
}

/// An Observation of about so many bytes.
fn of_length(bytes: usize) -> String {
    let code = |number: usize| json!({ "system": "http://loinc.org", "code": format!("c-{number:04}") });
    let count = bytes / (code(0).to_string().len() + 1);
    let codes: Vec<_> = (0..count).map(code).collect();
    json!({ "resourceType": "Observation", "status": "final", "code": { "coding": codes } }).to_string()
}

fn transaction(patient: &str, entries: usize) -> String {
    let entry = format!(r#"{{"resource":{},"request":{{"method":"POST","url":"Observation"}}}}"#, pulse(patient));
    format!(r#"{{"resourceType":"Bundle","type":"transaction","entry":[{}]}}"#, vec![entry; entries].join(","))
}

/// A body of about so many bytes that is JSON, and no resource.
fn refused_body(bytes: usize) -> String {
    let (begins, ends) = (r#"{"resourceType":"Observation","extension":[1"#, "]}");
    [begins, &",1".repeat((bytes - begins.len() - ends.len()) / 2), ends].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_json_of_the_length_that_is_meant() {
        for (body, length) in [(of_length(VALIDATED_BYTES), VALIDATED_BYTES), (refused_body(10_000), 10_000)] {
            assert!(body.len().abs_diff(length) < 200, "{}", body.len());
            assert!(serde_json::from_str::<serde_json::Value>(&body).is_ok());
        }
        let bundle: serde_json::Value = serde_json::from_str(&transaction("p", 3)).unwrap();
        assert_eq!(bundle["entry"].as_array().unwrap().len(), 3);
    }
}
