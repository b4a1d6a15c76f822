use super::{Judgement, judge};
use crate::json::read;
use crate::structure::Claim;
use serde_json::{Value, json};

const HOME: &str = "http://hl7.org/fhir/StructureDefinition/";

fn judged(resource: &Value, profile: &str) -> Judgement {
    let text = resource.to_string();
    let node = read(&text).unwrap();
    let asked = match Claim::read(&format!("{HOME}{profile}"), resource["resourceType"].as_str().unwrap()) {
        Claim::Profile(profile) => Some(profile),
        Claim::Base | Claim::Unknown => None,
    };
    judge(&node, asked, 100)
}

/// The elements that are wrong, with the code of each.
fn wrong(resource: &Value, profile: &str) -> Vec<(String, &'static str)> {
    let errors = judged(resource, profile).errors;
    for error in &errors {
        assert!(profile.is_empty() || error.text.contains(&format!("(profile {profile})")), "{}", error.text);
    }
    errors.into_iter().map(|issue| (issue.expression, issue.code.name())).collect()
}

/// The resource with another value at a JSON pointer; null takes the member away.
fn with(resource: &Value, pointer: &str, value: Value) -> Value {
    let mut changed = resource.clone();
    let (holder, name) = pointer.rsplit_once('/').unwrap();
    let holder = changed.pointer_mut(holder).unwrap();
    match (holder, value) {
        (Value::Object(members), Value::Null) => drop(members.remove(name)),
        (Value::Object(members), value) => drop(members.insert(name.into(), value)),
        (Value::Array(items), Value::Null) => drop(items.remove(name.parse().unwrap())),
        (Value::Array(items), value) => items[name.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer}"),
    }
    changed
}

