//! A line of the ledger as a FHIR AuditEvent.

use super::when;
use rules::guidance::parts::is_question;
use rules::noted::{Inquiry, Outcome};
use serde_json::{Value, json};
use store::ledger::{Deed, Event, NamedLine, Topic};

const SYSTEM: &str = "urn:recordgate:ledger-event";
const EVENT_TYPES: &str = "http://terminology.hl7.org/CodeSystem/audit-event-type";
const INTERACTIONS: &str = "http://hl7.org/fhir/restful-interaction";
const DICOM: &str = "http://dicom.nema.org/resources/ontology/DCM";

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
    // Where an operator acted, the user and the client are whom it was about.
    let is_theirs = line.operator.is_none();
    agent(line.user.as_ref(), line.username.as_ref(), is_theirs);
    agent(line.product.as_ref(), line.client.as_ref(), is_theirs && line.user.is_none());
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
    let inquiry = match line.event {
        Event::Asked | Event::Refused => line.detail.as_deref().and_then(Inquiry::read),
        _ => None,
    };
    if let Some(Inquiry { of, parameters, .. }) = inquiry {
        details.push(json!({ "type": "type", "valueString": of }));
        let names = parameters.split('&').filter(|name| !name.is_empty());
        details.extend(names.map(|name| json!({ "type": "parameter", "valueString": name })));
    }
    let deed = match inquiry {
        Some(Inquiry { outcome: Outcome::WriteRefused, .. }) => Deed::Update,
        _ => line.event.deed(),
    };
    let entity = match &line.patient {
        Some(patient) => json!({ "what": { "reference": format!("Patient/{patient}") }, "detail": details }),
        None => json!({ "detail": details }),
    };
    let (general, particular) = codes(line.event, deed);
    let mut entities = vec![entity];
    // What stands behind a type's name with a slash is an id, and its version.
    let resource = line.detail.as_deref().filter(|detail| detail.contains('/') && !is_question(detail));
    // Behind the name of what was relabelled are its labels.
    let resource =
        resource.and_then(|name| if line.event == Event::Relabelled { name.split(' ').next() } else { Some(name) });
    if line.event.topic() == Topic::Record {
        entities.extend(resource.map(|reference| json!({ "what": { "reference": reference } })));
    }
    json!({
        "resourceType": "AuditEvent",
        "id": line.number.to_string(),
        "type": general,
        "subtype": particular,
        "action": action(deed),
        "recorded": when::rfc3339(line.at),
        "outcome": outcome(line.event),
        "agent": agents,
        "source": { "observer": { "display": "Recordgate" } },
        "entity": entities,
    })
}

/// FHIR's number: of success, or of a failure that harms nothing, which a refusal is.
const fn outcome(event: Event) -> &'static str {
    if matches!(event, Event::Refused) { "4" } else { "0" }
}

/// FHIR's letter: create, read, update, delete or execute.
const fn action(deed: Deed) -> &'static str {
    match deed {
        Deed::Create => "C",
        Deed::Read => "R",
        Deed::Update => "U",
        Deed::Delete => "D",
        Deed::Execute => "E",
    }
}

/// What FHIR's and DICOM's tables call it, from the general to the particular; last by our own word.
fn codes(event: Event, deed: Deed) -> (Value, Vec<Value>) {
    let coding =
        |system: &str, code: &str, display: &str| json!({ "system": system, "code": code, "display": display });
    let dicom = |code: &str, display: &str| coding(DICOM, code, display);
    let (general, particular) = match event.topic() {
        Topic::Record => {
            let interaction = if event == Event::Asked { Some("search") } else { interaction(deed) };
            let interaction = interaction.map(|code| json!({ "system": INTERACTIONS, "code": code }));
            (coding(EVENT_TYPES, "rest", "RESTful Operation"), interaction)
        }
        Topic::Access => (dicom("110114", "User Authentication"), None),
        Topic::Role => (dicom("110113", "Security Alert"), Some(dicom("110136", "Security Roles Changed"))),
        Topic::Account => {
            (dicom("110113", "Security Alert"), Some(dicom("110137", "User Security Attributes Changed")))
        }
        Topic::Setup => (dicom("110113", "Security Alert"), Some(dicom("110129", "Security Configuration"))),
        Topic::Copy => (dicom("110106", "Export"), None),
    };
    let own = json!({ "system": SYSTEM, "code": event.word() });
    (general, particular.into_iter().chain([own]).collect())
}

/// The interaction of FHIR's REST API that a deed is.
const fn interaction(deed: Deed) -> Option<&'static str> {
    match deed {
        Deed::Create => Some("create"),
        Deed::Read => Some("read"),
        Deed::Update => Some("update"),
        Deed::Delete => Some("delete"),
        Deed::Execute => None,
    }
}

#[cfg(test)]
#[path = "audit_event_tests.rs"]
mod tests;
