//! FHIR as it comes: whole invented records, and resources in which anything may be missing or of another sort.

use crate::kit::{shown_value, tree, updated};
use crate::specimens;
use fhir::json::{Node, print};
use people::Person;
use proptest::prelude::*;
use std::collections::BTreeMap;
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::document::Document;
use views::kinds::journal::JournalEntry;
use views::kinds::log_line::{LogFacts, LogLine};
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::message::Message;
use views::kinds::person::{PatientFacts, Person as User};
use views::kinds::plan::Plan;
use views::kinds::symptom::Symptom;
use views::kinds::test_result::TestResult;
use views::section::Section;
use views::view::View;

/// Shows a resource, if it is of the kind; a PUT of what is shown is refused in words, or changes nothing.
fn seen<V: View>(resource: &Node<'_>, seen: &mut BTreeMap<&'static str, usize>) {
    if crate::kit::shown::<V>(resource).is_none() {
        return;
    }
    *seen.entry(V::KIND).or_default() += 1;
    if let Ok(after) = updated::<V>(resource, &shown_value::<V>(resource).to_string()) {
        assert_eq!(print(&after), print(resource), "{}", V::KIND);
    }
}

fn seen_by_all(resource: &Node<'_>) -> BTreeMap<&'static str, usize> {
    let mut views = BTreeMap::new();
    seen::<Measurement>(resource, &mut views);
    seen::<TestResult>(resource, &mut views);
    seen::<Symptom>(resource, &mut views);
    seen::<JournalEntry>(resource, &mut views);
    seen::<Allergy>(resource, &mut views);
    seen::<Medication>(resource, &mut views);
    seen::<Diagnosis>(resource, &mut views);
    seen::<Appointment>(resource, &mut views);
    seen::<Plan>(resource, &mut views);
    seen::<Message>(resource, &mut views);
    seen::<Document>(resource, &mut views);
    views
}

#[test]
fn every_item_of_an_invented_record_is_in_one_view_at_most_and_a_put_of_it_changes_nothing() {
    let mut views: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..6 {
        for text in Person::drawn(7, number, "Organization/x").resources(3) {
            let own = seen_by_all(&tree(&text));
            assert!(own.len() <= 1, "{own:?}: {text}");
            own.into_iter().for_each(|(kind, count)| *views.entry(kind).or_default() += count);
        }
    }
    for kind in ["Measurement", "Test result", "Allergy", "Medication", "Diagnosis", "Appointment", "Document"] {
        assert!(views.contains_key(kind), "{kind}: {views:?}");
    }
}

const SPECIMENS: [&str; 12] = [
    specimens::MEASUREMENT,
    specimens::ALLERGY,
    specimens::MEDICATION,
    specimens::REQUEST,
    specimens::DIAGNOSIS,
    specimens::SYMPTOM,
    specimens::JOURNAL,
    specimens::RESULT,
    specimens::APPOINTMENT,
    specimens::PLAN,
    specimens::MESSAGE,
    specimens::DOCUMENT,
];

/// Changes the value that is the nth on the way through a tree.
fn change(node: &mut Node<'static>, left: &mut usize, into: &Node<'static>) {
    if *left == 0 {
        *node = into.clone();
        *left = usize::MAX;
        return;
    }
    *left = left.saturating_sub(1);
    let children: Vec<&mut Node<'static>> = match node {
        Node::Array(items) => items.iter_mut().collect(),
        Node::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    for child in children {
        if *left == usize::MAX {
            return;
        }
        change(child, left, into);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_stands_in_an_element_is_shown_or_not_and_never_breaks_a_view(
        specimen in 0..SPECIMENS.len(),
        changes in prop::collection::vec((0_usize..90, 0..6_usize), 1..5),
    ) {
        let mut resource = tree(SPECIMENS[specimen]);
        let into = ["null", "3", "\"x\"", "[]", "{}", "[{\"reference\":\"#\"}]"];
        for (place, kind) in changes {
            // The type and the id stay: without them it is no resource.
            change(&mut resource, &mut (place + 3), &tree(into[kind]));
        }
        resource.set("id", Node::Text("odd".into()));
        let views = seen_by_all(&resource);
        prop_assert!(views.len() <= 1, "{views:?}");
        let _ = (Section::of(&resource, false), User::patient("x", Some(&resource), PatientFacts::default()));
        let _ = LogLine::of(&resource, LogFacts::default());
    }
}
