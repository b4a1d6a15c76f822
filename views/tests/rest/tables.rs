//! The tables of docs/rest.md, each held to the code that says the same.

use crate::kit::PAGE;
use fhir::types::{self, ResourceType};
use house::operations::operations;
use house::tables::{headed, marked};
use rules::answers::{Refusal, answer};
use rules::clients::ClientKind;
use rules::guidance::rest::guidance;
use rules::lifecycle::Lapse;
use rules::rest_errors::RestError;
use rules::rest_faults::{MOST_CREATED, MOST_LISTED, MOST_ON_A_PAGE, ShapeFault};
use rules::scope::Scope;
use std::collections::{BTreeMap, BTreeSet};
use views::kinds::allergy::Allergy;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::symptom::Symptom;
use views::list::LIST_PARAMETERS;
use views::measurement_types::{LOINC, TYPES, listed};
use views::members::member::Body;
use views::section::Section;

#[test]
fn the_types_of_measurements_are_those_of_the_table() {
    let table = marked(PAGE, "types").remove(0);
    assert_eq!(table.rows.len(), TYPES.len());
    for (row, one) in table.rows.iter().zip(&TYPES) {
        let [api_ref, name, category, code, units] = row.as_slice() else { panic!("{row:?}") };
        assert_eq!([api_ref, name, category], [one.api_ref, one.name, one.category]);
        assert_eq!(units.split(", ").collect::<Vec<_>>(), one.units, "{api_ref}");
        let mut told = one.codes.join(", also ");
        if one.system != LOINC {
            told = format!("{}|{told}", one.system);
        }
        if let Some(components) = one.components {
            told = format!("{told} ({})", components.join(", "));
        }
        assert_eq!(*code, told);
    }
    let pressure = listed().into_iter().find(|one| one.api_ref == "bloodPressure").unwrap();
    assert_eq!((pressure.code, pressure.code2, pressure.units2), ("85354-9", None, Some("mm[Hg]")));
}

/// The words of an error with what varies in it taken out.
fn pattern(message: &str) -> String {
    let mut pattern = message.to_owned();
    for (specimen, name) in [
        ("2026-11-16T00:00:00.000Z", "{moment}"),
        ("version 3 is current; 2 was sent", "version {n} is current; {m} was sent"),
        ("Allergy was deleted", "{Kind} was deleted"),
        ("unknown member colour", "unknown member {path}"),
        ("dateTaken: is no date", "{member}: {why}"),
    ] {
        pattern = pattern.replace(specimen, name);
    }
    pattern
}

#[test]
fn every_row_of_the_errors_table_is_what_is_answered() {
    let mut rows: BTreeMap<(String, String), String> = BTreeMap::new();
    for row in marked(PAGE, "errors").remove(0).rows {
        let [status, codes, message] = row.as_slice() else { panic!("{row:?}") };
        for status in status.split(' ') {
            for code in codes.split(", ") {
                rows.insert((status.into(), code.into()), message.clone());
            }
        }
    }
    let mut held = BTreeSet::new();
    for error in RestError::every() {
        let answer = error.answer();
        // Said in section 14, and by no row: 405, and a System Client's 403.
        if matches!(error, RestError::MethodNotAllowed { .. } | RestError::SystemClient | RestError::Conflict(_)) {
            continue;
        }
        let key = (answer.status.to_string(), answer.code.to_owned());
        let message = rows.get(&key).unwrap_or_else(|| panic!("{key:?} has no row"));
        assert!(message.contains(&format!("`{}`", pattern(&answer.message))), "{message} beside {}", answer.message);
        held.insert(key);
    }
    let lapsed = |lapse| answer(&Refusal::Lapsed(ClientKind::User, lapse));
    for (lapse, begins) in [
        (Lapse::TokenExpired, "access token has expired;"),
        (Lapse::SessionExpired, "session has expired;"),
        (Lapse::SessionRevoked, "session has been revoked;"),
    ] {
        let answer = lapsed(lapse);
        let key = (answer.status.to_string(), answer.code.to_owned());
        assert!(rows[&key].contains(&format!("`{begins}`")) && answer.message.starts_with(begins));
        held.insert(key);
    }
    let same = ["as today", "as FHIR's"];
    let left: Vec<_> = rows.keys().filter(|key| !held.contains(key)).collect();
    assert!(left.iter().all(|key| same.contains(&rows[*key].as_str())), "{left:?}");
    assert_eq!(left.len(), 5, "{left:?}");
}

#[test]
fn who_may_not_is_told_who_may() {
    let error = RestError::UserTypeNotPermitted {
        is: Scope::Patient,
        needs: vec![Scope::Clinician, Scope::TeamCoord, Scope::Site],
    };
    let expected = "User type PATIENT can't execute API call requiring scope CLINICIAN or TEAMCOORD";
    assert_eq!(error.answer().message, expected);
    assert!(PAGE.contains("(several: `CLINICIAN or TEAMCOORD`)"));
    let system = RestError::SystemClient.answer().message;
    assert!(PAGE.contains(&format!("\"{system}\"")));
    let method = RestError::MethodNotAllowed { method: "{METHOD}".into(), offered: vec!["{list}"] }.answer();
    assert!(PAGE.contains(&format!("`{}`, `{}`", method.code, method.message)));
}

