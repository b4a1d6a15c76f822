//! How alike two Patients are: by what both say of themselves, identifiers above all. For finding somebody again, not for deciding
//! that two are one.

use crate::values::folding::fold;
use serde_json::Value;
use std::collections::BTreeSet;

/// How sure it is that two are the same, as HL7's value set match-grade has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    CertainlyNot,
    Possible,
    Probable,
    Certain,
}

impl Grade {
    /// As HL7 spells it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::CertainlyNot => "certainly-not",
            Self::Possible => "possible",
            Self::Probable => "probable",
            Self::Certain => "certain",
        }
    }
}

/// A likeness in thousandths, and what that means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likeness {
    pub thousandths: u32,
    pub grade: Grade,
}

/// What counts how much. An identifier counts more than all that people share with others.
const IDENTIFIER: u32 = 10;
const BIRTH_DATE: u32 = 4;
const FAMILY: u32 = 3;
const GIVEN: u32 = 2;
const TELECOM: u32 = 2;
const GENDER: u32 = 1;
const POSTAL_CODE: u32 = 1;
/// Less agreement than this is little, however much of what was compared it is.
const ENOUGH: u32 = 8;
/// Without an identifier in common nobody is more alike than this.
const MOST_WITHOUT_IDENTIFIER: u32 = 800;

/// How alike two Patients are.
#[must_use]
pub fn likeness(one: &Value, other: &Value) -> Likeness {
    let (mut agreed, mut compared) = (0, 0);
    let mut weigh = |weight: u32, verdict: Option<bool>| {
        compared += if verdict.is_some() { weight } else { 0 };
        agreed += if verdict == Some(true) { weight } else { 0 };
    };
    let identified = same_identifier(one, other);
    weigh(IDENTIFIER, identified);
    weigh(BIRTH_DATE, overlap(&texts(one, &["birthDate"]), &texts(other, &["birthDate"])));
    weigh(FAMILY, overlap(&texts(one, &["name", "family"]), &texts(other, &["name", "family"])));
    weigh(GIVEN, overlap(&texts(one, &["name", "given"]), &texts(other, &["name", "given"])));
    weigh(TELECOM, overlap(&texts(one, &["telecom", "value"]), &texts(other, &["telecom", "value"])));
    weigh(GENDER, overlap(&texts(one, &["gender"]), &texts(other, &["gender"])));
    weigh(POSTAL_CODE, overlap(&texts(one, &["address", "postalCode"]), &texts(other, &["address", "postalCode"])));
    if agreed == 0 {
        return Likeness { thousandths: 0, grade: Grade::CertainlyNot };
    }
    let most = if identified == Some(true) { 1000 } else { MOST_WITHOUT_IDENTIFIER };
    let thousandths = most * agreed * agreed.min(ENOUGH) / (compared * ENOUGH);
    let grade = match thousandths {
        950.. => Grade::Certain,
        700.. => Grade::Probable,
        400.. => Grade::Possible,
        _ => Grade::CertainlyNot,
    };
    Likeness { thousandths, grade }
}

/// Whether they share an identifier; `None` where there is no system in which both have one.
fn same_identifier(one: &Value, other: &Value) -> Option<bool> {
    let (one, other) = (identifiers(one), identifiers(other));
    if one.intersection(&other).next().is_some() {
        return Some(true);
    }
    let systems =
        |of: &BTreeSet<(String, String)>| of.iter().map(|(system, _)| system.clone()).collect::<BTreeSet<_>>();
    systems(&one).intersection(&systems(&other)).next().map(|_| false)
}

/// System and value of each identifier that has both.
#[must_use]
pub fn identifiers(patient: &Value) -> BTreeSet<(String, String)> {
    let all = patient.get("identifier").and_then(Value::as_array).into_iter().flatten();
    let pair = |identifier: &Value| {
        let text = |name: &str| identifier.get(name)?.as_str().map(String::from);
        Some((text("system")?, text("value")?))
    };
    all.filter_map(pair).collect()
}

/// The texts at the end of a path, folded, through every item of every array on the way.
fn texts(value: &Value, path: &[&str]) -> BTreeSet<String> {
    match (value, path) {
        (Value::Array(items), _) => items.iter().flat_map(|item| texts(item, path)).collect(),
        (Value::String(text), []) => [fold(text)].into(),
        (Value::Object(members), [first, rest @ ..]) => {
            members.get(*first).map(|value| texts(value, rest)).unwrap_or_default()
        }
        _ => BTreeSet::new(),
    }
}

/// Whether both have a text in common; `None` where one has none.
fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> Option<bool> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    Some(one.intersection(other).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn amina() -> Value {
        json!({ "identifier": [{ "system": "urn:nhs", "value": "1" }], "birthDate": "1984-02-29", "gender": "female",
            "name": [{ "family": "Rahmán", "given": ["Amina", "Noor"] }], "address": [{ "postalCode": "LS1 1AA" }] })
    }

    fn with(member: &str, value: Value) -> Likeness {
        let mut other = amina();
        other[member] = value;
        likeness(&amina(), &other)
    }

    #[test]
    fn an_identifier_in_common_is_certain_unless_much_speaks_against_it() {
        assert_eq!(likeness(&amina(), &amina()), Likeness { thousandths: 1000, grade: Grade::Certain });
        let alone = json!({ "identifier": [{ "system": "urn:nhs", "value": "1" }] });
        assert_eq!(likeness(&alone, &amina()).grade, Grade::Certain);
        assert_eq!(with("birthDate", json!("1990-01-01")).grade, Grade::Probable);
        let stranger = json!({ "identifier": [{ "system": "urn:nhs", "value": "1" }], "birthDate": "1990-01-01",
            "gender": "male", "name": [{ "family": "Smith", "given": ["John"] }] });
        assert_eq!(likeness(&stranger, &amina()).grade, Grade::Possible);
    }

    #[test]
    fn without_one_nobody_is_certain_and_another_number_of_the_same_system_speaks_against_it() {
        let mut unnumbered = amina();
        unnumbered.as_object_mut().unwrap().remove("identifier");
        assert_eq!(likeness(&unnumbered, &amina()).grade, Grade::Probable);
        let another = with("identifier", json!([{ "system": "urn:nhs", "value": "2" }]));
        assert!(another.grade < Grade::Probable, "{another:?}");
        let elsewhere = with("identifier", json!([{ "system": "urn:chi", "value": "2" }]));
        assert_eq!(elsewhere.grade, Grade::Probable);
    }

    #[test]
    fn names_are_compared_without_case_and_accents_and_little_in_common_is_nothing() {
        let spelled = json!({ "name": [{ "family": "RAHMAN", "given": ["amina"] }], "birthDate": "1984-02-29" });
        assert!(likeness(&spelled, &amina()).grade >= Grade::Probable);
        assert_eq!(likeness(&json!({ "gender": "female" }), &amina()).grade, Grade::CertainlyNot);
        assert_eq!(likeness(&json!({}), &amina()).thousandths, 0);
        assert!(likeness(&json!([1]), &json!("x")).thousandths == 0);
    }
}
