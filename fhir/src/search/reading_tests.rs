//! Queries as they are read, and what is said of those that cannot be.

use super::read;
use crate::search::criterion::{Criterion, SystemTest, TargetTest};
use crate::search::query::{Clause, Query, Test};
use crate::search::query_fault::QueryFault;
use crate::types::ResourceType;

const BASE: &str = "https://records.example/fhir";

fn query(resource_type: ResourceType, parameters: &[(&str, &str)]) -> Result<Query, Vec<QueryFault>> {
    read(resource_type, parameters.iter().copied(), BASE, 0)
}

fn criteria(name: &str, value: &str) -> Vec<Criterion> {
    let clause = query(ResourceType::Observation, &[(name, value)]).unwrap().clauses.remove(0);
    match clause {
        Clause::Own(condition) => match condition.test {
            Test::Any(criteria) | Test::None(criteria) => criteria,
            Test::Missing(_) => vec![],
        },
        other => panic!("{other:?}"),
    }
}

/// What is said of one parameter, joined.
fn words(resource_type: ResourceType, name: &str, value: &str) -> String {
    let faults = query(resource_type, &[(name, value)]).expect_err(name);
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_token_is_read_in_its_four_spellings_and_with_escapes() {
    let token = |system, code: &str| Criterion::Token { system, code: Some(code.to_owned()).filter(|c| !c.is_empty()) };
    let is = |system: &str| SystemTest::Is(system.into());
    assert_eq!(
        criteria("code", r"a,urn:s|b,|c,urn:s|,d\,e\|f"),
        [
            token(SystemTest::Any, "a"),
            token(is("urn:s"), "b"),
            token(SystemTest::None, "c"),
            token(is("urn:s"), ""),
            token(SystemTest::Any, "d,e|f")
        ]
    );
}

#[test]
fn a_reference_is_read_in_all_its_spellings() {
    let patients = |id: &str| TargetTest::Id(vec![ResourceType::Patient], id.into());
    for (name, value, target, version) in [
        ("patient", "1", patients("1"), None),
        ("patient", "Patient/1", patients("1"), None),
        ("patient", "Patient/1/_history/2", patients("1"), Some("2")),
        ("patient", "https://records.example/fhir/Patient/1", patients("1"), None),
        ("subject:Patient", "1", patients("1"), None),
        ("subject:Patient", "Patient/1", patients("1"), None),
        ("subject", "urn:uuid:1", TargetTest::Url("urn:uuid:1".into()), None),
        ("subject", "https://x.example/Patient/1", TargetTest::Url("https://x.example/Patient/1".into()), None),
        ("focus", "1", TargetTest::Id(vec![], "1".into()), None),
    ] {
        let wanted = Criterion::Reference { target, version: version.map(String::from) };
        assert_eq!(criteria(name, value), [wanted], "{name}={value}");
    }
}

#[test]
fn a_chain_has_a_link_for_each_type_that_has_the_parameter() {
    let query = query(ResourceType::Observation, &[("subject.name", "x"), ("subject:Patient.organization.name", "y")]);
    let clauses = query.unwrap().clauses;
    let Clause::Chain { links, .. } = &clauses[0] else { panic!() };
    let types: Vec<_> = links.iter().map(|(resource_type, _)| resource_type.name()).collect();
    assert_eq!(types, ["Location", "Patient"]);
    let Clause::Chain { links, .. } = &clauses[1] else { panic!() };
    assert!(matches!(&links[..], [(ResourceType::Patient, Clause::Chain { .. })]));
}

#[test]
fn has_is_read_with_chains_and_with_itself_inside() {
    let parameters = [
        ("_has:Observation:patient:code", "x"),
        ("_has:Observation:patient:encounter.status", "finished"),
        ("_has:Encounter:patient:_has:Observation:encounter:code", "x"),
        ("_has:Observation:patient:code:missing", "true"),
    ];
    assert_eq!(query(ResourceType::Patient, &parameters).unwrap().clauses.len(), 4);
}

#[test]
fn all_faults_are_told_at_once_and_name_their_parameter() {
    let parameters = [("color", "red"), ("birthdate", "soon,2020,x"), ("name", "ok"), ("_count", "3")];
    let faults = query(ResourceType::Patient, &parameters).unwrap_err();
    assert_eq!(faults.iter().map(|fault| fault.name.as_str()).collect::<Vec<_>>(), ["color", "birthdate", "birthdate"]);
    assert!(faults[0].words.contains("known are _content, _id, _lastUpdated"), "{}", faults[0].words);
    assert!(faults[0].words.contains(", birthdate, "), "{}", faults[0].words);
}

#[test]
fn what_is_not_served_is_refused_in_words() {
    use ResourceType::{Location, Observation, Patient};
    for (resource_type, name, value, part) in [
        (Patient, "_filter", "name eq x", "_filter is not served"),
        (Patient, "_list", "1", "_list is not served"),
        (Patient, "_query", "x", "_query is not served"),
        (Location, "near", "1|2", "near is not served"),
        (Patient, "phonetic", "x", "phonetic is not served"),
        (Observation, "code:in", "x", ":in is not served"),
        (Observation, "code:not-in", "x", ":not-in is not served"),
        (Observation, "code:below", "x", "no hierarchies"),
        (Patient, "name:not", "x", "known are :missing, :exact, :contains"),
        (Patient, "name:fuzzy", "x", "no modifier :fuzzy"),
        (Patient, "birthdate:exact", "2020", "not served for a date"),
        (Patient, "name:missing", "maybe", "must be true or false"),
        (Patient, "active", "yes", "must be true or false"),
        (Patient, "name", "", "a value is missing"),
        (Patient, "name", "--", "no letter"),
        (Patient, "_text", "!", "no letter"),
        (Patient, "_text:exact", "x", "not served for a text parameter: known are :missing"),
        (Patient, "_content", &"x ".repeat(21), "at most 20 words"),
        (Patient, "identifier", "|", "a system or a code"),
        (Patient, "identifier", "a|b|c", "system|code"),
        (Patient, "identifier:of-type", "a|b", "system|code|value"),
        (Patient, "gender:of-type", "a|b|c", "for identifiers"),
        (Patient, "name.given", "x", "is no reference"),
        (Patient, "organization.color", "x", "Organization has no search parameter \"color\""),
        (Observation, "subject:Practitioner.name", "x", "is no reference to a Practitioner"),
        (Observation, "subject:Practitioner", "1", "is no reference to a Practitioner"),
        (Observation, "subject:Patient", "a b", "the id of a Patient"),
        (Observation, "subject.color", "x", "none of the types"),
        (Observation, "focus.focus.focus", "x", "too many types"),
        (Observation, "subject", "#p", "inside another"),
        (Observation, "value-quantity", "5|mg", "number|system|code"),
        (Observation, "value-quantity", "five", "must be a number"),
        (Observation, "code-value-quantity", "x", "code$value-quantity"),
        (Patient, "_has:Observation", "x", "_has:Type:reference:parameter"),
        (Patient, "_has:Nothing:patient:code", "x", "no resource type"),
        (Patient, "_has:Observation:code:code", "x", "is no reference to a Patient"),
        (Patient, &format!("{}name", "link:Patient.".repeat(7)), "x", "more than 6 links"),
    ] {
        let told = words(resource_type, name, value);
        assert!(told.contains(part), "{name}={value}: {told}");
    }
}
