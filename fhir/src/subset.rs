//! How much of a resource is given: all of it, its summary, its narrative, all but that, or some of its elements.

use crate::json::{Node, print, read};
use crate::structure::{Element, structure};
use crate::types::ResourceType;
use std::borrow::Cow;

/// How much of each resource `_summary` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    True,
    Text,
    Data,
    /// Of a search, the number alone.
    Count,
    False,
}

impl Summary {
    /// What `_summary` can be, as a refusal lists it.
    pub const WORDS: &'static str = "true, text, data, count, false";

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Some(match word {
            "true" => Self::True,
            "text" => Self::Text,
            "data" => Self::Data,
            "count" => Self::Count,
            "false" => Self::False,
            _ => return None,
        })
    }
}

/// What is given of a resource. What every resource of its type must have, and what changes the meaning of the rest, is
/// always there: without it, somebody would read something else than was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subset<'c> {
    Whole,
    /// What HL7 has in summaries.
    Summary,
    Narrative,
    WithoutNarrative,
    /// These elements.
    Elements(&'c [String]),
}

impl<'c> Subset<'c> {
    /// What `_summary` and `_elements` ask for together; the summary goes first.
    #[must_use]
    pub const fn of(summary: Option<Summary>, elements: &'c [String]) -> Self {
        match summary {
            Some(Summary::True) => Self::Summary,
            Some(Summary::Text) => Self::Narrative,
            Some(Summary::Data) => Self::WithoutNarrative,
            Some(Summary::Count | Summary::False) | None if elements.is_empty() => Self::Whole,
            Some(Summary::Count | Summary::False) | None => Self::Elements(elements),
        }
    }

    /// The text of a resource as far as it is given. One that is not whole is marked, so that nobody takes it for the resource.
    #[must_use]
    pub fn cut(self, resource_type: ResourceType, body: &str) -> Cow<'_, str> {
        if self == Self::Whole {
            return Cow::Borrowed(body);
        }
        let Some(mut resource) = read(body) else { return Cow::Borrowed(body) };
        self.retain(&mut resource, resource_type.name(), resource_type.name());
        mark(&mut resource);
        Cow::Owned(print(&resource))
    }

    /// Leaves what is given of a structure: of a resource, or of a part of one that is in its summary.
    fn retain(self, node: &mut Node<'_>, name: &str, type_name: &str) {
        let (Node::Object(members), Some(of)) = (node, structure(name)) else { return };
        members.retain(|(member, _)| {
            let bare = member.strip_prefix('_').unwrap_or(member);
            let element = of.member(bare).map(|(_, element, _)| element);
            let is_kept = name == type_name && matches!(bare, "resourceType" | "id" | "meta");
            is_kept
                || element.is_some_and(|element| element.is_required || element.is_modifier)
                || self.gives(bare, element, type_name)
        });
        if self != Self::Summary {
            return;
        }
        for (member, value) in members {
            let part = of.member(member).map(|(_, _, kind)| kind.name).filter(|part| part.contains('.'));
            match (part, value) {
                (Some(part), Node::Array(items)) => {
                    items.iter_mut().for_each(|item| self.retain(item, part, type_name));
                }
                (Some(part), value) => self.retain(value, part, type_name),
                (None, _) => {}
            }
        }
    }

    fn gives(self, member: &str, element: Option<&Element>, type_name: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::Summary => element.is_some_and(|element| element.is_summary),
            Self::Narrative => member == "text",
            Self::WithoutNarrative => member != "text",
            Self::Elements(wanted) => wanted.iter().any(|wanted| is_wanted(wanted, type_name, member, element)),
        }
    }
}

