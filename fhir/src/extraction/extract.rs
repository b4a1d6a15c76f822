//! All values by which a resource is found.

use crate::extraction::index_value::IndexValue;
use crate::extraction::walk::{items, text, walk};
use crate::extraction::{codes, measures, references, texts, times};
use crate::parameters::branch::Branch;
use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::parameters::value_type::ValueType;
use crate::types::{self, ResourceType};
use serde_json::Value;

/// A value with the parameter that it is of. The same value may come twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    pub parameter: &'static Parameter,
    pub value: IndexValue<'a>,
}

/// A resource inside another, with the values by which a chain finds the other through it.
#[derive(Clone, Debug)]
pub struct Contained<'a> {
    pub resource_type: ResourceType,
    pub id: &'a str,
    pub resource: &'a Value,
    pub entries: Vec<Entry<'a>>,
}

/// The values of every parameter of its type in a resource, in the order of the parameters. `base` is our FHIR base URL
/// without a slash at its end. What only the store knows (`_lastUpdated`, `_source`) is as the resource says.
#[must_use]
pub fn extract<'a>(resource_type: ResourceType, resource: &'a Value, base: &str) -> Vec<Entry<'a>> {
    extract_those(table::of(resource_type).iter(), resource, base)
}

/// The values of those parameters that keep their own.
pub(crate) fn extract_kept<'a>(resource_type: ResourceType, resource: &'a Value, base: &str) -> Vec<Entry<'a>> {
    let kept = table::of(resource_type).iter().filter(|parameter| parameter.keeps_its_own());
    extract_those(kept, resource, base)
}

pub(super) fn extract_those<'a>(
    parameters: impl Iterator<Item = &'static Parameter>,
    resource: &'a Value,
    base: &str,
) -> Vec<Entry<'a>> {
    let (mut entries, mut values) = (Vec::with_capacity(32), Vec::new());
    for parameter in parameters {
        match parameter.kind {
            Kind::Composite => composite(parameter, resource, base, &mut values),
            _ => simple(parameter, resource, resource, base, &mut values),
        }
        entries.extend(values.drain(..).map(|value| Entry { parameter, value }));
    }
    entries
}

/// The values of one parameter in a resource.
#[must_use]
pub fn values<'a>(parameter: &Parameter, resource: &'a Value, base: &str) -> Vec<IndexValue<'a>> {
    let mut values = Vec::new();
    match parameter.kind {
        Kind::Composite => composite(parameter, resource, base, &mut values),
        _ => simple(parameter, resource, resource, base, &mut values),
    }
    values
}

/// The same for each resource that is contained in this one.
#[must_use]
pub fn contained<'a>(resource: &'a Value, base: &str) -> Vec<Contained<'a>> {
    contained_by(resource, |resource_type, inner| extract(resource_type, inner, base))
}

/// The values of those parameters that keep their own, for each resource that is contained in this one.
pub(crate) fn contained_kept<'a>(resource: &'a Value, base: &str) -> Vec<Contained<'a>> {
    contained_by(resource, |resource_type, inner| extract_kept(resource_type, inner, base))
}

pub(super) fn contained_by<'a>(
    resource: &'a Value,
    entries: impl Fn(ResourceType, &'a Value) -> Vec<Entry<'a>>,
) -> Vec<Contained<'a>> {
    let known = |inner: &'a Value| {
        let (resource_type, id) = (types::named(text(inner, "resourceType")?)?, text(inner, "id")?);
        Some(Contained { resource_type, id, resource: inner, entries: entries(resource_type, inner) })
    };
    items(resource, "contained").iter().filter_map(known).collect()
}

/// Whether a value is none of those that composites have a part in.
pub(super) fn is_apart(parameter: &Parameter, value: &IndexValue<'_>, resource: &Value) -> bool {
    let shared = &parameter.shared_keys.shared;
    !shared.is_empty() && !simple_values(parameter, shared, resource).contains(value)
}

/// What a parameter finds by some of its branches; one that is neither a composite nor of references.
fn simple_values<'a>(parameter: &Parameter, branches: &[Branch], resource: &'a Value) -> Vec<IndexValue<'a>> {
    let mut values = Vec::new();
    by_branches(parameter, branches, (resource, resource), "", &mut values);
    values
}

/// What a parameter that is no composite finds from here on.
fn simple<'a>(
    parameter: &Parameter,
    from: &'a Value,
    resource: &'a Value,
    base: &str,
    values: &mut Vec<IndexValue<'a>>,
) {
    if parameter.branches.first().is_some_and(|branch| branch.value_type == ValueType::Holds) {
        return values.push(codes::truth(holds(parameter, from)));
    }
    by_branches(parameter, &parameter.branches, (from, resource), base, values);
}

fn by_branches<'a>(
    parameter: &Parameter,
    branches: &[Branch],
    (from, resource): (&'a Value, &'a Value),
    base: &str,
    values: &mut Vec<IndexValue<'a>>,
) {
    for branch in branches {
        let start = if branch.from_resource { resource } else { from };
        walk(start, &branch.steps, &mut |value| match parameter.kind {
            Kind::Token => codes::tokens(branch, value, values),
            Kind::String => texts::strings(branch.value_type, value, values),
            Kind::Reference => references::references(branch, &parameter.targets, value, resource, base, values),
            Kind::Date => values.extend(times::date(branch.value_type, value)),
            Kind::Number => values.extend(measures::number(value)),
            Kind::Quantity => values.extend(measures::quantity(branch.value_type, value)),
            Kind::Uri => values.extend(value.as_str().filter(|uri| !uri.is_empty()).map(|uri| {
                let canonical = uri.split_once('|').filter(|_| branch.value_type == ValueType::Canonical);
                let (uri, version) = canonical.map_or((uri, None), |(uri, version)| (uri, Some(version)));
                IndexValue::Uri { uri, version }
            })),
            Kind::Composite | Kind::Text => {}
        });
    }
}

/// Whether any of the elements is there and not false.
fn holds(parameter: &Parameter, from: &Value) -> bool {
    let mut holds = false;
    for branch in &parameter.branches {
        walk(from, &branch.steps, &mut |value| holds |= *value != Value::Bool(false));
    }
    holds
}

/// An instance counts where each component has a value in it.
fn composite<'a>(parameter: &Parameter, resource: &'a Value, base: &str, values: &mut Vec<IndexValue<'a>>) {
    for path in &parameter.instances {
        walk(resource, path, &mut |instance| {
            let parts: Vec<Vec<_>> = parameter
                .components
                .iter()
                .map(|component| {
                    let mut part = Vec::new();
                    simple(component, instance, resource, base, &mut part);
                    // Modifiers do not apply inside a composite, so what is for them alone is not kept.
                    part.retain(|value| {
                        !matches!(
                            value,
                            IndexValue::TokenText(_) | IndexValue::TokenOfType { .. } | IndexValue::Identifier { .. }
                        )
                    });
                    part
                })
                .collect();
            if parts.iter().all(|part| !part.is_empty()) {
                values.push(IndexValue::Composite(parts));
            }
        });
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
