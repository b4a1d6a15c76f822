//! Which clause of a query is looked up first: the one that is likely to leave the fewest resources to try the others on.

use super::criteria::{Leaf, groups};
use fhir::parameters::kind::Kind;
use fhir::parameters::parameter::Parameter;
use fhir::parameters::value_type::ValueType;
use fhir::search::query::{Clause, Condition, Test};

/// How many resources a clause may leave, in classes: the lower the fewer. None where the index cannot be entered by it.
pub(crate) fn rank(clause: &Clause) -> Option<u8> {
    match clause {
        Clause::Own(Condition { parameter, test: Test::Any(criteria) }) => {
            if parameter.code == "_id" {
                return Some(0);
            }
            let groups = groups(parameter, criteria);
            let narrow = |leaf: &Leaf| leaf.form.is_narrow();
            let is_narrow = groups.iter().all(|group| group.leaves.iter().any(narrow));
            (is_narrow && !groups.is_empty() && parameter.code != "_lastUpdated").then(|| of_parameter(parameter))
        }
        Clause::Own(_) => None,
        Clause::Either(ways) => {
            let ranks: Option<Vec<u8>> = ways.iter().map(rank).collect();
            ranks?.into_iter().max()
        }
        Clause::Chain { links, .. } => {
            let ranks: Option<Vec<u8>> = links.iter().map(|(_, clause)| rank(clause)).collect();
            ranks?.into_iter().max().map(|widest| widest.max(2) + 1)
        }
        Clause::Has { clause, .. } => rank(clause).map(|inner| inner.max(2) + 1),
    }
}

fn of_parameter(parameter: &Parameter) -> u8 {
    match parameter.kind {
        Kind::Token if parameter.code == "identifier" => 1,
        Kind::Reference => 2,
        Kind::Uri => 3,
        // Of a concept there are many; of a status there are five.
        Kind::Token if parameter.branches.iter().any(|branch| is_concept(branch.value_type)) => 4,
        Kind::Composite => 4,
        Kind::String => 5,
        Kind::Date | Kind::Number | Kind::Quantity => 6,
        Kind::Token | Kind::Text => 9,
    }
}

const fn is_concept(value_type: ValueType) -> bool {
    matches!(
        value_type,
        ValueType::CodeableConcept | ValueType::Coding | ValueType::Identifier | ValueType::ContactPoint
    )
}