/// Whether a member is the element that is wanted, by its name, also behind its type's. A choice is wanted without its type.
fn is_wanted(wanted: &str, type_name: &str, member: &str, element: Option<&Element>) -> bool {
    let wanted = wanted.strip_prefix(type_name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(wanted);
    let wanted = wanted.strip_suffix("[x]").unwrap_or(wanted);
    wanted == member || element.is_some_and(|element| element.name == wanted)
}

fn mark(resource: &mut Node<'_>) {
    let text = |text: &'static str| Node::Text(Cow::Borrowed(text));
    let tag = Node::Object(vec![
        ("system".into(), text("http://terminology.hl7.org/CodeSystem/v3-ObservationValue")),
        ("code".into(), text("SUBSETTED")),
    ]);
    if resource.get("meta").is_none() {
        resource.set("meta", Node::Object(Vec::new()));
    }
    let Some(meta) = resource.get_mut("meta") else { return };
    match meta.get_mut("tag") {
        Some(Node::Array(tags)) => tags.push(tag),
        _ => meta.set("tag", Node::Array(vec![tag])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const BODY: &str = r#"{"resourceType":"Observation","id":"o","meta":{"versionId":"1"},"text":{"status":"generated"},
        "modifierExtension":[{"url":"urn:x","valueString":"not this one"}],"status":"final","category":[{"text":"c"}],
        "code":{"text":"Weight"},"valueQuantity":{"value":70.50},"note":[{"text":"n"}],"component":[{
        "code":{"text":"k"},"interpretation":[{"text":"high"}],"valueInteger":1}]}"#;

    fn given(summary: Option<Summary>, elements: &[&str]) -> (Vec<String>, Value) {
        let elements: Vec<String> = elements.iter().map(|name| (*name).to_owned()).collect();
        let body = BODY.replace("\n        ", "");
        let text = Subset::of(summary, &elements).cut(ResourceType::Observation, &body).into_owned();
        let value: Value = serde_json::from_str(&text).unwrap();
        (value.as_object().unwrap().keys().cloned().collect(), value)
    }

    const ALWAYS: [&str; 6] = ["resourceType", "id", "meta", "modifierExtension", "status", "code"];

    fn beside(more: &[&str]) -> Vec<String> {
        let all = ["resourceType", "id", "meta", "text", "modifierExtension", "status", "category", "code"];
        let all = all.iter().chain(&["valueQuantity", "note", "component"]);
        all.filter(|name| ALWAYS.contains(name) || more.contains(name)).map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_summary_has_what_hl7_has_in_it_also_inside_of_parts() {
        let (members, value) = given(Some(Summary::True), &[]);
        assert_eq!(members, beside(&["valueQuantity", "component"]));
        let part = json!([{ "code": { "text": "k" }, "valueInteger": 1 }]);
        assert_eq!(value["component"], part, "the interpretation of a part is in no summary");
        let marked =
            json!([{ "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "code": "SUBSETTED" }]);
        assert_eq!(value["meta"], json!({ "versionId": "1", "tag": marked }));
    }

    #[test]
    fn what_must_be_there_and_what_changes_the_meaning_is_in_every_subset() {
        assert_eq!(given(Some(Summary::Text), &[]).0, beside(&["text"]));
        let data = given(Some(Summary::Data), &[]).0;
        assert_eq!(data, beside(&["category", "valueQuantity", "note", "component"]));
        assert_eq!(given(None, &["note"]).0, beside(&["note"]));
        assert_eq!(given(Some(Summary::False), &["Observation.value[x]"]).0, beside(&["valueQuantity"]));
        assert_eq!(given(None, &["nothing"]).0, beside(&[]));
    }

    #[test]
    fn numbers_stay_as_they_were_written_and_the_whole_is_untouched() {
        let elements = ["value".to_owned()];
        let cut = Subset::Elements(&elements).cut(ResourceType::Observation, r#"{"valueQuantity":{"value":70.50}}"#);
        assert!(cut.contains("70.50"), "{cut}");
        assert_eq!(Subset::of(None, &[]).cut(ResourceType::Observation, "whatever"), "whatever");
    }
}
