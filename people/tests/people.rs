//! What is promised of the invented people: the same in every run, valid FHIR R4, and found by about thirteen values each.
#![expect(clippy::unwrap_used, reason = "a resource that cannot be read must fail the test")]

use fhir::extraction::extract::extract;
use fhir::limits::{Limits, Shape};
use fhir::preparation;
use fhir::types;
use fhir::validation::{Expectation, validate};
use people::Population;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const SEED: u64 = 11;
const YEARS: i64 = 8;

fn population() -> impl Iterator<Item = people::Person> {
    Population::of(SEED, "Practice Team, Marsh Lane Surgery")
}

fn resources(most: usize) -> Vec<String> {
    population().take(most).flat_map(|person| person.resources(YEARS).collect::<Vec<_>>()).collect()
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// FNV-1a over all bytes.
fn fingerprint(texts: &[String]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn every_run_is_the_same_byte_for_byte() {
    let all = resources(20);
    assert_eq!(all, resources(20));
    // A change of what is drawn changes every figure that was measured with these people: it is to be meant.
    assert_eq!((all.len(), fingerprint(&all)), (2_810, 8_618_327_238_883_498_106));
}

#[test]
fn the_person_of_a_number_is_the_same_whoever_was_drawn_before() {
    let third = population().nth(2).unwrap();
    let alone = people::Person::drawn(SEED, 2, "Practice Team, Marsh Lane Surgery");
    assert!(third.resources(3).eq(alone.resources(3)));
}

#[test]
fn the_routine_of_somebody_invented_elsewhere_has_no_conditions_and_keeps_to_what_is_known() {
    let subject = people::subject::Subject {
        id: "amina-okafor".into(),
        name: "Amina Okafor".into(),
        born: people::day::Day::of(1988, 3, 14),
        is_female: true,
        carer: "Practice Team".into(),
        build: Some((168, 791)),
    };
    let all: Vec<Value> = people::routine(&subject, SEED, 3).iter().map(|text| read(text)).collect();
    for told_elsewhere in ["Patient", "Condition", "MedicationStatement", "AllergyIntolerance"] {
        assert!(all.iter().all(|resource| resource["resourceType"] != told_elsewhere));
    }
    let heights = all.iter().filter(|resource| resource["code"]["coding"][0]["code"] == "8302-2");
    let heights: Vec<&Value> = heights.map(|height| &height["valueQuantity"]["value"]).collect();
    assert_eq!(heights, [&Value::from(168)]);
}

#[test]
fn another_seed_makes_other_people() {
    let other: Vec<String> = Population::of(SEED + 1, "x").take(20).map(|person| person.subject.id).collect();
    assert!(population().take(20).all(|person| !other.contains(&person.subject.id)));
}

#[test]
fn every_resource_is_valid_fhir() {
    let expectation =
        Expectation { resource_type: None, id: None, shape: Shape { depth: 64, values: 200_000 }, issues: 10 };
    for text in resources(6) {
        let issues = validate(&text, &expectation);
        assert!(issues.is_empty(), "{issues:?} in {text}");
    }
}

#[test]
fn every_resource_can_be_stored() {
    let limits = Limits { shape: Shape { depth: 64, values: 200_000 }, tokens: 1_000, token_bytes: 2_048 };
    for text in resources(6) {
        preparation::prepare(&text, "https://records.example/fhir", &limits)
            .unwrap_or_else(|why| panic!("{why}: {text}"));
    }
}

#[test]
fn no_two_resources_have_one_id_and_all_are_uuids() {
    let mut ids = BTreeSet::new();
    for text in resources(60) {
        let id = read(&text)["id"].as_str().unwrap().to_owned();
        assert_eq!(id.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
        assert!(ids.insert(id), "{text}");
    }
}

/// Every reference in it, wherever it is.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let named = members.get("reference").and_then(Value::as_str);
            found.extend(named.map(String::from));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn nothing_comes_before_what_it_refers_to() {
    let mut known = BTreeSet::new();
    for text in resources(6) {
        let resource = read(&text);
        let mut named = Vec::new();
        references(&resource, &mut named);
        let attached = resource["content"][0]["attachment"]["url"].as_str().map(String::from);
        for reference in named.into_iter().chain(attached) {
            assert!(known.contains(&reference), "{reference} in {text}");
        }
        known.insert(format!("{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap()));
    }
}

#[test]
fn the_people_have_all_that_a_record_has() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in resources(20) {
        *counts.entry(read(&text)["resourceType"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let types: Vec<&str> = counts.keys().map(String::as_str).collect();
    let expected = [
        "AllergyIntolerance",
        "Appointment",
        "Binary",
        "Condition",
        "DocumentReference",
        "Encounter",
        "Immunization",
        "MedicationRequest",
        "MedicationStatement",
        "Observation",
        "Patient",
    ];
    assert_eq!(types, expected);
    assert!(counts["Observation"] * 2 > counts.values().sum(), "most of a record is observations: {counts:?}");
}

#[test]
fn a_resource_is_found_by_about_thirteen_values() {
    let all = resources(20);
    let mut values = 0;
    for text in &all {
        let resource = read(text);
        let resource_type = types::named(resource["resourceType"].as_str().unwrap()).unwrap();
        let entries = extract(resource_type, &resource, "https://records.example/fhir");
        // Its id is a column of the resource's own row.
        let others = entries.iter().filter(|entry| entry.parameter.code != "_id");
        values +=
            others.map(|entry| format!("{} {:?}", entry.parameter.code, entry.value)).collect::<BTreeSet<_>>().len();
    }
    let average = values as f64 / all.len() as f64;
    assert!((12.5..13.5).contains(&average), "{average} for each of {}", all.len());
}

#[test]
fn a_resource_is_about_eight_hundred_bytes_of_json() {
    let all = resources(20);
    let average = all.iter().map(String::len).sum::<usize>() / all.len();
    assert!((600..900).contains(&average), "{average}");
}
