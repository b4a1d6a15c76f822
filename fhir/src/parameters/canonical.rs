//! The canonical URLs of HL7's SearchParameters, by which a CapabilityStatement says what it means by a parameter.

use crate::types::ResourceType;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The parameters that HL7 has not named by their one type: code, name and types.
const SHARED: &str = include_str!("../../definitions/shared-parameters.txt");
const HL7: &str = "http://hl7.org/fhir/SearchParameter/";

static NAMES: LazyLock<HashMap<(&'static str, &'static str), &'static str>> = LazyLock::new(|| {
    let lines = SHARED.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?, words.next()?, words.next()?))
    });
    lines.flat_map(|(code, name, types)| types.split(',').map(move |of| ((of, code), name))).collect()
});

/// What HL7's definition of a parameter of this type is called; nothing where the standard itself does not list it.
#[must_use]
pub fn canonical(of: ResourceType, code: &str) -> Option<String> {
    let owners = [of.name(), "Resource", "DomainResource"];
    match owners.into_iter().find_map(|owner| NAMES.get(&(owner, code))) {
        Some(&"-") => None,
        Some(name) => Some(format!("{HL7}{name}")),
        None => Some(format!("{HL7}{}-{code}", of.name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::table;
    use crate::types;
    use std::collections::BTreeSet;

    #[test]
    fn a_parameter_is_called_as_hl7_calls_it() {
        use ResourceType::{MedicationStatement, Observation, Patient, Provenance};
        for (of, code, name) in [
            (Patient, "birthdate", Some("individual-birthdate")),
            (Patient, "name", Some("Patient-name")),
            (Patient, "_id", Some("Resource-id")),
            (Patient, "_text", Some("DomainResource-text")),
            (Observation, "patient", Some("clinical-patient")),
            (Observation, "code-value-quantity", Some("Observation-code-value-quantity")),
            (MedicationStatement, "status", Some("medications-status")),
            (Provenance, "patient", Some("Provenance-patient")),
            (Patient, "mothersMaidenName", None),
        ] {
            assert_eq!(canonical(of, code), name.map(|name| format!("{HL7}{name}")), "{code}");
        }
    }

    #[test]
    fn every_line_is_of_parameters_that_there_are() {
        let all: BTreeSet<(&str, &str)> = types::all()
            .flat_map(|of| table::of(of).iter().map(move |parameter| (of.name(), parameter.code)))
            .collect();
        let is_abstract = |of: &str| matches!(of, "Resource" | "DomainResource");
        for (of, code) in NAMES.keys() {
            assert!(is_abstract(of) || all.contains(&(*of, *code)), "{of} {code}");
        }
        assert!(NAMES.len() > 300, "{}", NAMES.len());
    }
}
