//! The examples of docs/rest.md: what is printed there comes out of the FHIR that it describes, member by member.

use crate::kit::{PAGE, created, facts, issues, shown, shown_value, tree};
use crate::specimens;
use fhir::json::Node;
use serde_json::Value;
use views::elements::party::{Party, PartyType};
use views::elements::source::{ItemSource, SourceType};
use views::facts::Facts;
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::document::Document;
use views::kinds::log_line::{LogApp, LogFacts, LogLine};
use views::kinds::measurement::Measurement;
use views::kinds::message::Message;
use views::kinds::person::{PatientFacts, Person};
use views::kinds::plan::Plan;
use views::kinds::test_result::TestResult;
use views::section::Section;
use views::view::{View, show};

/// The example that begins so, without the ends of lines.
fn example(begins: &str) -> String {
    let mut blocks = PAGE.split("```json\n").skip(1).filter_map(|block| block.split("```").next());
    let found = blocks.find(|block| block.starts_with(begins)).unwrap_or_else(|| panic!("no example begins {begins}"));
    found.lines().map(str::trim_start).collect()
}

/// Holds what is shown to an example that leaves the item members out: the same values, its own members in the same order.
fn hold<V: View>(begins: &str, node: &Node<'_>, facts: &Facts<'_>) {
    let example: Value = serde_json::from_str(&example(begins)).unwrap();
    let shown = serde_json::to_value(show::<V>(node, facts).unwrap()).unwrap();
    for (name, value) in example.as_object().unwrap() {
        assert_eq!(&shown[name], value, "{name}");
    }
    let own = |value: &Value| -> Vec<String> {
        let names = value.as_object().unwrap().keys().filter(|name| V::MEMBERS.contains(&name.as_str()));
        names.filter(|name| example.get(name.as_str()).is_some()).cloned().collect()
    };
    assert_eq!(own(&shown), own(&example));
}

#[test]
fn a_blood_pressure_is_shown_to_the_letter() {
    let text = r#"{"resourceType":"Observation","id":"7f0c…","meta":{"security":[{"system":"urn:recordgate:privacy-label","code":"GENERAL_HEALTH"}]},
        "identifier":[{"system":"urn:recordgate:external-id","value":"watch-8812"}],"status":"final",
        "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"}]},"effectiveDateTime":"2026-11-15T07:58:00Z",
        "component":[{"code":{"coding":[{"system":"http://loinc.org","code":"8480-6"}]},"valueQuantity":{"value":124,"system":"http://unitsofmeasure.org","code":"mm[Hg]"}},
         {"code":{"coding":[{"system":"http://loinc.org","code":"8462-4"}]},"valueQuantity":{"value":81,"system":"http://unitsofmeasure.org","code":"mm[Hg]"}}]}"#;
    let shown = show::<Measurement>(&tree(text), &facts()).unwrap();
    assert_eq!(serde_json::to_string(&shown).unwrap(), example(r#"{"id":"7f0c"#));
}

#[test]
fn a_patient_is_shown_to_the_letter() {
    let patient = tree(
        r#"{"resourceType":"Patient","id":"amina-okafor","name":[{"use":"official","prefix":["Ms"],"given":["Amina"],"family":"Okafor"}],
        "identifier":[{"system":"https://fhir.nhs.uk/Id/nhs-number","value":"9990000018"}],"birthDate":"1988-03-14","gender":"female",
        "telecom":[{"system":"email","value":"amina@example.org"}],
        "address":[{"line":["3 Mill Row"],"city":"Larkfield","postalCode":"LK1 2AB","country":"GB-ENG"}]}"#,
    );
    let measured = |api_ref: &str, value: &str, unit: &str| {
        let code = if api_ref == "height" { "8302-2" } else { "29463-7" };
        let node = tree(&format!(
            r#"{{"resourceType":"Observation","status":"final","code":{{"coding":[{{"system":"http://loinc.org","code":"{code}"}}]}},
            "valueQuantity":{{"value":{value},"system":"http://unitsofmeasure.org","code":"{unit}"}}}}"#
        ));
        Measurement::of(&node, &facts()).unwrap()
    };
    let (height, weight) = (measured("height", "168", "cm"), measured("weight", "64.5", "kg"));
    let facts = PatientFacts { account_name: "", height: Some(&height), weight: Some(&weight) };
    let person = Person::patient("amina-okafor", Some(&patient), facts);
    assert_eq!(serde_json::to_string(&person).unwrap(), example(r#"{"id":"amina-okafor""#));
    let inches = measured("height", "66", "[in_i]");
    let facts = PatientFacts { height: Some(&inches), ..PatientFacts::default() };
    let person = Person::patient("amina-okafor", Some(&patient), facts);
    assert_eq!((person.height_cm.as_deref(), person.height_inches.as_deref()), (Some("167.6"), Some("6")));
}

#[test]
fn the_members_of_a_user_are_32_and_a_banner_fills_few_of_them() {
    let person = Person { last_name: Some("Okafor".into()), email: Some("x".into()), ..Person::default() };
    let banner = serde_json::to_value(person.banner()).unwrap();
    assert_eq!(banner.as_object().unwrap().len(), 32);
    assert_eq!((&banner["lastName"], &banner["email"]), (&Value::from("Okafor"), &Value::Null));
}

#[test]
fn who_has_died_on_an_unknown_day_is_deceased_without_a_date() {
    let patient = tree(r#"{"resourceType":"Patient","deceasedBoolean":true,"name":[{"family":"X"}]}"#);
    let person = Person::patient("x", Some(&patient), PatientFacts::default());
    assert!(person.deceased && person.date_deceased.is_none());
    let unborn =
        Person::patient("x", None, PatientFacts { account_name: "Ms Amina Okafor", ..PatientFacts::default() });
    assert_eq!((unborn.first_name.as_deref(), unborn.deceased), (Some("Amina"), false));
}

#[test]
fn an_allergy_is_made_of_its_example_and_shown_as_it() {
    let begins = r#"{"substance":"Penicillin""#;
    let mut made = created::<Allergy>(&example(begins)).unwrap();
    assert_eq!(issues(&made), [""; 0]);
    made.set("id", Node::Text("a".into()));
    hold::<Allergy>(begins, &made, &facts());
}

#[test]
fn a_test_result_is_shown_with_its_report() {
    let report = tree(
        r#"{"resourceType":"DiagnosticReport","id":"c1d2…","status":"final","code":{"text":"Diabetes profile"},
        "category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v2-0074","code":"LAB"}]}]}"#,
    );
    let mut result = tree(specimens::RESULT);
    result.remove("note");
    result.remove("category");
    let begins = r#"{"testId""#;
    hold::<TestResult>(begins, &result, &Facts { report: Some(&report), ..facts() });
    assert_eq!(show::<TestResult>(&result, &facts()), None, "no laboratory says so");
}

