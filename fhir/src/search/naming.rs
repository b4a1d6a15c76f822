//! Whom a query names: the Patients whose ids or identifiers stand in its criteria, at whatever link, and the names of the
//! parameters that it asks by, without their values.

use crate::parameters::membership::codes;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::search::criterion::{Criterion, SystemTest, TargetTest};
use crate::search::query::{Clause, Condition, Query, Test};
use crate::types::ResourceType;

const PATIENT: ResourceType = ResourceType::Patient;

/// A Patient as criteria name one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatientName {
    Id(String),
    Identifier { system: SystemTest, value: String },
}

/// The Patients that a query names, each once. Those are left out in whose record every match is (`is_answered`: there was one),
/// because the match tells of them.
#[must_use]
pub fn patients(query: &Query, is_answered: bool) -> Vec<PatientName> {
    let mut named = Vec::new();
    let asked = query.clauses.iter().filter(|clause| !is_answered || !holds_in_the_record(query.resource_type, clause));
    asked.for_each(|clause| add(query.resource_type, clause, &mut named));
    named
}

/// The parameters that a query asks by, in the order of their names: `code`, `patient.identifier`, `_has:Observation:patient:code`.
/// Where a compartment asks by several, it is the path that names them.
#[must_use]
pub fn parameters(query: &Query) -> Vec<String> {
    let mut names = Vec::new();
    query.clauses.iter().for_each(|clause| spell("", clause, &mut names));
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether what meets a clause is in the record of the one Patient whom it names by id.
fn holds_in_the_record(of: ResourceType, clause: &Clause) -> bool {
    let Clause::Own(Condition { parameter, test: Test::Any(criteria) }) = clause else { return false };
    match &criteria[..] {
        [Criterion::Reference { target: TargetTest::Id(types, _), .. }] => {
            types[..] == [PATIENT] && makes_record(of, parameter)
        }
        [Criterion::Token { .. }] => of == PATIENT && parameter.code == "_id",
        _ => false,
    }
}

/// Whether a reference of this parameter to a Patient puts a resource into that patient's compartment. `patient` is HL7's name for
/// those references of `subject` and the like that are to a Patient.
fn makes_record(of: ResourceType, parameter: &Parameter) -> bool {
    let is_it = |member: &Parameter| {
        member.number == parameter.number || parameter.shared_keys.instead == Some((member.number, PATIENT))
    };
    codes(PATIENT, of).iter().filter_map(|code| table::find(of, code)).any(is_it)
}

fn add(of: ResourceType, clause: &Clause, named: &mut Vec<PatientName>) {
    match clause {
        Clause::Own(Condition { parameter, test: Test::Any(criteria) | Test::None(criteria) }) => {
            for name in criteria.iter().filter_map(|criterion| name(of, parameter, criterion)) {
                if !named.contains(&name) {
                    named.push(name);
                }
            }
        }
        Clause::Own(Condition { test: Test::Missing(_), .. }) => {}
        Clause::Chain { links, .. } => links.iter().for_each(|(of, clause)| add(*of, clause, named)),
        Clause::Has { resource_type, clause, .. } => add(*resource_type, clause, named),
        Clause::Either(ways) => ways.iter().for_each(|clause| add(of, clause, named)),
    }
}

/// The Patient whom a criterion on a parameter of this type names, if it names one.
fn name(of: ResourceType, parameter: &Parameter, criterion: &Criterion) -> Option<PatientName> {
    let identifier = |system: &SystemTest, value: &str| {
        Some(PatientName::Identifier { system: system.clone(), value: value.to_owned() })
    };
    match criterion {
        Criterion::Reference { target: TargetTest::Id(types, id), .. } => {
            let is_patient = types.contains(&PATIENT) || (types.is_empty() && parameter.may_refer_to(PATIENT));
            is_patient.then(|| PatientName::Id(id.clone()))
        }
        Criterion::Identifier { system, value: Some(value) } if parameter.may_refer_to(PATIENT) => {
            identifier(system, value)
        }
        Criterion::Token { code: Some(id), .. } if of == PATIENT && parameter.code == "_id" => {
            Some(PatientName::Id(id.clone()))
        }
        Criterion::Token { system, code: Some(value) } if of == PATIENT && parameter.code == "identifier" => {
            identifier(system, value)
        }
        Criterion::TokenOfType { value, .. } if of == PATIENT && parameter.code == "identifier" => {
            identifier(&SystemTest::Any, value)
        }
        _ => None,
    }
}

fn spell(before: &str, clause: &Clause, names: &mut Vec<String>) {
    match clause {
        Clause::Own(condition) => names.push(format!("{before}{}", condition.parameter.code)),
        Clause::Chain { parameter, links } => {
            links.iter().for_each(|(_, clause)| spell(&format!("{before}{}.", parameter.code), clause, names));
        }
        Clause::Has { resource_type, parameter, clause } => {
            spell(&format!("{before}_has:{}:{}:", resource_type.name(), parameter.code), clause, names);
        }
        Clause::Either(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::belonging::belonging;
    use crate::search::reading;

    fn query(of: ResourceType, sent: &str) -> Query {
        let pairs = sent.split('&').filter_map(|pair| pair.split_once('='));
        reading::read(of, pairs, "https://x.example/fhir", 0).unwrap()
    }

    fn id(id: &str) -> PatientName {
        PatientName::Id(id.into())
    }

    fn number(system: &str, value: &str) -> PatientName {
        PatientName::Identifier { system: SystemTest::Is(system.into()), value: value.into() }
    }

    #[test]
    fn a_patient_is_named_by_id_by_identifier_and_at_any_link() {
        use ResourceType::{Observation, Patient, Practitioner};
        for (of, sent, named) in [
            (Observation, "patient=a", id("a")),
            (Observation, "subject=Patient/a", id("a")),
            (Observation, "subject=a", id("a")),
            (Observation, "patient=https://x.example/fhir/Patient/a", id("a")),
            (Observation, "patient.identifier=s|1", number("s", "1")),
            (Observation, "patient:identifier=s|1", number("s", "1")),
            (Observation, "encounter.patient=a", id("a")),
            (Observation, "subject:Patient._id=a", id("a")),
            (Patient, "_id=a", id("a")),
            (Patient, "identifier=s|1", number("s", "1")),
            (Patient, "link=Patient/a", id("a")),
            (Practitioner, "_has:Observation:performer:patient=a", id("a")),
            (Practitioner, "_has:Observation:performer:patient.identifier=s|1", number("s", "1")),
        ] {
            assert_eq!(patients(&query(of, sent), false), [named], "{sent}");
        }
        for nobody in ["code=x", "_id=a", "identifier=s|1", "performer:Practitioner=a", "patient:missing=true"] {
            assert_eq!(patients(&query(Observation, nobody), false), [], "{nobody}");
        }
    }

    #[test]
    fn several_are_named_each_once() {
        let asked = query(ResourceType::Observation, "patient=a,b&subject=Patient/b");
        assert_eq!(patients(&asked, false), [id("a"), id("b")]);
    }

    #[test]
    fn whoever_every_match_is_about_needs_no_name() {
        use ResourceType::{Observation, Patient};
        for (of, sent) in [(Observation, "patient=a"), (Observation, "subject=Patient/a"), (Patient, "_id=a")] {
            assert_eq!(patients(&query(of, sent), true), [], "{sent}");
        }
        for (of, sent) in
            [(Observation, "patient=a,b"), (Observation, "encounter.patient=a"), (Patient, "link=Patient/a")]
        {
            assert!(!patients(&query(of, sent), true).is_empty(), "{sent}");
        }
    }

    #[test]
    fn a_compartment_names_its_patient_and_no_parameter() {
        let of = ResourceType::Observation;
        let mut asked = query(of, "code=x");
        asked.clauses.extend(belonging(PATIENT, "a", of));
        assert_eq!(patients(&asked, false), [id("a")]);
        assert_eq!(parameters(&asked), ["code"]);
    }

    #[test]
    fn parameters_are_told_without_their_values() {
        let asked = query(ResourceType::Observation, "patient.identifier=s|1&code:not=secret&subject.identifier=x");
        assert_eq!(parameters(&asked), ["code", "patient.identifier", "subject.identifier"]);
        let asked = query(ResourceType::Practitioner, "_has:Observation:performer:patient=a");
        assert_eq!(parameters(&asked), ["_has:Observation:performer:patient"]);
    }
}
