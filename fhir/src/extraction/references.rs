//! References: to a resource of ours however it is spelt, to what is elsewhere, to what is contained, by identifier.

use crate::extraction::index_value::{IndexValue, Target};
use crate::extraction::walk::{items, text};
use crate::parameters::branch::Branch;
use crate::parameters::value_type::ValueType;
use crate::reference::is_id;
use crate::types::{self, ResourceType};
use serde_json::Value;

/// What a parameter of references finds in a value of a resource.
pub(crate) fn references<'a>(
    branch: &Branch,
    targets: &[ResourceType],
    value: &'a Value,
    resource: &Value,
    base: &str,
    found: &mut Vec<IndexValue<'a>>,
) {
    match branch.value_type {
        ValueType::Reference => {
            let place = text(value, "reference").map(|reference| target(reference, base));
            if let Some(wanted) = branch.target
                && kind(value, place.map(|(target, _)| target), resource) != Some(wanted)
            {
                return;
            }
            found.extend(place.map(|(target, version)| IndexValue::Reference { target, version }));
            let identifier = value.get("identifier");
            found.extend(identifier.and_then(|identifier| {
                Some(IndexValue::Identifier { system: text(identifier, "system"), value: text(identifier, "value")? })
            }));
        }
        ValueType::Resource => {
            let named = text(value, "resourceType").and_then(types::named).filter(|name| targets.contains(name));
            if let (Some(resource_type), Some(id)) = (named, text(value, "id")) {
                found.push(IndexValue::Reference { target: Target::Local(resource_type, id), version: None });
            }
        }
        _ => {
            let (target, version) = match value.as_str() {
                None | Some("") => return,
                Some(url) => canonical(url, base),
            };
            found.push(IndexValue::Reference { target, version });
        }
    }
}

/// Reads `Type/id`, `Type/id/_history/version`, either under our own base too, `#id`, or any other URL.
#[must_use]
pub(crate) fn target<'a>(reference: &'a str, base: &str) -> (Target<'a>, Option<&'a str>) {
    if let Some(id) = reference.strip_prefix('#') {
        return (Target::Contained(id), None);
    }
    local(reference, base).unwrap_or((Target::Url(reference), None))
}

fn local<'a>(reference: &'a str, base: &str) -> Option<(Target<'a>, Option<&'a str>)> {
    let relative = reference.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')).unwrap_or(reference);
    let (type_name, rest) = relative.split_once('/')?;
    let (id, version) = rest.split_once("/_history/").map_or((rest, None), |(id, version)| (id, Some(version)));
    let known = types::named(type_name)?;
    (is_id(id) && version.is_none_or(is_id)).then_some((Target::Local(known, id), version))
}

/// A canonical is a URL with perhaps a version behind a bar.
pub(crate) fn canonical<'a>(url: &'a str, base: &str) -> (Target<'a>, Option<&'a str>) {
    match url.split_once('|') {
        Some((url, version)) => (target(url, base).0, Some(version)),
        None => target(url, base),
    }
}

/// The type of what is referred to, as far as that can be known from here.
fn kind(reference: &Value, target: Option<Target<'_>>, resource: &Value) -> Option<ResourceType> {
    let known = match target {
        None => None,
        Some(Target::Local(resource_type, _)) => Some(resource_type),
        Some(Target::Contained(id)) => {
            let contained = items(resource, "contained").iter().find(|contained| text(contained, "id") == Some(id));
            contained.and_then(|contained| types::named(text(contained, "resourceType")?))
        }
        Some(Target::Url(url)) => {
            let url = url.split_once("/_history/").map_or(url, |(url, _)| url);
            let mut parts = url.rsplit('/');
            parts.next().filter(|id| is_id(id)).and_then(|_| types::named(parts.next()?))
        }
    };
    known.or_else(|| types::named(text(reference, "type")?))
}
