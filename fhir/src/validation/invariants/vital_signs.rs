//! Invariants that only HL7's profiles of vital signs have.

use crate::validation::invariants::invariant::Invariant;

/// `YYYY-MM-DD` has as many characters, and nothing less precise has.
const TO_THE_DAY: usize = 8;

const ALL: &[Invariant] = &[
    Invariant {
        key: "vs-1",
        on: "Observation.effective[x]",
        human: "a moment must be precise to the day",
        holds: |s| s.node.text().is_none_or(|moment| moment.len() >= TO_THE_DAY),
    },
    Invariant {
        key: "vs-2",
        on: "Observation",
        human: "without components and members, a value or a reason why there is none must be there",
        holds: |s| s.has_any(&["component", "hasMember", "dataAbsentReason"]) || s.has_choice("value"),
    },
    Invariant {
        key: "vs-3",
        on: "Observation.component",
        human: "a value or a reason why there is none must be there",
        holds: |s| s.has("dataAbsentReason") || s.has_choice("value"),
    },
];

/// The invariant of this key.
pub(crate) fn named(key: &str) -> Option<&'static Invariant> {
    ALL.iter().find(|invariant| invariant.key == key)
}

#[cfg(test)]
mod tests {
    use super::named;
    use crate::json::read;
    use crate::validation::invariants::Scope;

    fn holds(key: &str, json: &str) -> bool {
        let node = read(json).unwrap();
        (named(key).unwrap().holds)(&Scope { node: &node, resource: &node })
    }

    #[test]
    fn a_vital_sign_has_a_day_and_a_value_or_a_reason_why_not() {
        for (key, json, expected) in [
            ("vs-1", r#""2024-03-01""#, true),
            ("vs-1", r#""2024-03""#, false),
            ("vs-1", r#"{"start":"2024"}"#, true),
            ("vs-2", r#"{"valueQuantity":{}}"#, true),
            ("vs-2", r#"{"dataAbsentReason":{}}"#, true),
            ("vs-2", r#"{"hasMember":[]}"#, true),
            ("vs-2", r#"{"status":"final"}"#, false),
            ("vs-3", r#"{"valueQuantity":{}}"#, true),
            ("vs-3", r#"{"code":{}}"#, false),
        ] {
            assert_eq!(holds(key, json), expected, "{key} {json}");
        }
        assert!(named("vs-4").is_none());
    }
}
