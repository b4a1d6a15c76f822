//! For whom a resource is meant, besides what its label says: drafts, private messages, who takes part in a conversation, and for
//! how many days its patient shall wait for it.

use crate::consent::DEFAULT_SYSTEMS;
use crate::issue::{Issue, IssueCode};
use crate::reference::id_in;
use crate::types::ResourceType;
use serde_json::Value;

/// What the extensions are called behind the beginning of our systems.
pub const PRIVATE: &str = "private";
pub const HIDDEN_DAYS: &str = "hidden-days";
pub const CONVERSATION: &str = "conversation-id";
/// Those who can take part in a conversation.
const PARTIES: [ResourceType; 4] =
    [ResourceType::Patient, ResourceType::Practitioner, ResourceType::RelatedPerson, ResourceType::Organization];

/// For whom a resource is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    /// A Communication in `preparation`, a CarePlan that is a `draft`: its author alone sees it.
    pub is_draft: bool,
    /// A message that nobody but its participants and the patient sees.
    pub is_private: bool,
    /// Days for which it is kept from patient and carers.
    pub hidden_days: Option<i64>,
    /// Sender and recipients of a message that are resources of this server: type and id, each once.
    pub participants: Vec<(ResourceType, String)>,
    /// The conversation that a message says it is of.
    pub conversation: Option<String>,
}

/// Reads it, and says what cannot be read, which counts as the narrower meaning. `base` is our FHIR base URL, `systems` what the names
/// of our extensions begin with: one of them is as good as another.
#[must_use]
pub fn of(of: ResourceType, resource: &Value, base: &str, systems: &[&str]) -> (Audience, Vec<Issue>) {
    let is_message = of == ResourceType::Communication;
    let mut issues = Vec::new();
    let mut audience = Audience {
        is_draft: match of {
            ResourceType::Communication => status(resource) == Some("preparation"),
            ResourceType::CarePlan => status(resource) == Some("draft"),
            _ => false,
        },
        participants: if is_message { participants(resource, base) } else { Vec::new() },
        ..Audience::default()
    };
    let (mut private, mut days) = (None, None);
    let extensions = resource.get("extension").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (at, extension) in extensions.iter().enumerate() {
        let url = extension.get("url").and_then(Value::as_str).unwrap_or_default();
        let name = systems.iter().find_map(|systems| url.strip_prefix(systems));
        let fault = match name {
            Some(PRIVATE) if !is_message => Some("is for a Communication only"),
            Some(PRIVATE) if private.is_some() => Some("is there twice"),
            Some(PRIVATE) => {
                let said = extension.get("valueBoolean").and_then(Value::as_bool);
                private = said.or(Some(true));
                said.is_none().then_some("must have a valueBoolean")
            }
            Some(CONVERSATION) if is_message => {
                audience.conversation = extension.get("valueString").and_then(Value::as_str).map(String::from);
                None
            }
            Some(HIDDEN_DAYS) if days.is_some() => Some("is there twice"),
            Some(HIDDEN_DAYS) => {
                days = extension.get("valueInteger").and_then(Value::as_i64);
                days.is_none().then_some("must have a valueInteger")
            }
            _ => None,
        };
        if let Some(fault) = fault {
            let expression = format!("{}.extension[{at}]", of.name());
            issues.push(Issue::rule(IssueCode::Value, expression, format!("{url} {fault}")));
        }
    }
    (audience.is_private, audience.hidden_days) = (private == Some(true), days);
    (audience, issues)
}

/// Whether a text of a resource of this type says that it is a draft.
#[must_use]
pub fn is_draft(type_of: ResourceType, text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|resource: Value| of(type_of, &resource, "", &[]).0.is_draft)
}

/// Whether two texts of a resource say the same but for what `meta` says.
#[must_use]
pub fn differ_in_meta_alone(one: &str, other: &str) -> bool {
    let without_meta = |text: &str| {
        let mut resource: Value = serde_json::from_str(text).ok()?;
        resource.as_object_mut()?.remove("meta");
        Some(resource)
    };
    without_meta(one).is_some_and(|one| without_meta(other) == Some(one))
}

/// For how many days a stored text asks to be kept from its patient.
#[must_use]
pub fn hidden_days(text: &str) -> Option<i64> {
    let resource: Value = serde_json::from_str(text).ok()?;
    let extensions = resource.get("extension")?.as_array()?;
    let url =
        |extension: &&Value| extension.get("url").and_then(Value::as_str).is_some_and(|url| is_named(url, HIDDEN_DAYS));
    extensions.iter().find(url)?.get("valueInteger")?.as_i64()
}

fn is_named(url: &str, name: &str) -> bool {
    url.strip_prefix(DEFAULT_SYSTEMS) == Some(name)
}

