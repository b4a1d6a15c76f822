//! The patient compartment: whose record a resource belongs to, by HL7's CompartmentDefinition, nothing added.

use crate::reference;
use crate::resource::Resource;
use crate::types::{self, ResourceType};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A type to a line, then the paths of the elements that name its patients.
const TABLE: &str = include_str!("../definitions/patient-compartment.txt");

static PATHS: LazyLock<BTreeMap<ResourceType, Vec<&'static str>>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((types::named(words.next()?)?, words.collect()))
    });
    rows.collect()
});

/// The ids of the patients in whose compartments the resource is, each once, in the order of the table's paths.
pub(crate) fn patients(resource: &Resource<'_>, id: &str, base: &str) -> Vec<String> {
    if resource.resource_type == ResourceType::Patient {
        return vec![id.into()];
    }
    let mut patients = Vec::new();
    for path in PATHS.get(&resource.resource_type).into_iter().flatten() {
        let (member, deeper) = path.split_once('.').map_or((*path, None), |(member, deeper)| (member, Some(deeper)));
        if let Some(value) = resource.member(member) {
            collect(&value, deeper, base, &mut patients);
        }
    }
    patients
}

/// Follows what is left of a path, through every item of every array on its way.
fn collect(value: &Value, path: Option<&str>, base: &str, patients: &mut Vec<String>) {
    if let Value::Array(items) = value {
        return items.iter().for_each(|item| collect(item, path, base, patients));
    }
    let Some(path) = path else {
        let reference = value.get("reference").and_then(Value::as_str).unwrap_or_default();
        if let Some(id) = reference::id_in(reference, ResourceType::Patient, base)
            && !patients.iter().any(|known| known == id)
        {
            patients.push(id.into());
        }
        return;
    };
    let (member, deeper) = path.split_once('.').map_or((path, None), |(member, deeper)| (member, Some(deeper)));
    if let Some(value) = value.get(member) {
        collect(value, deeper, base, patients);
    }
}

#[cfg(test)]
#[path = "compartment_tests.rs"]
mod tests;
