//! All invariants, by what they are about.

use crate::validation::invariants::invariant::Invariant;
use crate::validation::invariants::{
    bundle, clinical, conformance, datatype, person, questionnaire, terminology, workflow,
};
use std::collections::HashMap;
use std::sync::LazyLock;

const ALL: [&[Invariant]; 8] = [
    bundle::ALL,
    clinical::ALL,
    conformance::ALL,
    datatype::ALL,
    person::ALL,
    questionnaire::ALL,
    terminology::ALL,
    workflow::ALL,
];

static BY_STRUCTURE: LazyLock<HashMap<&'static str, Vec<&'static Invariant>>> = LazyLock::new(|| {
    let mut table: HashMap<_, Vec<_>> = HashMap::new();
    for invariant in ALL.into_iter().flatten() {
        table.entry(invariant.on).or_default().push(invariant);
    }
    table
});

/// The invariants of a structure.
pub(crate) fn of(structure: &str) -> &'static [&'static Invariant] {
    BY_STRUCTURE.get(structure).map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::structure::structure;
    use std::collections::HashSet;

    #[test]
    fn every_invariant_is_about_a_structure_and_there_once() {
        let mut known = HashSet::new();
        for invariant in ALL.into_iter().flatten() {
            assert!(structure(invariant.on).is_some(), "{}", invariant.on);
            assert!(known.insert((invariant.key, invariant.on)), "{} {}", invariant.key, invariant.on);
        }
    }
}
