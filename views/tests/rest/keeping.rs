//! What an update leaves alone: every element that the view does not show, and the spelling of what did not change.

use crate::kit::{issues, shown_value, tree, updated};
use crate::round_trips::{bodies, hold_shown};
use crate::specimens;
use fhir::json::{Node, print};
use proptest::prelude::*;
use serde_json::{Value, json};
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

/// The texts of a tree that say that they are to be kept, in the order of the alphabet.
fn kept(node: &Node<'_>) -> Vec<String> {
    fn collect(node: &Node<'_>, found: &mut Vec<String>) {
        match node {
            Node::Text(words) if words.contains("kept") => found.push(words.to_string()),
            Node::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Node::Object(members) => members.iter().for_each(|(_, value)| collect(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(node, &mut found);
    found.sort();
    found
}

/// A specimen is valid FHIR, and a PUT of what is shown of it changes nothing at all.
fn unchanged<V: View>(specimen: &str) {
    let before = tree(specimen);
    assert_eq!(issues(&before), [""; 0], "{}", V::KIND);
    let shown = shown_value::<V>(&before);
    let after = updated::<V>(&before, &shown.to_string()).unwrap();
    assert_eq!(print(&after), print(&before), "{}", V::KIND);
}

#[test]
fn a_put_of_what_was_shown_changes_no_byte() {
    unchanged::<Measurement>(specimens::MEASUREMENT);
    unchanged::<Allergy>(specimens::ALLERGY);
    unchanged::<Medication>(specimens::MEDICATION);
    unchanged::<Medication>(specimens::REQUEST);
    unchanged::<Diagnosis>(specimens::DIAGNOSIS);
    unchanged::<Symptom>(specimens::SYMPTOM);
    unchanged::<JournalEntry>(specimens::JOURNAL);
    unchanged::<TestResult>(specimens::RESULT);
    unchanged::<Appointment>(specimens::APPOINTMENT);
    unchanged::<Plan>(specimens::PLAN);
    unchanged::<Message>(specimens::MESSAGE);
    unchanged::<Document>(specimens::DOCUMENT);
}

/// What may go with a value that changed: `losable` texts belong to the old value.
fn hold<V: View>(specimen: &str, body: &Value, losable: &[&str]) {
    let before = tree(specimen);
    let after = updated::<V>(&before, &body.to_string()).unwrap_or_else(|error| panic!("{error:?} for {body}"));
    let expected: Vec<String> = kept(&before).into_iter().filter(|text| !losable.contains(&text.as_str())).collect();
    let found: Vec<String> = kept(&after).into_iter().filter(|text| !losable.contains(&text.as_str())).collect();
    assert_eq!(found, expected, "{} {body}\n{}", V::KIND, print(&after));
    assert_eq!(issues(&after), [""; 0], "{body}\n{}", print(&after));
    hold_shown::<V>(&after, body);
}

/// One property for each kind: its specimen, what is sent, and what goes with a value that changed.
macro_rules! keeping {
    ($($name:ident: $view:ty, $specimen:ident, $bodies:expr, $losable:expr;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(body in $bodies) {
                    hold::<$view>(specimens::$specimen, &body, &$losable);
                }
            )+
        }
    };
}

keeping! {
    // A component goes with its number, where a blood pressure has one number or none.
    a_measurement_keeps_what_is_not_shown: Measurement, MEASUREMENT, bodies::measurement(Some("bloodPressure")),
        ["kept-unit", "kept-systolic", "kept-quantity", "kept-interpretation"];
    // Codings in other systems go with the code that they say again.
    an_allergy_keeps_what_is_not_shown: Allergy, ALLERGY, bodies::allergy(), ["kept-coding"];
    a_medication_keeps_what_is_not_shown: Medication, MEDICATION, bodies::medication(), ["kept-coding", "kept-dose"];
    a_request_keeps_what_is_not_shown: Medication, REQUEST, bodies::medication(), [];
    a_diagnosis_keeps_what_is_not_shown: Diagnosis, DIAGNOSIS, bodies::diagnosis(), ["kept-coding"];
    a_symptom_keeps_what_is_not_shown: Symptom, SYMPTOM, bodies::symptom(), ["kept-coding"];
    a_journal_entry_keeps_what_is_not_shown: JournalEntry, JOURNAL, bodies::journal(), [];
    // What is no number any more has no quantity.
    a_test_result_keeps_what_is_not_shown: TestResult, RESULT, bodies::test_result(), ["kept-coding", "kept-quantity"];
    an_appointment_keeps_what_is_not_shown: Appointment, APPOINTMENT, bodies::appointment(), ["kept-place"];
    a_plan_keeps_what_is_not_shown: Plan, PLAN, bodies::plan(), [];
    a_message_keeps_what_is_not_shown: Message, MESSAGE, bodies::message(), [];
    // Another type in words replaces the codes of the one before.
    a_document_keeps_what_is_not_shown: Document, DOCUMENT, bodies::document(), ["kept-type", "urn:kept-format"];
}

#[test]
fn a_number_keeps_its_spelling_where_it_is_worth_the_same() {
    let mut body = shown_value::<Medication>(&tree(specimens::MEDICATION));
    body["doseValue"] = json!(1.5);
    body["frequency"] = json!("once a day");
    let after = print(&updated::<Medication>(&tree(specimens::MEDICATION), &body.to_string()).unwrap());
    assert!(after.contains(r#""value":1.50"#) && after.contains("once a day"), "{after}");
}

#[test]
fn a_finer_status_stays_where_the_view_says_the_same() {
    let status = |specimen: &str, status: &str| {
        let mut body = shown_value::<Appointment>(&tree(specimen));
        body["status"] = json!(status);
        let after = updated::<Appointment>(&tree(specimen), &body.to_string()).unwrap();
        after.get("status").and_then(Node::text).unwrap().to_owned()
    };
    assert_eq!(status(specimens::APPOINTMENT, "ACTIVE"), "arrived");
    assert_eq!(status(specimens::APPOINTMENT, "DNA"), "noshow");
    assert_eq!(status(specimens::APPOINTMENT, "CANCELLED"), "cancelled");
}

#[test]
fn a_label_that_is_not_sent_stays_and_another_takes_its_place() {
    let before = tree(specimens::MEASUREMENT);
    let mut body = shown_value::<Measurement>(&before);
    body["privacyLabel"] = Value::Null;
    assert_eq!(
        shown_value::<Measurement>(&updated::<Measurement>(&before, &body.to_string()).unwrap())["privacyLabel"],
        "GENERAL_HEALTH"
    );
    body["privacyLabel"] = json!("SEXUAL_HEALTH");
    let after = updated::<Measurement>(&before, &body.to_string()).unwrap();
    assert_eq!(shown_value::<Measurement>(&after)["privacyLabel"], "SEXUAL_HEALTH");
    assert!(kept(&after).contains(&"kept-security".to_owned()) && !print(&after).contains("GENERAL_HEALTH"));
}
