//! A line of the ledger as a FHIR AuditEvent.

use super::when;
use serde_json::{Value, json};
use store::ledger::{Event, NamedLine};

const SYSTEM: &str = "urn:recordgate:ledger-event";

/// The AuditEvent that says the same. Its id is the line's number.
#[must_use]
pub fn of(line: &NamedLine) -> Value {
    let mut agents = Vec::new();
    let mut agent = |name: Option<&String>, id: Option<&String>, requestor: bool| {
        let Some(name) = name.or(id) else { return };
        let who = match id {
            Some(id) => json!({ "display": name, "identifier": { "value": id } }),
            None => json!({ "display": name }),
        };
        agents.push(json!({ "who": who, "requestor": requestor }));
    };
    agent(line.user.as_ref(), line.username.as_ref(), true);
    agent(line.product.as_ref(), line.client.as_ref(), line.user.is_none());
    agent(line.team.as_ref(), None, false);
    agent(line.organisation.as_ref(), None, false);
    agent(line.operator.as_ref(), None, true);
    if agents.is_empty() {
        agents.push(json!({ "who": { "display": "Recordgate" }, "requestor": true }));
    }
    let mut details = vec![json!({ "type": "times", "valueString": line.times.to_string() })];
    let named = [("right", line.right.map(|right| right.word().to_owned())), ("detail", line.detail.clone())];
    for (name, value) in named {
        details.extend(value.map(|value| json!({ "type": name, "valueString": value })));
    }
    let entity = match &line.patient {
        Some(patient) => json!({ "what": { "reference": format!("Patient/{patient}") }, "detail": details }),
        None => json!({ "detail": details }),
    };
    json!({
        "resourceType": "AuditEvent",
        "id": line.number.to_string(),
        "type": { "system": "http://terminology.hl7.org/CodeSystem/audit-event-type", "code": "rest" },
        "subtype": [{ "system": SYSTEM, "code": line.event.word() }],
        "action": action(line.event),
        "recorded": when::rfc3339(line.at),
        "outcome": "0",
        "agent": agents,
        "source": { "observer": { "display": "Recordgate" } },
        "entity": [entity],
    })
}

/// FHIR's letter: read, create, update, delete or execute.
const fn action(event: Event) -> &'static str {
    match event {
        Event::Accessed | Event::DocumentRead => "R",
        Event::Granted | Event::OrganisationGranted => "C",
        Event::Revoked | Event::OrganisationWithdrawn | Event::MonthDropped => "D",
        Event::CodeRedeemed | Event::Refreshed | Event::GivenUp | Event::Undone => "E",
    }
}
