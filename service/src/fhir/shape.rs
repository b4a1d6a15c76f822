//! How much of each resource a search gives: all of it, without its narrative, or some of its elements.

use fhir::search::controls::{Controls, Summary};
use fhir::structure::{Element, structure};
use rules::answers::Refusal;
use serde_json::{Value, json};
use std::borrow::Cow;
use store::resource::Resource;

/// What is given of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape<'c> {
    Whole,
    WithoutText,
    /// These elements, and what every resource of the type must have.
    Elements(&'c [String]),
}

/// Refuses what is asked for and not given.
pub(super) fn served(controls: &Controls) -> Result<(), Refusal> {
    match controls.summary {
        Some(Summary::True) => {
            Err(Refusal::Invalid("_summary=true is not served; _elements names the elements that are wanted".into()))
        }
        Some(Summary::Text) => {
            Err(Refusal::Invalid("_summary=text is not served; _elements=text gives the narrative".into()))
        }
        _ => Ok(()),
    }
}

pub(super) fn of(controls: &Controls) -> Shape<'_> {
    match controls.summary {
        Some(Summary::Data) => Shape::WithoutText,
        _ if controls.elements.is_empty() => Shape::Whole,
        _ => Shape::Elements(&controls.elements),
    }
}

impl Shape<'_> {
    /// The text of a resource in this shape. One that is not whole is marked, so that nobody takes it for the resource.
    pub(super) fn cut<'r>(self, resource: &'r Resource) -> Cow<'r, str> {
        let Ok(Value::Object(mut members)) = (match self {
            Self::Whole => return Cow::Borrowed(&resource.body),
            _ => serde_json::from_str(&resource.body),
        }) else {
            return Cow::Borrowed(&resource.body);
        };
        let type_name = resource.resource_type.name();
        members.retain(|name, _| match self {
            Self::Whole => true,
            Self::WithoutText => name != "text",
            Self::Elements(wanted) => {
                let bare = name.strip_prefix('_').unwrap_or(name);
                let element = structure(type_name).and_then(|of| of.member(bare)).map(|(_, element, _)| element);
                matches!(bare, "resourceType" | "id" | "meta")
                    || element.is_some_and(|element| element.is_required)
                    || wanted.iter().any(|wanted| is_wanted(wanted, type_name, bare, element))
            }
        });
        let tag = json!({ "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "code": "SUBSETTED" });
        let meta = members.entry("meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            match meta.get_mut("tag").and_then(Value::as_array_mut) {
                Some(tags) => tags.push(tag),
                None => drop(meta.insert("tag".into(), json!([tag]))),
            }
        }
        Cow::Owned(Value::Object(members).to_string())
    }
}

/// Whether a member is the element that is wanted, by its name, also behind its type's. A choice is wanted without its type.
fn is_wanted(wanted: &str, type_name: &str, member: &str, element: Option<&Element>) -> bool {
    let wanted = wanted.strip_prefix(type_name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(wanted);
    let wanted = wanted.strip_suffix("[x]").unwrap_or(wanted);
    wanted == member || element.is_some_and(|element| element.name == wanted)
}