fn status(resource: &Value) -> Option<&str> {
    resource.get("status").and_then(Value::as_str)
}

fn participants(message: &Value, base: &str) -> Vec<(ResourceType, String)> {
    let recipients = message.get("recipient").and_then(Value::as_array).into_iter().flatten();
    let mut found: Vec<(ResourceType, String)> = Vec::new();
    for party in message.get("sender").into_iter().chain(recipients) {
        let Some(reference) = party.get("reference").and_then(Value::as_str) else { continue };
        let named = PARTIES.iter().find_map(|of| id_in(reference, *of, base).map(|id| (*of, id.to_owned())));
        if let Some(named) = named.filter(|named| !found.contains(named)) {
            found.push(named);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const BASE: &str = "https://records.example/fhir";
    const SYSTEMS: [&str; 2] = ["urn:recordgate:", "https://codes.example/"];

    fn read(type_of: ResourceType, resource: &Value) -> Audience {
        let (audience, issues) = of(type_of, resource, BASE, &SYSTEMS);
        assert!(issues.is_empty(), "{issues:?}");
        audience
    }

    #[test]
    fn a_message_in_preparation_and_a_plan_that_is_a_draft_are_their_authors() {
        for (of, status, is_draft) in [
            (ResourceType::Communication, "preparation", true),
            (ResourceType::Communication, "completed", false),
            (ResourceType::CarePlan, "draft", true),
            (ResourceType::CarePlan, "active", false),
            (ResourceType::Questionnaire, "draft", false),
        ] {
            assert_eq!(read(of, &json!({ "status": status })).is_draft, is_draft, "{} {status}", of.name());
        }
    }

    #[test]
    fn the_participants_of_a_message_are_its_sender_and_its_recipients_here_each_once() {
        let message = json!({ "sender": { "reference": "Practitioner/grey" }, "recipient": [
            { "reference": "Patient/amina" }, { "reference": "https://records.example/fhir/Organization/clinic" },
            { "reference": "Patient/amina" }, { "reference": "https://elsewhere.example/Patient/x" },
            { "display": "nobody" }, { "reference": "Device/1" } ] });
        let expected = [
            (ResourceType::Practitioner, "grey".to_owned()),
            (ResourceType::Patient, "amina".to_owned()),
            (ResourceType::Organization, "clinic".to_owned()),
        ];
        assert_eq!(read(ResourceType::Communication, &message).participants, expected);
        assert_eq!(read(ResourceType::Observation, &message).participants, []);
    }

    #[test]
    fn what_is_private_or_kept_back_says_so_by_an_extension_of_ours_and_of_the_right_type() {
        assert_eq!(rules::consent::delay::HIDDEN_DAYS_EXTENSION, format!("urn:recordgate:{HIDDEN_DAYS}"));
        let with = |url: &str, name: &str, value: Value| json!({ "extension": [{ "url": url, name: value }] });
        for systems in SYSTEMS {
            let private = with(&format!("{systems}private"), "valueBoolean", json!(true));
            assert!(read(ResourceType::Communication, &private).is_private);
            let hidden = with(&format!("{systems}hidden-days"), "valueInteger", json!(14));
            assert_eq!(read(ResourceType::Observation, &hidden).hidden_days, Some(14));
        }
        let open = with("urn:recordgate:private", "valueBoolean", json!(false));
        assert!(!read(ResourceType::Communication, &open).is_private);
        let foreign = with("urn:other:private", "valueBoolean", json!(true));
        assert!(!read(ResourceType::Communication, &foreign).is_private);
    }

    #[test]
    fn an_extension_that_cannot_be_read_is_refused_because_passing_over_it_would_open_what_it_closes() {
        let twice = json!({ "extension": [{ "url": "urn:recordgate:private", "valueBoolean": true },
            { "url": "urn:recordgate:private", "valueBoolean": false }] });
        let text = json!({ "extension": [{ "url": "urn:recordgate:hidden-days", "valueString": "14" }] });
        for (type_of, resource, at) in [
            (ResourceType::Communication, &twice, "Communication.extension[1]"),
            (ResourceType::Observation, &twice, "Observation.extension[0]"),
            (ResourceType::Observation, &text, "Observation.extension[0]"),
        ] {
            let (_, issues) = of(type_of, resource, BASE, &SYSTEMS);
            assert_eq!(issues[0].expression, at, "{issues:?}");
        }
        let unread = json!({ "extension": [{ "url": "urn:recordgate:private", "valueString": "no" }] });
        let (audience, issues) = of(ResourceType::Communication, &unread, BASE, &SYSTEMS);
        assert!(audience.is_private && issues.len() == 1, "{audience:?} {issues:?}");
    }
}
