//! The identifiers of patients that an operation is asked about: systems with values, as `patientIdentifier` has them.

use crate::fhir::operations::invocation::{Argument, Invocation};
use fhir::identifier_systems::{NATIONAL, is_british};
use rules::answers::Refusal;
use rules::params::shown;
use serde_json::{Value, json};

pub(crate) const NAME: &str = "patientIdentifier";

/// The identifiers of a call, in their order. One of a system that is not served refuses them all.
pub(crate) fn asked(asked: &Invocation, also: &[&str]) -> Result<Vec<(String, String)>, Refusal> {
    let identifiers: Vec<(String, String)> = asked.all(NAME).map(identifier).collect::<Result<_, _>>()?;
    let foreign = identifiers.iter().find(|(system, _)| !is_british(system) && !also.contains(&system.as_str()));
    match foreign {
        None => Ok(identifiers),
        Some((system, _)) => {
            let known = NATIONAL.iter().map(|system| system.uri).filter(|uri| is_british(uri));
            let known: Vec<&str> = known.chain(also.iter().copied()).collect();
            let (system, known) = (shown(system), known.join(", "));
            Err(Refusal::Invalid(format!("{NAME} of the system {system} is not served; served are: {known}")))
        }
    }
}

fn identifier(argument: &Argument) -> Result<(String, String), Refusal> {
    let text = |name: &str| match argument {
        Argument::Object(identifier) => identifier.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()),
        _ => None,
    };
    match (text("system"), text("value")) {
        (Some(system), Some(value)) => Ok((system.to_owned(), value.to_owned())),
        _ => Err(Refusal::Invalid(format!("every {NAME} must have a valueIdentifier with a system and a value"))),
    }
}

/// The part of an answer that says which of them it is about.
pub(crate) fn part((system, value): &(String, String)) -> Value {
    json!({ "name": NAME, "valueIdentifier": { "system": system, "value": value } })
}
