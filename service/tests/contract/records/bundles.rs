//! Bundles of requests, as tests send them, and what their answers say.

use crate::kit::caller::Caller;
use crate::kit::records::observation;
use serde_json::{Value, json};

pub(super) const SYSTEM: &str = "urn:lab";

pub(super) fn result(patient: &str, number: &str) -> Value {
    let mut result = observation(patient);
    result["identifier"] = json!([{ "system": SYSTEM, "value": number }]);
    result
}

pub(super) fn numbered(number: &str) -> String {
    format!("Observation?identifier={SYSTEM}|{number}")
}

pub(super) fn bundle(kind: &str, entries: &[Value]) -> Value {
    match entries {
        [] => json!({ "resourceType": "Bundle", "type": kind }),
        entries => json!({ "resourceType": "Bundle", "type": kind, "entry": entries }),
    }
}

pub(super) fn asks(method: &str, url: &str) -> Value {
    json!({ "request": { "method": method, "url": url } })
}

pub(super) fn sends(method: &str, url: &str, resource: &Value) -> Value {
    json!({ "resource": resource, "request": { "method": method, "url": url } })
}

pub(super) fn with(mut entry: Value, member: &str, value: &str) -> Value {
    match member {
        "fullUrl" => entry["fullUrl"] = json!(value),
        member => entry["request"][member] = json!(value),
    }
    entry
}

pub(super) fn statuses(answer: &Value) -> Vec<u16> {
    let entries = answer["entry"].as_array().cloned().unwrap_or_default();
    let status = |entry: &Value| entry["response"]["status"].as_str().unwrap()[..3].parse().unwrap();
    entries.iter().map(status).collect()
}

impl Caller<'_> {
    pub(super) async fn exchanges(&self, kind: &str, entries: &[Value]) -> Value {
        let reply = self.post("/fhir", &bundle(kind, entries)).await;
        let answer = reply.opened().json();
        assert_eq!((&answer["resourceType"], &answer["type"]), (&json!("Bundle"), &json!(format!("{kind}-response"))));
        assert_eq!(statuses(&answer).len(), entries.len());
        answer
    }

    /// How many test results it sees.
    pub(super) async fn results(&self) -> usize {
        self.get("/fhir/Observation").await.found().len()
    }

    /// The element that a transaction is refused for, and why. Nothing of it is stored.
    pub(super) async fn is_refused(&self, entries: &[Value], status: u16) -> (String, String) {
        let before = self.results().await;
        let reply = self.post("/fhir", &bundle("transaction", entries)).await;
        assert_eq!(reply.status, status, "{}", reply.text());
        let issue = reply.json()["issue"][0].clone();
        assert_eq!(self.results().await, before, "nothing is stored");
        let told = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (told(&issue["expression"][0]), told(&issue["diagnostics"]))
    }
}
