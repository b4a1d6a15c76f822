//! What is sent is what is shown, whatever was sent; and what is made of it is FHIR.

use crate::kit::{created, issues, shown_value, type_of};
use fhir::json::{Node, print};
use proptest::prelude::*;
use serde_json::{Map, Value};
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::document::Document;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::message::Message;
use views::kinds::plan::Plan;
use views::kinds::symptom::Symptom;
use views::kinds::test_result::TestResult;
use views::view::View;

/// Bodies at random, each one that can be sent.
pub mod bodies {
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};
    use serde_json::{Map, Value, json};
    use views::measurement_types::TYPES;

    type Bodies = BoxedStrategy<Value>;

    /// Members that are there, or null, or left out.
    fn object(members: Vec<(&'static str, Bodies)>) -> Bodies {
        let (names, values): (Vec<_>, Vec<_>) = members.into_iter().unzip();
        let made = values.prop_map(move |values| {
            let pairs = names.iter().map(|name| (*name).to_owned()).zip(values);
            Value::Object(pairs.filter(|(_, value)| *value != json!("left out")).collect::<Map<_, _>>())
        });
        made.boxed()
    }

    fn maybe(value: Bodies) -> Bodies {
        prop_oneof![3 => value, 1 => Just(Value::Null), 1 => Just(json!("left out"))].boxed()
    }

    fn words() -> Bodies {
        prop_oneof![Just(json!("Zoë \"quoted\" \\ \n & <3")), "[a-zA-Z][a-z é0-9]{0,12}[a-z]".prop_map(Value::from)]
            .boxed()
    }

    fn number() -> Bodies {
        prop_oneof![(0_i64..500).prop_map(Value::from), (0_i64..5000).prop_map(|n| json!(n as f64 / 8.0))].boxed()
    }

    fn one_of(all: &'static [&'static str]) -> Bodies {
        select(all).prop_map(Value::from).boxed()
    }

    fn early() -> Bodies {
        one_of(&["2019", "2020-02", "2020-02-29", "2020-05-04T10:00:00Z", "2020-05-04T10:00:00.123+02:00"])
    }

    fn late() -> Bodies {
        one_of(&["2024", "2024-12", "2025-01-31", "2025-05-04T10:00:00Z", "2025-05-04T10:00:00.5-05:00"])
    }

    fn code() -> Bodies {
        let (system, code) = (one_of(&["http://snomed.info/sct", "urn:oid:1.2.3"]), one_of(&["1", "a-b", "two words"]));
        object(vec![("system", maybe(system)), ("code", code), ("display", maybe(words()))])
    }

    fn attachments() -> Bodies {
        subsequence(vec!["b91", "b92", "b93"], 0..=3).prop_map(|ids| json!(ids)).boxed()
    }

    fn parties(types: &'static [&'static str]) -> Bodies {
        let one = (select(types), select(&["amina-okafor", "ravi-lund", "t1"][..]), "[a-z]{1,5}");
        let all = prop::collection::vec(one, 1..4);
        all.prop_map(|all| {
            let mut seen = Vec::new();
            let kept = all.into_iter().filter(|(kind, id, _)| {
                let is_new = !seen.contains(&(*kind, *id));
                seen.push((*kind, *id));
                is_new
            });
            Value::Array(kept.map(|(kind, id, name)| json!({ "type": kind, "id": id, "name": name })).collect())
        })
        .boxed()
    }

    pub fn measurement(only: Option<&'static str>) -> Bodies {
        let kinds: Vec<_> = TYPES.iter().filter(|one| only.is_none_or(|only| one.api_ref == only)).collect();
        let kind = select(kinds).prop_flat_map(|kind| {
            let units = object(vec![
                ("apiRef", Just(json!(kind.api_ref)).boxed()),
                ("unit", maybe(one_of(kind.units))),
                ("dateTaken", early()),
                ("comment", words()),
            ]);
            let second = if kind.components.is_some() { maybe(number()) } else { Just(Value::Null).boxed() };
            let pain = || (0_i64..=10).prop_map(Value::from).boxed();
            let value = if kind.api_ref == "painScore" { pain() } else { number() };
            let plain = object(vec![("value", value), ("value2", second)]);
            let valued = prop_oneof![4 => plain, 1 => object(vec![("valueText", words())])];
            (units, valued).prop_map(|(mut body, valued)| {
                let own = valued.as_object().unwrap().clone();
                // A unit is of a number.
                if own.contains_key("valueText") {
                    body["unit"] = Value::Null;
                }
                body.as_object_mut().unwrap().extend(own);
                body
            })
        });
        kind.boxed()
    }

    pub fn allergy() -> Bodies {
        let onset = prop_oneof![early(), words()].boxed();
        let reactions = subsequence(vec!["Hives", "Rash", "Swelling", "Cough"], 1..=4).prop_shuffle();
        object(vec![
            ("substance", words()),
            ("substanceCode", maybe(code())),
            ("onsetOfSymptoms", maybe(onset)),
            ("reactions", reactions.prop_map(|all| json!(all)).boxed()),
            ("severity", maybe(one_of(&["MILD", "MODERATE", "SEVERE"]))),
            ("criticality", maybe(one_of(&["LOW", "HIGH", "UNKNOWN"]))),
            ("status", one_of(&["ACTIVE", "INACTIVE", "RESOLVED"])),
        ])
    }

    pub fn medication() -> Bodies {
        let dose = prop_oneof![
            object(vec![("doseValue", number()), ("doseUnit", maybe(words()))]),
            object(vec![("doseValue", Just(Value::Null).boxed())]),
        ];
        let own = object(vec![
            ("substance", words()),
            ("substanceCode", maybe(code())),
            ("startDate", maybe(early())),
            ("endDate", maybe(late())),
            ("frequency", maybe(words())),
            ("status", one_of(&["CURRENT", "PAST"])),
        ]);
        joined(own, dose.boxed())
    }

    fn joined(one: Bodies, other: Bodies) -> Bodies {
        let join = |(mut one, other): (Value, Value)| {
            one.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
            one
        };
        (one, other).prop_map(join).boxed()
    }

    pub fn diagnosis() -> Bodies {
        let ended = prop_oneof![
            object(vec![("status", one_of(&["INACTIVE", "RESOLVED"])), ("endDate", maybe(late()))]),
            object(vec![("status", Just(json!("ACTIVE")).boxed())]),
        ];
        let own = object(vec![
            ("name", words()),
            ("code", maybe(code())),
            ("onsetDate", maybe(early())),
            ("comment", words()),
        ]);
        joined(own, ended.boxed())
    }

    pub fn symptom() -> Bodies {
        object(vec![
            ("name", words()),
            ("code", maybe(code())),
            ("severity", maybe((0_i64..=10).prop_map(Value::from).boxed())),
            ("dateStarted", early()),
            ("dateEnded", maybe(late())),
            ("comment", words()),
        ])
    }

    pub fn journal() -> Bodies {
        object(vec![("title", maybe(words())), ("text", words()), ("date", early()), ("attachments", attachments())])
    }

    pub fn test_result() -> Bodies {
        let measured = object(vec![
            ("value", number()),
            ("comparator", maybe(one_of(&["<", "<=", ">=", ">"]))),
            ("unit", maybe(words())),
        ]);
        let valued = prop_oneof![measured, object(vec![("valueText", words())])];
        let own = object(vec![
            ("testId", one_of(&["http://loinc.org|4548-4", "http://loinc.org|718-7", "HB"])),
            ("name", words()),
            ("referenceLow", maybe(number())),
            ("referenceHigh", maybe(number())),
            ("referenceText", words()),
            ("interpretation", one_of(&["H", "L", "<", "rather high"])),
            ("dateTaken", early()),
            ("comment", words()),
        ]);
        joined(own, valued.boxed())
    }

    pub fn appointment() -> Bodies {
        object(vec![
            ("status", one_of(&["ACTIVE", "CANCELLED", "DNA"])),
            ("subject", words()),
            ("description", maybe(words())),
            ("start", one_of(&["2026-12-01T09:30:00Z", "2026-12-01T09:30:00.5+01:00"])),
            ("end", maybe(one_of(&["2026-12-01T10:30:00Z", "2026-12-02T00:00:00-01:00"]))),
            ("location", maybe(words())),
            ("participants", parties(&["PATIENT", "PROFESSIONAL", "CARER", "TEAM"])),
        ])
    }

    pub fn plan() -> Bodies {
        let part = || maybe(prop_oneof![words(), Just(json!("<p>Ring us, <b>soon</b>.</p>"))].boxed());
        object(vec![
            ("name", words()),
            ("status", one_of(&["ACTIVE", "ENDED"])),
            ("reviewDate", maybe(one_of(&["2027", "2027-03", "2027-03-01"]))),
            ("actionPlan", part()),
            ("green", part()),
            ("amber", part()),
            ("red", part()),
            ("attachments", attachments()),
        ])
    }

    pub fn message() -> Bodies {
        object(vec![
            ("conversationId", maybe(words())),
            ("subject", maybe(words())),
            ("content", one_of(&["The new mask leaks.", "<p>x</p>", "plain"])),
            ("html", one_of(&["left out"])),
            ("attachments", attachments()),
            ("recipients", parties(&["PATIENT", "PROFESSIONAL", "CARER", "TEAM"])),
            ("inReplyTo", maybe(one_of(&["q0", "q9"]))),
            ("private", any::<bool>().prop_map(Value::from).boxed()),
            ("status", one_of(&["DRAFT", "SENT"])),
        ])
    }

    pub fn document() -> Bodies {
        let typed = prop_oneof![
            object(vec![("type", one_of(&["CLINIC_LETTER", "DISCHARGE_SUMMARY", "REFERRAL_LETTER"]))]),
            object(vec![("type", Just(json!("OTHER")).boxed()), ("typeText", maybe(words()))]),
        ];
        let own = object(vec![
            ("title", words()),
            ("class", one_of(&["OUT_PATIENT", "HOME", "OTHER"])),
            ("date", prop_oneof![early(), late()].boxed()),
            ("hiddenDays", (0_i64..=30).prop_map(Value::from).boxed()),
            ("plannedPostalDate", maybe(one_of(&["2026-11-16", "2026"]))),
            ("attachments", subsequence(vec!["b91", "b92", "b93"], 1..=3).prop_map(|ids| json!(ids)).boxed()),
        ]);
        joined(own, typed.boxed())
    }
}

