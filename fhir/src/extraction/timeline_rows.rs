//! The rows of timelines: what a resource is of a code in a patient's record, and when.

use crate::extraction::index_row::{FACETS, IndexCells, IndexRow};
use crate::parameters::code_timeline;
use crate::types::ResourceType;

/// The moment of what has no date. It is before all that have one, so that the newest come first and these last.
pub const NO_DATE: i64 = i64::MIN;

/// Those that follow from the other rows of a resource: one for each patient and code. The moment is the end of its latest date.
#[must_use]
pub fn rows(resource_type: ResourceType, others: &[IndexRow]) -> Vec<IndexRow> {
    let Some(timeline) = code_timeline::of(resource_type) else { return Vec::new() };
    let type_number = resource_type.number();
    let own = |parameter: u32| {
        let key = i64::from(parameter) * FACETS;
        others.iter().filter(move |row| row.type_number == type_number && row.parameter == key)
    };
    let high = |row: &IndexRow| if let IndexCells::Date { high, .. } = row.cells { Some(high) } else { None };
    let moment = own(timeline.date.number).filter_map(high).max().unwrap_or(NO_DATE);
    let mut rows = Vec::new();
    for reference in own(timeline.patient) {
        let IndexCells::Reference { target_type, target: patient, .. } = &reference.cells else { continue };
        if *target_type != ResourceType::Patient.number() {
            continue;
        }
        for token in own(timeline.code.number) {
            let IndexCells::Token { code, system } = &token.cells else { continue };
            let cells =
                IndexCells::CodeTimeline { patient: patient.clone(), code: code.clone(), moment, system: *system };
            rows.push(IndexRow { type_number, parameter: token.parameter, part: 0, cells });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::index_row;
    use serde_json::json;

    fn timelines(resource: &serde_json::Value) -> Vec<(String, String, i64)> {
        let name = resource["resourceType"].as_str().unwrap();
        let of = crate::types::named(name).unwrap();
        let cells = rows(of, &index_row::rows(of, resource, "https://records.example.org/fhir")).into_iter();
        cells
            .map(|row| match row.cells {
                IndexCells::CodeTimeline { patient, code, moment, .. } => (patient, code, moment),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn each_code_of_a_resource_is_in_the_course_of_its_patient_at_the_end_of_its_date() {
        let mut weight = json!({
            "resourceType": "Observation", "id": "o", "subject": { "reference": "Patient/p" },
            "code": { "coding": [{ "system": "http://loinc.org", "code": "29463-7" }, { "code": "weight" }] },
            "effectiveDateTime": "1970-01-01",
        });
        let day = 24 * 60 * 60 * 1_000_000;
        let named = |code: &str, moment| ("p".to_owned(), code.to_owned(), moment);
        assert_eq!(timelines(&weight), [named("29463-7", day), named("weight", day)]);
        weight["effectiveDateTime"] = json!(null);
        assert_eq!(timelines(&weight), [named("29463-7", NO_DATE), named("weight", NO_DATE)]);
        weight["subject"] = json!({ "reference": "https://elsewhere.example/Patient/p" });
        assert_eq!(timelines(&weight), [], "a patient of another server has no record here");
        weight["subject"] = json!({ "reference": "Group/p" });
        assert_eq!(timelines(&weight), []);
    }
}
