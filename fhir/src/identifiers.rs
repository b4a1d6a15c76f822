//! Identifiers: those that a resource has itself, and those that stand beside its references to Patients of ours.

use crate::reference;
use crate::types::ResourceType;
use serde_json::Value;

/// A system and a value in it. One without a value names nothing, and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    pub system: Option<String>,
    pub value: String,
}

impl Identifier {
    fn of(value: &Value) -> Option<Self> {
        let text = |member| value.get(member).and_then(Value::as_str).map(String::from);
        Some(Self { system: text("system"), value: text("value")? })
    }

    /// Whether it can be this one of a Patient: one that says no system is of any.
    #[must_use]
    pub fn is_of(&self, own: &Self) -> bool {
        self.value == own.value && (self.system.is_none() || self.system == own.system)
    }
}

/// A reference to a Patient of ours with an identifier beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentifiedPatient {
    /// The element, as FHIRPath names it.
    pub place: String,
    pub patient: String,
    pub identifier: Identifier,
}

impl IdentifiedPatient {
    /// Whether it stands in a resource inside of the resource.
    #[must_use]
    pub fn is_contained(&self) -> bool {
        self.place.split('.').nth(1).is_some_and(|member| member.starts_with("contained["))
    }
}

/// The identifiers that a resource has itself.
pub(crate) fn own(body: &Value) -> Vec<Identifier> {
    match body.get("identifier") {
        Some(Value::Array(items)) => items.iter().filter_map(Identifier::of).collect(),
        Some(one) => Identifier::of(one).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The same of a resource as text.
#[must_use]
pub fn own_of_text(json: &str) -> Vec<Identifier> {
    serde_json::from_str(json).map(|body| own(&body)).unwrap_or_default()
}

/// The references of a resource to Patients of the server whose FHIR base URL is `base`, where an identifier is beside them.
pub(crate) fn beside_references(body: &Value, base: &str) -> Vec<IdentifiedPatient> {
    let (mut found, mut way) = (Vec::new(), Vec::new());
    let root = body.get("resourceType").and_then(Value::as_str).unwrap_or_default();
    walk(body, (root, base), &mut way, &mut found);
    found
}

/// A member on the way down, or an item of one.
enum PlaceStep<'v> {
    Member(&'v str),
    Item(usize),
}

fn walk<'v>(
    value: &'v Value,
    (root, base): (&str, &str),
    way: &mut Vec<PlaceStep<'v>>,
    found: &mut Vec<IdentifiedPatient>,
) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                way.push(PlaceStep::Item(at));
                walk(item, (root, base), way, found);
                way.pop();
            }
        }
        Value::Object(members) => {
            let reference = members.get("reference").and_then(Value::as_str);
            let patient = reference.and_then(|reference| reference::id_in(reference, ResourceType::Patient, base));
            if let (Some(patient), Some(identifier)) = (patient, members.get("identifier").and_then(Identifier::of)) {
                found.push(IdentifiedPatient { place: place(root, way), patient: patient.into(), identifier });
            }
            for (name, value) in members {
                way.push(PlaceStep::Member(name));
                walk(value, (root, base), way, found);
                way.pop();
            }
        }
        _ => {}
    }
}

fn place(root: &str, way: &[PlaceStep<'_>]) -> String {
    let mut place = root.to_owned();
    for step in way {
        match step {
            PlaceStep::Member(name) => place.extend([".", name]),
            PlaceStep::Item(at) => place.push_str(&format!("[{at}]")),
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const BASE: &str = "https://records.example/fhir";

    #[test]
    fn an_identifier_beside_a_reference_is_found_wherever_it_stands() {
        let beside = |reference: &str, value: &str| json!({ "reference": reference, "identifier": { "value": value } });
        let body = json!({
            "resourceType": "Observation", "identifier": [{ "value": "own" }, { "system": "s" }],
            "subject": beside("Patient/a", "1"), "performer": [beside("Practitioner/b", "2")],
            "focus": [{ "reference": "Patient/c" }, beside("https://records.example/fhir/Patient/d", "3")],
            "contained": [{ "resourceType": "Account", "subject": [beside("Patient/e", "4")] }],
        });
        let found = beside_references(&body, BASE);
        let mut told: Vec<(&str, &str)> = found.iter().map(|one| (one.place.as_str(), one.patient.as_str())).collect();
        told.sort_unstable();
        assert_eq!(
            told,
            [("Observation.contained[0].subject[0]", "e"), ("Observation.focus[1]", "d"), ("Observation.subject", "a")]
        );
        let contained: Vec<&str> =
            found.iter().filter(|one| one.is_contained()).map(|one| one.patient.as_str()).collect();
        assert_eq!(contained, ["e"]);
        assert_eq!(own(&body), [Identifier { system: None, value: "own".into() }]);
    }

    #[test]
    fn an_identifier_without_a_system_is_of_any_and_with_one_of_that_alone() {
        let one =
            |system: Option<&str>, value: &str| Identifier { system: system.map(Into::into), value: value.into() };
        let own = one(Some("nhs"), "1");
        assert!(one(Some("nhs"), "1").is_of(&own) && one(None, "1").is_of(&own));
        assert!(!one(Some("chi"), "1").is_of(&own) && !one(Some("nhs"), "2").is_of(&own));
        assert!(!own.is_of(&one(None, "1")));
    }
}