#[test]
fn an_appointment_is_made_of_its_example_and_shown_as_it() {
    let begins = r#"{"status":"ACTIVE","subject""#;
    let mut made = created::<Appointment>(&example(begins)).unwrap();
    assert_eq!(issues(&made), [""; 0]);
    made.set("id", Node::Text("a".into()));
    hold::<Appointment>(begins, &made, &facts());
}

#[test]
fn a_plan_is_made_of_its_example_and_shown_as_it() {
    let begins = r#"{"patientId":"amina-okafor","name":"Sleep plan""#;
    let mut made = created::<Plan>(&example(begins)).unwrap();
    assert_eq!(issues(&made), [""; 0]);
    made.set("id", Node::Text("a".into()));
    hold::<Plan>(begins, &made, &facts());
    let outline = serde_json::to_value(shown::<Plan>(&made).unwrap().view.outline()).unwrap();
    assert!(
        outline["name"].is_string()
            && ["actionPlan", "green", "amber", "red"].iter().all(|part| outline.get(part).is_none())
    );
}

#[test]
fn a_message_is_made_of_its_example_and_shown_to_its_sender_as_it() {
    let begins = r#"{"patientId":"amina-okafor","conversationId""#;
    let example: Value = serde_json::from_str(&example(begins)).unwrap();
    let made = created::<Message>(&example.to_string()).unwrap();
    assert_eq!(issues(&made), [""; 0]);
    let shown = shown_value::<Message>(&made);
    for (name, value) in example.as_object().unwrap().iter().filter(|(name, _)| *name != "recipients") {
        assert_eq!(&shown[name], value, "{name}");
    }
    assert_eq!(shown["recipients"][0]["id"], example["recipients"][0]["id"]);
    assert_eq!(shown["sender"]["type"], "PATIENT");
}

#[test]
fn a_document_is_shown_as_its_example_says() {
    let mut document = tree(&specimens::DOCUMENT.replace("Binary/b91", "Binary/b91…"));
    document.set("id", Node::Text("f1".into()));
    // The ids of the page are cut short; whatever is no id of ours is not shown.
    assert!(show::<Document>(&document, &facts()).unwrap().view.attachments.is_empty());
    let example: Value = serde_json::from_str(&example(r#"{"title":"Clinic letter""#)).unwrap();
    let shown = shown_value::<Document>(&tree(specimens::DOCUMENT));
    for (name, value) in example.as_object().unwrap().iter().filter(|(name, _)| *name != "attachments") {
        assert_eq!(&shown[name], value, "{name}");
    }
    let (mut told, shown) = (example["attachments"][0].clone(), &shown["attachments"][0]);
    told["id"] = "b91".into();
    assert_eq!(&told, shown);
}

#[test]
fn a_line_of_the_log_is_shown_to_the_letter() {
    let event = tree(
        r#"{"resourceType":"AuditEvent","id":"1","type":{"code":"rest"},"action":"R","recorded":"2026-11-15T19:22:00.311Z",
        "agent":[{"requestor":true,"who":{"display":"Dr Ravi Lund"}}],"source":{"observer":{"display":"Recordgate"}},
        "entity":[{"what":{"reference":"Patient/amina-okafor"},"detail":[{"type":"times","valueString":"14"},{"type":"right","valueString":"glass"}]},
          {"what":{"reference":"Observation/91…"}}]}"#,
    );
    let facts = LogFacts {
        section: Some(Section::Tests),
        who: Some(Party {
            party_type: PartyType::Professional,
            id: "ravi-lund".into(),
            name: Some("Dr Ravi Lund".into()),
        }),
        team: Some("Practice Team".into()),
        organisation: Some("Marsh Lane Surgery".into()),
        app: Some(LogApp { product: "Ward View".into(), owner: Some("Example Ltd".into()) }),
        reason: Some("unconscious".into()),
        ..LogFacts::default()
    };
    let line = LogLine::of(&event, facts).unwrap();
    assert_eq!(serde_json::to_string(&line).unwrap(), example(r#"{"when""#));
    let source = ItemSource { source_type: SourceType::Team, id: "1".into(), name: None };
    assert_eq!(serde_json::to_string(&source).unwrap(), r#"{"type":"TEAM","id":"1","name":null}"#);
}
