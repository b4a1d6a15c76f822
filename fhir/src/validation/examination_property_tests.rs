//! What holds for whatever is sent.

use super::tests::{EXPECTATION, issues, patient};
use super::validate;
use crate::issue::{Class, class};
use crate::structure::structure;
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let words = [
        "name",
        "given",
        "_given",
        "text",
        "div",
        "status",
        "extension",
        "url",
        "valueString",
        "valueQuantity",
        "contained",
        "resourceType",
        "Patient",
        "id",
        "reference",
        "#a",
        "period",
        "start",
        "end",
        "2020",
        "entry",
        "resource",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(words.to_vec()).prop_map(Value::from),
        "[ -~é]{0,8}".prop_map(Value::from)
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        let names = proptest::sample::select(words.to_vec()).prop_map(String::from);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((names, inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_sent_is_examined_and_what_is_wrong_is_in_the_resource(
        mut resource in any_json(), type_name in proptest::sample::select(vec!["Patient", "Observation", "Bundle", "Parameters"])
    ) {
        if let Some(members) = resource.as_object_mut() {
            members.insert("resourceType".into(), type_name.into());
            for issue in validate(&resource.to_string(), &EXPECTATION) {
                prop_assert!(issue.expression.starts_with(type_name), "{}", issue.expression);
            }
        } else {
            prop_assert_eq!(class(&validate(&resource.to_string(), &EXPECTATION)), Some(Class::NotFhir));
        }
    }

    #[test]
    fn a_member_of_another_name_makes_a_good_resource_a_bad_one(name in "[a-z]{1,12}", value in any_json()) {
        let known = structure("Patient").unwrap();
        prop_assume!(known.member(&name).is_none());
        let mut wrong = patient(json!({}));
        wrong[&name] = value;
        prop_assert_eq!(issues(&wrong), [("structure", format!("Patient.{name}"))]);
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,64}") {
        prop_assert!(!validate(&text, &EXPECTATION).is_empty());
    }
}