/// A value that was sent beside what is shown: attachments are sent by their ids, and names belong to whom they are of.
fn is_shown(sent: &Value, shown: &Value) -> bool {
    match (sent, shown) {
        (Value::Number(sent), Value::Number(shown)) => sent.as_f64() == shown.as_f64(),
        (Value::Array(sent), Value::Array(shown)) => {
            sent.len() == shown.len() && sent.iter().zip(shown).all(|(sent, shown)| is_shown(sent, shown))
        }
        (Value::String(_), Value::Object(attachment)) => attachment.get("id") == Some(sent),
        (Value::Object(sent), Value::Object(shown)) => {
            sent.iter().all(|(name, value)| is_shown(value, shown.get(name).unwrap_or(&Value::Null)))
        }
        _ => sent == shown,
    }
}

/// Holds what is shown to what was sent: a member that was left out is null, or what the service makes of it.
pub fn hold_shown<V: View>(resource: &Node<'_>, body: &Value) {
    let shown = shown_value::<V>(resource);
    let sent: &Map<String, Value> = body.as_object().unwrap();
    for (name, value) in sent {
        let mut own = shown[name].clone();
        if name == "unit" && value.is_null() {
            // The type's first unit, or the one that was there.
            continue;
        }
        if name == "participants" || name == "recipients" {
            own = among(value, &own);
        }
        let (value, own) = if name == "attachments" { (sorted(value), sorted(&own)) } else { (value.clone(), own) };
        assert!(is_shown(&value, &own), "{} {name}: sent {value}, shown {own}\n{}", V::KIND, print(resource));
    }
    let optional = ["comment", "endDate", "dateEnded", "frequency", "valueText", "amber", "title", "location"];
    for name in optional.iter().filter(|name| V::MEMBERS.contains(*name) && !sent.contains_key(**name)) {
        assert!(shown[*name].is_null(), "{} {name} was left out and is {}", V::KIND, shown[*name]);
    }
}

