//! The table of search parameters is whole, and its numbers stay.

use super::{LINES, TABLE, find, of, read_line};
use crate::parameters::kind::Kind;
use crate::parameters::membership;
use crate::types::{self, ResourceType};
use std::collections::BTreeSet;

#[test]
fn every_line_of_the_table_can_be_read() {
    assert_eq!(TABLE.lines().count(), 1709);
    for line in TABLE.lines() {
        let parameter = read_line(line).unwrap_or_else(|| panic!("{line}"));
        let places = match parameter.kind {
            Kind::Composite => parameter.components.iter().map(|part| part.branches.len()).min().unwrap(),
            Kind::Text => 1,
            _ => parameter.branches.len(),
        };
        assert!(places > 0, "{line}: no place of values");
    }
}

#[test]
fn a_number_stands_for_one_parameter_for_ever() {
    let numbers: BTreeSet<u32> = TABLE.lines().map(|line| read_line(line).unwrap().number).collect();
    assert_eq!(numbers.len(), TABLE.lines().count());
    assert!(numbers.iter().copied().eq(1..=1709));
    // A new number is a higher one: this hash is of the first 1709 and never changes.
    let mut rows: Vec<(u32, String)> = TABLE
        .lines()
        .map(|line| {
            let words: Vec<_> = line.split(' ').take(3).collect();
            (words[0].parse().unwrap(), words[1..].join(" "))
        })
        .collect();
    rows.sort();
    let hash = rows
        .iter()
        .take(1709)
        .flat_map(|(_, name)| name.bytes().chain([b'\n']))
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    assert_eq!(hash, 9_933_271_202_474_056_978);
    for (number, resource_type, code) in [
        (1, ResourceType::Account, "identifier"),
        (1111, ResourceType::Observation, "code"),
        (1142, ResourceType::Observation, "patient"),
        (1460, ResourceType::Patient, "_id"),
        (1460, ResourceType::Observation, "_id"),
    ] {
        assert_eq!(find(resource_type, code).unwrap().number, number, "{} {code}", resource_type.name());
    }
}

#[test]
fn the_table_is_about_types_and_names_each_code_of_a_type_once() {
    assert!(LINES.keys().all(|name| types::named(name).is_some() || ["Resource", "DomainResource"].contains(name)));
    for resource_type in types::all() {
        let codes: BTreeSet<_> = of(resource_type).iter().map(|parameter| parameter.code).collect();
        assert_eq!(codes.len(), of(resource_type).len(), "{}", resource_type.name());
        assert!(codes.contains("_lastUpdated"), "{}", resource_type.name());
    }
    assert!(find(ResourceType::Bundle, "_text").is_none());
    assert!(find(ResourceType::Patient, "_text").is_some());
    assert!(find(ResourceType::Patient, "code").is_none());
}

#[test]
fn a_reference_is_to_what_its_element_allows() {
    let patient = find(ResourceType::Observation, "patient").unwrap();
    assert_eq!(patient.targets, [ResourceType::Patient]);
    assert!(find(ResourceType::Observation, "focus").unwrap().may_refer_to(ResourceType::Binary));
    assert!(!patient.may_refer_to(ResourceType::Group));
    assert!(!find(ResourceType::Observation, "code").unwrap().may_refer_to(ResourceType::Patient));
}

#[test]
fn what_hl7_got_wrong_is_right_here() {
    let line = |start: &str| {
        let line = TABLE.lines().find(|line| line.split_once(' ').unwrap().1.starts_with(start));
        line.unwrap_or_else(|| panic!("{start}")).split_once(' ').unwrap().1
    };
    for wanted in [
        "DeviceUseStatement patient reference >Patient subject:Reference>Patient",
        "InsurancePlan name string name:string alias:string",
        "Patient deceased token deceasedBoolean:holds deceasedDateTime:holds",
        "Procedure date date performedDateTime:dateTime performedPeriod:Period",
    ] {
        assert_eq!(line(wanted), wanted);
    }
    assert!(line("DocumentReference relationship ").contains("+ relation token code:code"));
    assert!(
        line("DocumentReference relationship ").ends_with("+ relatesto reference >DocumentReference target:Reference")
    );
    assert!(line("Observation code-value-date ").ends_with("valueDateTime:dateTime valuePeriod:Period"));
}

#[test]
fn every_compartment_goes_by_parameters_that_are_references_to_what_it_is_of() {
    let mut found = 0;
    for compartment in membership::COMPARTMENTS {
        for resource_type in types::all() {
            for code in membership::codes(compartment, resource_type) {
                let parameter = find(resource_type, code).unwrap_or_else(|| panic!("{} {code}", resource_type.name()));
                assert!(
                    *code == "_id" && compartment == resource_type || parameter.may_refer_to(compartment),
                    "{} {} {code}",
                    compartment.name(),
                    resource_type.name()
                );
                found += 1;
            }
        }
    }
    assert!(found > 300, "{found}");
}
