//! Which names of a search HL7 does not know where they stand: they can only be users' own parameters.

use crate::custom::definition::is_code;
use crate::parameters::table;
use crate::search::reading::is_control;
use crate::types::{self, ResourceType};
use std::collections::BTreeSet;

/// The codes in the parameters of a search for resources of these types.
#[must_use]
pub fn unknown_parameters<'s>(
    types: &[ResourceType],
    parameters: impl IntoIterator<Item = (&'s str, &'s str)>,
) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    for (name, value) in parameters {
        match name.split(':').next().unwrap_or_default() {
            "_sort" => {
                let keys = value.split(',').map(|key| key.strip_prefix('-').unwrap_or(key));
                keys.for_each(|key| note(&mut found, Some(types), key));
            }
            "_include" | "_revinclude" => {
                let mut parts = value.split(':');
                if let (Some(source), Some(code)) = (parts.next().and_then(types::named), parts.next()) {
                    note(&mut found, Some(&[source]), code);
                }
            }
            bare if is_control(bare) => {}
            _ => walk(&mut found, Some(types.to_vec()), name),
        }
    }
    found
}

/// Follows a chain or `_has` as far as HL7 knows where it leads; behind a stranger everything may be one.
fn walk<'s>(found: &mut BTreeSet<&'s str>, types: Option<Vec<ResourceType>>, name: &'s str) {
    if let Some(rest) = name.strip_prefix("_has:") {
        let mut parts = rest.splitn(3, ':');
        if let (Some(of), Some(code), Some(rest)) = (parts.next().and_then(types::named), parts.next(), parts.next()) {
            note(found, Some(&[of]), code);
            walk(found, Some(vec![of]), rest);
        }
        return;
    }
    let Some((first, rest)) = name.split_once('.') else {
        return note(found, types.as_deref(), name.split(':').next().unwrap_or_default());
    };
    let (code, named) = first.split_once(':').map_or((first, None), |(code, named)| (code, types::named(named)));
    note(found, types.as_deref(), code);
    let targets = named.map(|named| vec![named]).or_else(|| targets(&types?, code));
    walk(found, targets, rest);
}

/// The types that a reference of these types can be to; none where it can be to any.
fn targets(types: &[ResourceType], code: &str) -> Option<Vec<ResourceType>> {
    let mut all = BTreeSet::new();
    for of in types {
        let known = table::find(*of, code).filter(|known| !known.targets.is_empty())?;
        all.extend(&known.targets);
    }
    Some(all.into_iter().collect())
}

/// Notes a code that is not known of each of the types.
fn note<'s>(found: &mut BTreeSet<&'s str>, types: Option<&[ResourceType]>, code: &'s str) {
    let is_known = types.is_some_and(|types| types.iter().all(|of| table::find(*of, code).is_some()));
    if !is_known && is_code(code) && !is_control(code) {
        found.insert(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(types: &[ResourceType], name: &str, value: &str) -> String {
        unknown_parameters(types, [(name, value)]).into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_hl7_knows_where_it_stands_is_no_stranger() {
        use ResourceType::{Observation, Patient};
        for (name, value) in [
            ("code", "x"),
            ("code:text", "x"),
            ("patient.name", "x"),
            ("subject:Patient.name:exact", "x"),
            ("_has:Provenance:target:agent", "x"),
            ("_sort", "-date,code"),
            ("_include", "Observation:subject:Patient"),
            ("_include:iterate", "Patient:*"),
            ("_revinclude", "*"),
            ("_count", "5"),
            ("_id", "x"),
            ("_has:Nothing", "x"),
            ("fhirVersion", "4.0"),
        ] {
            assert_eq!(of(&[Observation], name, value), "", "{name}={value}");
        }
        assert_eq!(of(&[Patient, Observation], "identifier", "x"), "");
    }

    #[test]
    fn what_only_users_can_have_defined_is_one_wherever_it_stands() {
        use ResourceType::{Observation, Patient};
        for (name, value, found) in [
            ("lot", "x", "lot"),
            ("lot:missing", "true", "lot"),
            ("patient.eye", "x", "eye"),
            ("subject.birthdate", "x", "birthdate"),
            ("seen-by.name", "x", "name seen-by"),
            ("_has:Provenance:aim:agent.shoe", "x", "aim shoe"),
            ("_sort", "-lot,code", "lot"),
            ("_include", "Observation:seen-by", "seen-by"),
            ("_revinclude:iterate", "Task:aim:Patient", "aim"),
        ] {
            assert_eq!(of(&[Observation], name, value), found, "{name}={value}");
        }
        assert_eq!(of(&[Patient, Observation], "birthdate", "x"), "birthdate");
    }
}