/// Those of the shown who were sent, in the order of what was sent: the patient is always there.
fn among(sent: &Value, shown: &Value) -> Value {
    let same = |one: &Value, other: &Value| one["id"] == other["id"] && one["type"] == other["type"];
    let shown = shown.as_array().unwrap();
    let found = sent.as_array().unwrap().iter().filter_map(|one| shown.iter().find(|other| same(one, other)));
    // Names of those who were there stay theirs in a list of recipients.
    let named = found.map(|one| serde_json::json!({ "type": one["type"], "id": one["id"], "name": one["name"] }));
    Value::Array(named.collect())
}

fn sorted(attachments: &Value) -> Value {
    let id = |one: &Value| one.as_str().or_else(|| one["id"].as_str()).unwrap_or_default().to_owned();
    let mut ids: Vec<String> = attachments.as_array().unwrap().iter().map(id).collect();
    ids.sort();
    serde_json::json!(ids)
}

/// A body makes FHIR of the kind's type that is shown as what was sent; and what is shown makes the same again.
fn hold<V: View>(body: &Value) {
    let made = created::<V>(&body.to_string()).unwrap_or_else(|error| panic!("{error:?} for {body}"));
    assert_eq!(issues(&made), [""; 0], "{body}\n{}", print(&made));
    assert!(V::TYPES.contains(&type_of(&made)));
    hold_shown::<V>(&made, body);
    let shown = shown_value::<V>(&made);
    let again = created::<V>(&shown.to_string()).unwrap_or_else(|error| panic!("{error:?} for {shown}"));
    assert_eq!(shown_value::<V>(&again), shown, "{body}");
}

