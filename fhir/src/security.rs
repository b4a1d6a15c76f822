//! The security labels and tags of a resource, as its sender wrote them. What they mean is for others to say.

use crate::fault::Fault;
use crate::resource::Resource;
use serde_json::Value;

/// One of `meta.security` or `meta.tag`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coding {
    pub system: Option<String>,
    pub code: Option<String>,
}

/// All of `meta.security`. A label that cannot be read is a fault: passing over it could open what it closes.
pub(crate) fn labels(resource: &Resource<'_>) -> Result<Vec<Coding>, Fault> {
    let meta = resource.member("meta").unwrap_or_default();
    let read = match meta.get("security") {
        None => Some(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(coding).collect(),
        Some(_) => None,
    };
    read.ok_or_else(|| {
        let type_name = resource.resource_type.name();
        Fault::BreaksRule(format!(
            "{type_name}.meta.security must be an array of codings: objects with system and code"
        ))
    })
}

/// What can be read of `meta.tag`. Nothing of ours depends on the rest.
pub(crate) fn tags(resource: &Resource<'_>) -> Vec<Coding> {
    let meta = resource.member("meta").unwrap_or_default();
    meta.get("tag").and_then(Value::as_array).into_iter().flatten().filter_map(coding).collect()
}

fn coding(item: &Value) -> Option<Coding> {
    let item = item.as_object()?;
    let text = |member| match item.get(member) {
        None => Some(None),
        Some(value) => value.as_str().map(|text| Some(text.to_owned())),
    };
    Some(Coding { system: text("system")?, code: text("code")? })
}
