//! The patient compartment: whose record a resource belongs to, by HL7's CompartmentDefinition, nothing added; and what else than
//! a literal reference names a patient there.

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

/// Of which types an identifier can be in an element that could name a patient, and name none.
const NO_PATIENTS: [&str; 5] = ["Practitioner", "PractitionerRole", "Organization", "CareTeam", "RelatedPerson"];

/// An element that could put the resource into a patient's record, and names a patient in another way than by a literal reference
/// to one of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlinkedPatient {
    /// The element, as FHIRPath names it.
    pub place: String,
    pub naming: PatientNaming,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatientNaming {
    /// By a URN that nothing of ours has.
    Urn,
    /// As a Patient inside of the resource.
    Contained,
    /// By an identifier alone.
    Logical,
    /// As the Patient of another server.
    Elsewhere,
}

/// The elements that name a patient so, of a resource that is stored as `body`.
pub(crate) fn unlinked(resource_type: ResourceType, body: &Value, base: &str) -> Vec<UnlinkedPatient> {
    let mut found = Vec::new();
    for path in PATHS.get(&resource_type).into_iter().flatten() {
        each(body, path, resource_type.name(), &mut |place, reference| {
            found.extend(naming(reference, body, base).map(|naming| UnlinkedPatient { place: place.into(), naming }));
        });
    }
    found
}

/// Gives every element at a path, with its place.
fn each(value: &Value, path: &str, place: &str, one: &mut impl FnMut(&str, &Value)) {
    let (member, deeper) = path.split_once('.').map_or((path, None), |(member, deeper)| (member, Some(deeper)));
    let mut go_on = |value: &Value, place: &str| match deeper {
        Some(deeper) => each(value, deeper, place, one),
        None => one(place, value),
    };
    match value.get(member) {
        Some(Value::Array(items)) => {
            items.iter().enumerate().for_each(|(at, item)| go_on(item, &format!("{place}.{member}[{at}]")));
        }
        Some(value) => go_on(value, &format!("{place}.{member}")),
        None => {}
    }
}

fn naming(element: &Value, body: &Value, base: &str) -> Option<PatientNaming> {
    let text = |value: &'_ Value, member: &str| value.get(member).and_then(Value::as_str).map(str::to_owned);
    let reference = text(element, "reference").unwrap_or_default();
    if reference.starts_with("urn:") {
        return Some(PatientNaming::Urn);
    }
    if reference::id_in(&reference, ResourceType::Patient, base).is_some() {
        return None;
    }
    let inner = body.get("contained").and_then(Value::as_array).into_iter().flatten();
    let local = reference.strip_prefix('#').map(|id| {
        let mut inner = inner.filter(|inner| text(inner, "id").as_deref() == Some(id));
        inner.next().and_then(|inner| text(inner, "resourceType")).unwrap_or_default()
    });
    let plain = reference.split_once("/_history/").map_or(&*reference, |(plain, _)| plain);
    let far = plain.rsplit('/').nth(1).and_then(types::named).map(|of| of.name().to_owned());
    match (&local, &far) {
        (Some(local), _) if local == "Patient" => return Some(PatientNaming::Contained),
        (None, Some(far)) if far == "Patient" => return Some(PatientNaming::Elsewhere),
        _ => {}
    }
    let of = local.or(far).or_else(|| text(element, "type")).unwrap_or_default();
    let is_named = element.get("identifier").and_then(|identifier| text(identifier, "value")).is_some();
    (is_named && !NO_PATIENTS.contains(&of.as_str())).then_some(PatientNaming::Logical)
}

#[cfg(test)]
#[path = "compartment_tests.rs"]
mod tests;
