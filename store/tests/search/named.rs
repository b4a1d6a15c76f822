//! What a question means where it names patients: in a patient's own session nobody else's record is looked at, so that a reference to
//! another Patient which would make something part of their record finds nothing, though the patient could read what has it.

use crate::bodies::id;
use crate::stage::Stage;
use fhir::parameters::membership::codes;
use fhir::search::criterion::{Criterion, TargetTest};
use fhir::search::query::{Clause, Condition, Query, Test};
use fhir::types::ResourceType;
use rules::reach::Reach;

pub fn in_reach(query: &Query, stage: &Stage<'_>, reach: &Reach) -> Query {
    let mut query = query.clone();
    if reach.own().is_some() {
        let own = id(0, 0, stage.world);
        query.clauses.iter_mut().for_each(|clause| narrow(clause, query.resource_type, &own));
    }
    query
}

fn narrow(clause: &mut Clause, of: ResourceType, own: &str) {
    match clause {
        Clause::Either(ways) => ways.iter_mut().for_each(|way| narrow(way, of, own)),
        Clause::Chain { links, .. } => links.iter_mut().for_each(|(target, clause)| narrow(clause, *target, own)),
        Clause::Has { resource_type, clause, .. } => narrow(clause, *resource_type, own),
        Clause::Own(Condition { parameter, test: Test::Any(criteria) }) if makes_record(of, parameter.code) => {
            criteria.retain_mut(|criterion| match criterion {
                Criterion::Reference { target: TargetTest::Id(types, id), .. } if id != own && !types.is_empty() => {
                    types.retain(|named| *named != ResourceType::Patient);
                    !types.is_empty()
                }
                _ => true,
            });
        }
        Clause::Own(_) => {}
    }
}

/// The subject is the patient, where it is one.
fn makes_record(of: ResourceType, code: &str) -> bool {
    let codes = codes(ResourceType::Patient, of);
    let is_listed = |code: &str| codes.contains(&code);
    let same = match code {
        "subject" => "patient",
        "patient" => "subject",
        other => other,
    };
    of != ResourceType::Patient && (is_listed(code) || is_listed(same))
}