/// One property for each kind.
macro_rules! round_trips {
    ($($name:ident: $view:ty, $bodies:expr;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(body in $bodies) {
                    hold::<$view>(&body);
                }
            )+
        }
    };
}

round_trips! {
    a_measurement_that_is_sent_is_fhir_and_is_shown: Measurement, bodies::measurement(None);
    an_allergy_that_is_sent_is_fhir_and_is_shown: Allergy, bodies::allergy();
    a_medication_that_is_sent_is_fhir_and_is_shown: Medication, bodies::medication();
    a_diagnosis_that_is_sent_is_fhir_and_is_shown: Diagnosis, bodies::diagnosis();
    a_symptom_that_is_sent_is_fhir_and_is_shown: Symptom, bodies::symptom();
    a_journal_entry_that_is_sent_is_fhir_and_is_shown: JournalEntry, bodies::journal();
    a_test_result_that_is_sent_is_fhir_and_is_shown: TestResult, bodies::test_result();
    an_appointment_that_is_sent_is_fhir_and_is_shown: Appointment, bodies::appointment();
    a_plan_that_is_sent_is_fhir_and_is_shown: Plan, bodies::plan();
    a_message_that_is_sent_is_fhir_and_is_shown: Message, bodies::message();
    a_document_that_is_sent_is_fhir_and_is_shown: Document, bodies::document();
}
