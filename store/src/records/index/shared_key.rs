//! Under which numbers the index keeps the values of a parameter: its own, or those of the parameters that find the same.

use fhir::extraction::index_row::FACETS;
use fhir::parameters::parameter::Parameter;
use fhir::parameters::shared_key::SharedKey;
use fhir::parameters::{membership, table};
use fhir::types::{self, ResourceType};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The number of a parameter's own values.
pub(crate) fn key(parameter: &Parameter) -> i64 {
    number(parameter.number)
}

/// The number of the values that a parameter of this number keeps.
pub(crate) fn number(parameter: u32) -> i64 {
    i64::from(parameter) * FACETS
}

/// For each place in which the values are kept the number, or those of the components of a composite.
pub(crate) fn places(parameter: &Parameter) -> Vec<Vec<i64>> {
    let key = |keeper: &SharedKey| number(keeper.number) + i64::from(keeper.facet);
    parameter.shared_keys.places.iter().map(|place| place.iter().map(key).collect()).collect()
}

/// The places of references to a type; to any, where none is said.
pub(crate) fn references(parameter: &Parameter, target: Option<i64>) -> Vec<Vec<i64>> {
    let mut places = places(parameter);
    if let Some((other, to)) = parameter.shared_keys.instead {
        match target {
            Some(target) if target.abs() == to.number() => places = vec![vec![number(other)]],
            Some(_) => {}
            None => places.push(vec![number(other)]),
        }
    }
    places
}

/// The number of the references to resources of a type that are here.
pub(crate) fn reference(parameter: &Parameter, target: ResourceType) -> i64 {
    match parameter.shared_keys.instead {
        Some((other, to)) if to == target => number(other),
        _ => key(parameter),
    }
}

/// The number of the references of a chain to these types. One that is kept by another is to one type alone.
pub(crate) fn links(parameter: &Parameter, targets: impl Iterator<Item = ResourceType>) -> i64 {
    targets.map(|target| reference(parameter, target)).next().unwrap_or_else(|| key(parameter))
}

/// The number under which references to a type are instead of the parameter's own.
pub(crate) fn instead(parameter: &Parameter) -> Option<(i64, ResourceType)> {
    parameter.shared_keys.instead.map(|(other, to)| (number(other), to))
}

/// For each type, the numbers of the references to a Patient by which a resource is in that patient's record. A Patient is in its own.
static RECORD: LazyLock<HashSet<(i64, i64)>> = LazyLock::new(|| {
    let patient = ResourceType::Patient;
    let others = types::all().filter(|of| *of != patient);
    let keys = others.flat_map(|of| {
        let parameters = membership::codes(patient, of).iter().filter_map(move |code| table::find(of, code));
        let keys = parameters.flat_map(|parameter| references(parameter, Some(patient.number()))).flatten();
        keys.map(move |key| (of.number(), key))
    });
    keys.collect()
});

/// Whether a resource of this type, as the index has it, is in the record of the Patient whom a reference of this number names.
pub(crate) fn makes_record(of: i64, key: i64) -> bool {
    RECORD.contains(&(of, key))
}