fn weight() -> Value {
    json!({
        "resourceType": "Observation", "status": "final",
        "category": [{ "coding": [
            { "system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "vital-signs" }] }],
        "code": { "coding": [
            { "system": "http://loinc.org", "code": "29463-7" }, { "system": "urn:own", "code": "weight" }] },
        "subject": { "reference": "Patient/amina" },
        "effectiveDateTime": "2024-03-01",
        "valueQuantity": { "value": 71.5, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg" },
    })
}

fn pressure() -> Value {
    let component = |code: &str| {
        json!({
            "code": { "coding": [{ "system": "http://snomed.info/sct", "code": "1" },
                                 { "system": "http://loinc.org", "code": code }] },
            "valueQuantity": { "value": 80, "unit": "mmHg", "system": "http://unitsofmeasure.org", "code": "mm[Hg]" },
        })
    };
    let mut pressure = weight();
    pressure["code"]["coding"][0]["code"] = json!("85354-9");
    pressure["component"] = json!([component("8480-6"), component("8462-4")]);
    with(&pressure, "/valueQuantity", Value::Null)
}

#[test]
fn a_weight_keeps_to_its_profile_and_whatever_is_changed_breaks_it_there() {
    assert_eq!(wrong(&weight(), "bodyweight"), []);
    assert_eq!(wrong(&weight(), "vitalsigns"), []);
    let none = wrong(&with(&weight(), "/category", Value::Null), "bodyweight");
    assert_eq!(none, vec![("Observation.category".to_owned(), "required"); 2], "neither one, nor that of vital signs");
    for (pointer, value, element, code) in [
        ("/category/0/coding/0/code", json!("laboratory"), "Observation.category", "required"),
        ("/category/0/coding/0/system", json!(null), "Observation.category", "required"),
        ("/code/coding/0", json!(null), "Observation.code.coding", "required"),
        (
            "/code/coding/1",
            json!({ "system": "http://loinc.org", "code": "29463-7" }),
            "Observation.code.coding",
            "structure",
        ),
        ("/subject", json!(null), "Observation.subject", "required"),
        ("/subject", json!({ "reference": "Group/1" }), "Observation.subject", "value"),
        ("/subject", json!({ "type": "Device", "display": "a scale" }), "Observation.subject", "value"),
        ("/effectiveDateTime", json!(null), "Observation.effective", "required"),
        ("/effectiveDateTime", json!("2024-03"), "Observation.effective", "invariant"),
        ("/valueQuantity/unit", json!(null), "Observation.value.unit", "required"),
        ("/valueQuantity/code", json!("st"), "Observation.value.code", "code-invalid"),
        ("/valueQuantity/system", json!("urn:own"), "Observation.value.system", "value"),
        ("/valueQuantity", json!(null), "Observation", "invariant"),
    ] {
        let found = wrong(&with(&weight(), pointer, value.clone()), "bodyweight");
        assert_eq!(found, [(element.to_owned(), code)], "{pointer} {value}");
    }
    let mut instant = with(&weight(), "/effectiveDateTime", Value::Null);
    instant["effectiveInstant"] = json!("2024-03-01T10:00:00Z");
    assert_eq!(wrong(&instant, "bodyweight"), [("Observation.effective".to_owned(), "value")]);
    let mut text = with(&weight(), "/valueQuantity", Value::Null);
    text["valueString"] = json!("heavy");
    assert_eq!(wrong(&text, "bodyweight"), [("Observation.value".to_owned(), "value")]);
    assert_eq!(wrong(&text, "vitalsigns"), []);
}

#[test]
fn a_category_is_that_of_vital_signs_in_all_of_its_codings() {
    let mut both = weight();
    both["category"][0]["coding"].as_array_mut().unwrap().push(json!({ "system": "urn:own", "code": "x" }));
    let found = wrong(&both, "vitalsigns");
    let at = |member: &str| (format!("Observation.category[0].coding[1].{member}"), "value");
    assert_eq!(found, [at("system"), at("code")]);
    let mut apart = weight();
    let other = json!({ "coding": [{ "system": "urn:own", "code": "x" }] });
    apart["category"].as_array_mut().unwrap().push(other);
    assert_eq!(wrong(&apart, "vitalsigns"), [], "another category is in no slice");
    apart["category"][1] = apart["category"][0].clone();
    assert_eq!(wrong(&apart, "vitalsigns"), [("Observation.category".to_owned(), "structure")], "once");
}

#[test]
fn a_blood_pressure_has_both_of_its_components_by_their_codes() {
    assert_eq!(wrong(&pressure(), "bp"), []);
    for (pointer, value, elements) in [
        ("/component/1/code/coding/1/code", json!("8480-6"), vec!["Observation.component", "Observation.component"]),
        ("/component/1/code/coding/1/system", json!("urn:own"), vec!["Observation.component"]),
        ("/component/1", json!(null), vec!["Observation.component", "Observation.component"]),
        (
            "/component/0/valueQuantity/code",
            json!("kPa"),
            vec!["Observation.component[0].value", "Observation.component[0].value.code"],
        ),
        ("/component/0/valueQuantity/value", json!(null), vec!["Observation.component[0].value.value"]),
        ("/component/0/valueQuantity", json!(null), vec!["Observation.component[0]"]),
        ("/valueQuantity", json!({ "value": 1, "unit": "1" }), vec!["Observation.value"]),
    ] {
        let found = wrong(&with(&pressure(), pointer, value), "bp");
        assert_eq!(found.iter().map(|(element, _)| element.as_str()).collect::<Vec<_>>(), elements, "{pointer}");
    }
    let told = judged(&with(&pressure(), "/component/1/code/coding/1/system", json!("urn:own")), "bp").errors;
    let words =
        "must be there as DiastolicBP, with code.coding.system \"http://loinc.org\" and code.coding.code \"8462-4\"";
    assert!(told[0].text.starts_with(words), "{}", told[0].text);
}

#[test]
fn extensions_patterns_and_fixed_values_are_held_to() {
    let mut catalogue =
        json!({ "resourceType": "Composition", "type": { "text": "Catalog" }, "category": [{ "text": "x" }] });
    assert_eq!(wrong(&catalogue, "catalog"), [("Composition.extension".to_owned(), "required")]);
    catalogue["extension"] = json!([{ "url": format!("{HOME}cqm-ValidityPeriod") }]);
    assert_eq!(wrong(&catalogue, "catalog"), []);
    catalogue["type"]["coding"] = json!([{ "code": "x" }]);
    assert_eq!(wrong(&catalogue, "catalog"), [("Composition.type".to_owned(), "value")], "fixed is all there is");
    let author = json!({ "coding": [{ "code": "AUT", "display": "more than the pattern",
        "system": "http://terminology.hl7.org/CodeSystem/v3-ParticipationType" }] });
    let agent = json!({ "type": author, "who": { "reference": "Practitioner/1" } });
    let mut history =
        json!({ "resourceType": "Provenance", "occurredDateTime": "2024", "activity": {}, "agent": [agent] });
    assert_eq!(wrong(&history, "provenance-relevant-history"), []);
    history["agent"] = json!([history["agent"][0], history["agent"][0]]);
    assert_eq!(wrong(&history, "provenance-relevant-history"), [("Provenance.agent".to_owned(), "structure")]);
    let group = json!({ "resourceType": "Group", "actual": true, "characteristic": [{}] });
    assert_eq!(wrong(&group, "actualgroup"), [("Group.characteristic".to_owned(), "structure")]);
    assert_eq!(wrong(&group, "groupdefinition"), [("Group.actual".to_owned(), "value")]);
}

#[test]
fn claims_are_judged_wherever_the_resource_is_and_what_is_not_known_is_told() {
    let claims = |resource: &Value, profile: &str| {
        let mut claims = resource.clone();
        claims["meta"]["profile"] = json!([profile, profile]);
        claims
    };
    let good = claims(&weight(), &format!("{HOME}bodyweight|4.0.1"));
    assert_eq!(wrong(&good, ""), []);
    let bad = with(&good, "/subject", Value::Null);
    assert_eq!(wrong(&bad, "bodyweight"), [("Observation.subject".to_owned(), "required")], "told once");
    let bundle = json!({ "resourceType": "Bundle", "entry": [{ "resource": good }, { "resource": bad }] });
    assert_eq!(wrong(&bundle, ""), [("Bundle.entry[1].resource.subject".to_owned(), "required")]);
    let other = claims(&json!({ "resourceType": "Patient" }), &format!("{HOME}bp"));
    assert_eq!(wrong(&other, ""), [("Patient.meta.profile".to_owned(), "value")]);
    let unknown = judged(&claims(&weight(), "https://profiles.example/weight"), "");
    assert!(unknown.errors.is_empty() && unknown.unseen.len() == 1, "{unknown:?}");
    assert_eq!(unknown.unseen[0].expression, "Observation.meta.profile");
    let lipids = json!({ "resourceType": "DiagnosticReport", "result": [{}, {}, {}], "code": { "coding": [{
        "system": "http://loinc.org", "code": "57698-3", "display": "Lipid panel with direct LDL - Serum or Plasma" }] } });
    let unseen = judged(&lipids, "lipidprofile");
    assert!(unseen.errors.is_empty(), "{unseen:?}");
    assert_eq!(unseen.unseen[0].expression, "DiagnosticReport.result", "what references lead to is told as not seen");
}

#[test]
fn a_reference_to_what_is_contained_is_held_to_its_type() {
    let mut contains = weight();
    contains["contained"] = json!([{ "resourceType": "Group", "id": "g" }, { "resourceType": "Patient", "id": "p" }]);
    contains["subject"] = json!({ "reference": "#p" });
    assert_eq!(wrong(&contains, "vitalsigns"), []);
    contains["subject"] = json!({ "reference": "#g" });
    assert_eq!(wrong(&contains, "vitalsigns"), [("Observation.subject".to_owned(), "value")]);
}
