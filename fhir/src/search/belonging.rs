//! What is in a compartment, as a clause of a query: a reference to what the compartment is of, by any of the parameters that
//! HL7's CompartmentDefinitions list. And what no chain takes for a patient's: a Patient that a resource of a record has inside.

use crate::parameters::membership::codes;
use crate::parameters::table;
use crate::search::criterion::{Criterion, SystemTest, TargetTest};
use crate::search::query::{Clause, Condition, Test};
use crate::types::ResourceType;

/// That a resource of this type is in the compartment of the resource of this id; none where it cannot be in any.
#[must_use]
pub fn belonging(compartment: ResourceType, id: &str, of: ResourceType) -> Option<Clause> {
    let mut ways: Vec<Clause> =
        codes(compartment, of).iter().filter_map(|code| way(compartment, id, of, code)).collect();
    if ways.len() > 1 { Some(Clause::Either(ways)) } else { ways.pop() }
}

/// Whether a chain is followed into a resource of this type that one of the type `holder` contains. A Patient inside of what can be in
/// a patient's record says by itself whose it is: whoever wrote it could have it found under another's number.
#[must_use]
pub fn is_followed_inside(holder: ResourceType, contained: ResourceType) -> bool {
    contained != ResourceType::Patient || codes(ResourceType::Patient, holder).is_empty()
}

fn way(compartment: ResourceType, id: &str, of: ResourceType, code: &str) -> Option<Clause> {
    let parameter = table::find(of, code)?;
    let criterion = match code {
        "_id" => Criterion::Token { system: SystemTest::Any, code: Some(id.into()) },
        _ if parameter.may_refer_to(compartment) => {
            Criterion::Reference { target: TargetTest::Id(vec![compartment], id.into()), version: None }
        }
        _ => return None,
    };
    Some(Clause::Own(Condition { parameter, test: Test::Any(vec![criterion]) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::membership::{COMPARTMENTS, members};
    use crate::types;

    #[test]
    fn every_type_of_every_compartment_can_be_looked_for_in_it() {
        for compartment in COMPARTMENTS {
            assert!(members(compartment).count() > 10, "{}", compartment.name());
            for of in types::all() {
                let is_member = members(compartment).any(|member| member == of);
                assert_eq!(
                    belonging(compartment, "x", of).is_some(),
                    is_member,
                    "{} {}",
                    compartment.name(),
                    of.name()
                );
            }
        }
    }

    #[test]
    fn one_parameter_is_a_clause_of_its_own_and_several_are_alternatives() {
        let clause = |of| belonging(ResourceType::Patient, "x", of);
        assert!(matches!(clause(ResourceType::Observation), Some(Clause::Either(ways)) if ways.len() == 2));
        assert!(matches!(clause(ResourceType::Patient), Some(Clause::Own(own)) if own.parameter.code == "_id"));
        assert!(
            matches!(clause(ResourceType::Immunization), Some(Clause::Own(own)) if own.parameter.code == "patient")
        );
        assert_eq!(clause(ResourceType::Practitioner), None);
    }
}