#[test]
fn the_numbers_of_lists_and_arrays_are_those_of_the_page() {
    let thousands = |number: usize| format!("{},{:03}", number / 1000, number % 1000);
    for words in [
        format!("Whole lists up to {} items", thousands(MOST_LISTED)),
        format!("more is 400 \"{}\"", ShapeFault::TooManyItems.words()),
        format!("`limit` 1 to {MOST_ON_A_PAGE}"),
        format!("An array of 1 to {MOST_CREATED} objects"),
    ] {
        assert!(PAGE.contains(&words), "{words}");
    }
    let filters = LIST_PARAMETERS.iter().all(|name| PAGE.contains(&format!("`{name}`")));
    assert!(filters);
}

#[test]
fn every_error_has_its_meaning_and_its_remedy() {
    for error in RestError::every() {
        let told = guidance(&error);
        assert!(told.meaning.ends_with('.') && told.remedy.ends_with('.'), "{error:?}");
    }
}

#[test]
fn every_type_is_in_the_section_that_the_table_says() {
    let observations = ["MEASUREMENTS", "SYMPTOMS", "JOURNAL"];
    let mut by_type: BTreeMap<ResourceType, String> = BTreeMap::new();
    let mut sections = BTreeSet::new();
    for row in marked(PAGE, "sections").remove(0).rows {
        let [names, told] = row.as_slice() else { panic!("{row:?}") };
        let names: Vec<&str> = names.split(", ").collect();
        sections.extend(names.iter().map(|name| (*name).to_owned()));
        for (at, group) in told.split("; ").enumerate() {
            for word in group.split(", ") {
                let word = word.trim_start_matches("laboratory ");
                let (word, other) =
                    word.split_once(" (shown as ").map_or((word, None), |(word, rest)| (word, rest.strip_suffix(')')));
                let section = other.unwrap_or_else(|| names.get(at).copied().unwrap_or(names[0]));
                sections.insert(section.to_owned());
                let is_named = |one: &ResourceType| match word.strip_suffix('*') {
                    Some(start) => one.name().starts_with(start),
                    None => one.name() == word,
                };
                by_type.extend(every_type().into_iter().filter(is_named).map(|one| (one, section.to_owned())));
            }
        }
    }
    by_type.remove(&ResourceType::Observation);
    for one in every_type().into_iter().filter(|one| *one != ResourceType::Observation) {
        let expected = by_type.get(&one).map_or("OTHER", String::as_str);
        assert_eq!(Section::of_type(one).word(), expected, "{}", one.name());
    }
    let words: BTreeSet<String> = Section::ALL.iter().map(|one| one.word().to_owned()).collect();
    assert_eq!(sections, words);
    assert!(observations.iter().all(|one| words.contains(*one)));
    assert!(by_type.len() > 25, "{}", by_type.len());
}

fn every_type() -> Vec<ResourceType> {
    let names = include_str!("../../../fhir/definitions/types.txt");
    let words = names.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(types::named).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The members that a cell names: `startDate, endDate: date; comment`.
fn members(cell: &str) -> Vec<String> {
    let plain = cell.split('`').step_by(2).collect::<String>();
    let named = plain.split(';').map(|part| part.split(':').next().unwrap_or_default());
    named.flat_map(|part| part.split(',')).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

fn sorted(names: impl IntoIterator<Item = impl Into<String>>) -> BTreeSet<String> {
    names.into_iter().map(Into::into).collect()
}

#[test]
fn a_measurement_has_the_members_of_its_table() {
    let table = headed(PAGE, "member").unwrap();
    assert_eq!(table.head, ["member", "type", "Observation"]);
    let named = table.rows.iter().flat_map(|row| members(&row[0])).filter(|name| name != "…item");
    assert_eq!(sorted(named), sorted(Measurement::MEMBERS.iter().copied()));
}

#[test]
fn each_kind_of_section_4_has_the_members_of_its_table() {
    let table = headed(PAGE, "kind").unwrap();
    let mut by_kind: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut kind = String::new();
    for row in &table.rows {
        if !row[0].is_empty() {
            kind.clone_from(&row[0]);
        }
        by_kind.entry(kind.clone()).or_default().extend(members(&row[1]));
    }
    let kinds: [(&str, &[&str]); 5] = [
        ("allergy", Allergy::MEMBERS),
        ("medication", Medication::MEMBERS),
        ("diagnosis", Diagnosis::MEMBERS),
        ("symptom", Symptom::MEMBERS),
        ("journal", JournalEntry::MEMBERS),
    ];
    assert_eq!(by_kind.len(), kinds.len());
    for (kind, members) in kinds {
        assert_eq!(by_kind[kind], sorted(members.iter().copied()), "{kind}");
    }
}

#[test]
fn the_tables_of_operations_have_48_rows_and_each_pair_once() {
    let all = operations(PAGE);
    let numbers: BTreeSet<u32> = all.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..=48).collect());
    let pairs: BTreeSet<(&str, &str)> = all.iter().map(|one| (one.method.as_str(), one.path.as_str())).collect();
    assert_eq!(pairs.len(), all.len(), "a pair is there twice");
    let of_kinds = all.iter().filter(|one| (15..=17).contains(&one.number)).count();
    assert_eq!(of_kinds, 29);
    let open: Vec<&str> = all.iter().filter(|one| one.scopes.is_empty()).map(|one| one.path.as_str()).collect();
    assert_eq!(open, ["/measurements/apiRefs"]);
    assert!(all.iter().all(|one| one.scopes.iter().all(|scope| Scope::named(scope).is_some())));
}
