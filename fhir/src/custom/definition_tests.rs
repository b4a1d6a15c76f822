use super::*;
use crate::parameters::parameter::{FIRST_OWN, OWN};
use crate::search::evaluation::{Record, evaluate};
use crate::search::reading::{self, OwnParameter};
use serde_json::json;

const BASE: &str = "https://records.example/fhir";

fn eye_colour() -> Value {
    json!({
        "resourceType": "SearchParameter",
        "url": "http://x.example/SearchParameter/eye",
        "name": "eye",
        "status": "active",
        "description": "The colour of the eyes",
        "code": "eye-colour",
        "base": ["Patient"],
        "type": "token",
        "expression": "Patient.extension('http://x.example/eye').value.ofType(CodeableConcept)",
    })
}

/// Its parameters, under one number.
fn own(definition: &Definition, number: u32) -> Vec<OwnParameter> {
    definition.lines().map(|(of, line)| (of, parameter(number, line).unwrap())).collect()
}

fn with(member: &str, value: Value) -> Value {
    let mut resource = eye_colour();
    resource[member] = value;
    resource
}

fn wrong(resource: &Value) -> Vec<(String, String)> {
    read(resource).unwrap_err().into_iter().map(|issue| (issue.expression, issue.text)).collect()
}

#[test]
fn a_definition_becomes_a_parameter_and_the_same_is_the_same() {
    let definition = read(&eye_colour()).unwrap().unwrap();
    assert_eq!(definition.code, "eye-colour");
    let [(base, parameter)] = own(&definition, OWN)[..] else { panic!("one base") };
    assert_eq!((base, parameter.kind), (ResourceType::Patient, Kind::Token));
    assert!(parameter.is_own() && !parameter.is_indexed());
    let again = read(&eye_colour()).unwrap().unwrap();
    assert!(std::ptr::eq(parameter, own(&again, OWN)[0].1), "nothing is kept twice");
    let indexed = own(&again, FIRST_OWN)[0].1;
    assert!(indexed.is_own() && indexed.is_indexed() && indexed.number == FIRST_OWN);
}

#[test]
fn a_search_by_it_means_what_its_expression_finds() {
    let patient = |id: &str, code: &str| {
        json!({ "resourceType": "Patient", "id": id, "extension": [
            { "url": "http://x.example/eye", "valueCodeableConcept": { "coding": [{ "system": "urn:c", "code": code }] } },
            { "url": "http://x.example/other", "valueCodeableConcept": { "coding": [{ "code": "green" }] } },
        ] })
    };
    let resources =
        [patient("blue", "blue"), patient("brown", "brown"), json!({ "resourceType": "Patient", "id": "none" })];
    let records: Vec<Record<'_>> = resources
        .iter()
        .zip(["blue", "brown", "none"])
        .map(|(resource, id)| Record::new(ResourceType::Patient, id, resource, BASE))
        .collect();
    let own = own(&read(&eye_colour()).unwrap().unwrap(), OWN);
    for (name, value, found) in [
        ("eye-colour", "blue", "blue"),
        ("eye-colour", "urn:c|brown,blue", "blue brown"),
        ("eye-colour", "green", ""),
        ("eye-colour:not", "blue", "brown none"),
        ("eye-colour:missing", "true", "none"),
    ] {
        let query = reading::read_with(&own, ResourceType::Patient, [(name, value)], BASE, 0).unwrap();
        let ids: Vec<&str> = evaluate(&query, &records).iter().map(|record| record.id).collect();
        assert_eq!(ids.join(" "), found, "{name}={value}");
    }
    let unknown = reading::read(ResourceType::Patient, [("eye-colour", "blue")], BASE, 0).unwrap_err();
    assert!(unknown[0].words.contains("known are"), "{unknown:?}");
    let chained = reading::read_with(&own, ResourceType::Patient, [("eye-colour.name", "x")], BASE, 0).unwrap_err();
    assert!(chained[0].words.contains("nothing can be chained"), "{chained:?}");
}

#[test]
fn what_is_not_active_and_what_hl7_defines_of_what_is_served_defines_nothing() {
    assert_eq!(read(&with("status", json!("draft"))), Ok(None));
    let copy = json!({
        "resourceType": "SearchParameter", "status": "active", "url": "http://hl7.org/fhir/SearchParameter/individual-phone",
        "code": "phone", "base": ["Patient", "Practitioner"], "type": "token",
        "expression": "Patient.telecom.where(system='phone').exists()",
    });
    assert_eq!(read(&copy), Ok(None));
}

#[test]
fn what_cannot_be_served_is_named_with_its_element() {
    for (resource, element, part) in [
        (
            with("expression", json!("Patient.name.exists()")),
            "SearchParameter.expression",
            "\"exists()\" is not supported",
        ),
        (with("expression", json!("Patient.shoe")), "SearchParameter.expression", "no element \"shoe\""),
        (with("expression", json!("")), "SearchParameter.expression", "is needed"),
        (with("expression", json!("Patient.birthDate")), "SearchParameter.expression", "ends in date"),
        (
            with("code", json!("birthdate")),
            "SearchParameter.code",
            "has a search parameter \"birthdate\" by R4 already",
        ),
        (with("code", json!("_text")), "SearchParameter.code", "by R4 already"),
        (with("code", json!("_mine")), "SearchParameter.code", "cannot be the name"),
        (with("code", json!("a.b")), "SearchParameter.code", "cannot be the name"),
        (with("code", json!("phonetic")), "SearchParameter.code", "cannot be the name"),
        (with("type", json!("composite")), "SearchParameter.type", "\"composite\" parameters are not supported"),
        (with("type", json!("special")), "SearchParameter.type", "not supported"),
        (with("base", json!(["Resource"])), "SearchParameter.base", "name the types themselves"),
        (with("component", json!([{}])), "SearchParameter.component", "composite parameters are not supported"),
        (with("xpathUsage", json!("phonetic")), "SearchParameter.xpathUsage", "only normal"),
    ] {
        let issues = wrong(&resource);
        assert!(issues.iter().any(|(at, text)| at == element && text.contains(part)), "{resource}: {issues:?}");
    }
    let all = json!({ "status": "active", "code": "gender", "base": ["Patient"], "type": "token", "component": [{}],
        "expression": "Patient.gender" });
    assert_eq!(wrong(&all).len(), 2, "all at once");
}

#[test]
fn a_base_to_which_no_branch_leads_is_told() {
    let two = with("base", json!(["Patient", "Observation"]));
    assert!(wrong(&two)[0].1.contains("finds nothing in Observation"), "{:?}", wrong(&two));
}
