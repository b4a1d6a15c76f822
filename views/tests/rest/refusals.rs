//! What is refused: each fault by its member, all of them at once.

use crate::kit::{created, shown_value, tree, updated, write_facts};
use crate::specimens;
use rules::rest_errors::RestError;
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
use views::sent::{Sent, one_or_several};
use views::view::{self, View};

/// Status and words of a refusal.
fn refused<V: View>(body: &str) -> (u16, String) {
    told(created::<V>(body).map(|_| ()))
}

fn told(result: Result<(), RestError>) -> (u16, String) {
    let answer = result.expect_err("it was not refused").answer();
    (answer.status, answer.message.into_owned())
}

fn missing<V: View>() -> String {
    let (status, words) = refused::<V>("{}");
    assert_eq!(status, 400);
    words
}

#[test]
fn what_must_be_sent_is_what_section_14_says() {
    assert_eq!(
        missing::<Measurement>(),
        "missing member apiRef; missing member value or valueText; missing member dateTaken"
    );
    assert_eq!(missing::<Allergy>(), "missing member substance or substanceCode");
    assert_eq!(missing::<Medication>(), "missing member substance or substanceCode");
    assert_eq!(missing::<Diagnosis>(), "missing member name or code");
    assert_eq!(missing::<Symptom>(), "missing member name or code; missing member dateStarted");
    assert_eq!(missing::<JournalEntry>(), "missing member text; missing member date");
    let result = "missing member testId or name; missing member value or valueText; missing member dateTaken";
    assert_eq!(missing::<TestResult>(), result);
    assert_eq!(missing::<Appointment>(), "missing member status; missing member start; missing member subject");
    assert_eq!(missing::<Plan>(), "missing member name; missing member status");
    assert_eq!(missing::<Message>(), "missing member content or attachments; missing member recipients");
    assert_eq!(missing::<Document>(), "missing member title; missing member date; missing member attachments");
}

#[test]
fn wrong_types_and_unknown_members_are_named_all_at_once() {
    let body = json!({ "apiRef": 1, "value": "64.5", "unit": [], "dateTaken": 2026, "comment": {}, "colour": "red",
        "privacyLabel": 3, "externalId": false, "version": "1" });
    let (status, words) = refused::<Measurement>(&body.to_string());
    assert_eq!(status, 400);
    for member in ["apiRef", "value", "unit", "dateTaken", "comment", "privacyLabel", "externalId", "version"] {
        assert!(
            words.split("; ").any(|fault| fault.starts_with(&format!("{member}: must be "))),
            "{member} in {words}"
        );
    }
    assert!(words.contains("unknown member colour"), "{words}");
}

#[test]
fn values_that_cannot_be_are_named_all_at_once() {
    let body = json!({ "apiRef": "painScore", "value": 11, "unit": "kg", "dateTaken": "2027-01-01", "comment": "",
        "privacyLabel": "SECRET" });
    let (status, words) = refused::<Measurement>(&body.to_string());
    assert_eq!(status, 422);
    let members: Vec<&str> =
        words.split("; ").filter_map(|fault| fault.split_once(": ")).map(|(name, _)| name).collect();
    assert_eq!(members, ["privacyLabel", "comment", "unit", "value", "dateTaken"], "{words}");
}

#[test]
fn a_date_must_be_one() {
    for wrong in ["2026-13", "2026-02-30", "yesterday", "", "2026-5-4", "10000", "2026-05-04T10:00", "0000-01-01"] {
        let body = json!({ "apiRef": "weight", "value": 64.5, "dateTaken": wrong });
        let (status, words) = refused::<Measurement>(&body.to_string());
        assert!(status == 422 && words.starts_with("dateTaken: must be a date"), "{wrong}: {words}");
    }
    let tomorrow = json!({ "apiRef": "weight", "value": 64.5, "dateTaken": "2026-11-16T08:00:00Z" });
    assert!(created::<Measurement>(&tomorrow.to_string()).is_ok());
}

#[test]
fn numbers_are_taken_however_they_are_written_and_only_numbers() {
    for good in ["1e2", "64.500", "1234567890123456789012345678901234567890", "-0.0"] {
        let body = format!(r#"{{"apiRef":"weight","value":{good},"dateTaken":"2026"}}"#);
        let made = created::<Measurement>(&body).unwrap();
        assert_eq!(made.get("valueQuantity").unwrap().get("value").unwrap().number(), Some(good));
    }
    for wrong in ["NaN", "Infinity", "1e999", "0x10", "01"] {
        let body = format!(r#"{{"apiRef":"weight","value":{wrong},"dateTaken":"2026"}}"#);
        assert_eq!(refused::<Measurement>(&body).0, 400, "{wrong}");
    }
}

#[test]
fn types_and_units_of_measurements_are_those_of_the_table() {
    let (status, words) = refused::<Measurement>(r#"{"apiRef":"mood","value":1,"dateTaken":"2026"}"#);
    assert!(
        status == 400 && words.starts_with("apiRef: must be one of the types of measurements: weight, height"),
        "{words}"
    );
    let (status, words) = refused::<Measurement>(r#"{"apiRef":"weight","value":1,"unit":"cm","dateTaken":"2026"}"#);
    assert_eq!((status, words.as_str()), (422, "unit: must be one of kg, [lb_av]"));
    let (status, words) = refused::<Measurement>(r#"{"apiRef":"weight","value":1,"value2":2,"dateTaken":"2026"}"#);
    assert!(status == 400 && words.starts_with("value2: is for bloodPressure only"), "{words}");
}

#[test]
fn an_array_is_made_as_a_whole_or_not_and_names_the_place_of_each_fault() {
    let good = json!({ "apiRef": "weight", "value": 64.5, "dateTaken": "2026" });
    let wrong = json!({ "apiRef": "weight", "value": 64.5, "dateTaken": "x" });
    let send = |items: Vec<Value>| {
        let sent = one_or_several::<Measurement>(&json!(items).to_string(), Measurement::demand)?;
        assert!(sent.is_array);
        view::create(&sent.items, &write_facts())
    };
    assert_eq!(send(vec![good.clone(); 100]).unwrap().len(), 100);
    let mut last_wrong = vec![good.clone(); 99];
    last_wrong.push(wrong.clone());
    last_wrong[4] = wrong;
    let (status, words) = told(send(last_wrong).map(|_| ()));
    let faults: Vec<&str> = words.split("; ").collect();
    assert!(status == 422 && faults.len() == 2, "{words}");
    assert!(faults[0].starts_with("[4].dateTaken: ") && faults[1].starts_with("[99].dateTaken: "), "{words}");
    for many in [0, 101] {
        let expected = format!("an array must have 1 to 100 objects, not {many}");
        assert_eq!(told(send(vec![good.clone(); many]).map(|_| ())), (400, expected));
    }
    assert_eq!(told(send(vec![json!(3)]).map(|_| ())), (400, "[0]: must be an object, not a number".into()));
}

#[test]
fn what_is_no_json_object_is_refused_in_words() {
    for body in ["", "{", "null", "3", "\"x\"", r#"{"apiRef":"weight","apiRef":"height"}"#, "[[]]"] {
        assert_eq!(refused::<Measurement>(body).0, 400, "{body}");
    }
    let deep = format!("{{\"comment\":{}1{}}}", "[".repeat(70), "]".repeat(70));
    assert!(refused::<Allergy>(&deep).1.contains("64 levels"));
}

#[test]
fn an_old_version_is_a_conflict() {
    let mut body = shown_value::<Allergy>(&tree(specimens::ALLERGY));
    body["version"] = json!(7);
    let (status, words) = told(updated::<Allergy>(&tree(specimens::ALLERGY), &body.to_string()).map(|_| ()));
    assert_eq!((status, words.as_str()), (409, "version 1 is current; 7 was sent"));
    let other = updated::<Measurement>(&tree(specimens::ALLERGY), r#"{"apiRef":"inr","value":1,"dateTaken":"2026"}"#);
    assert_eq!(told(other.map(|_| ())), (404, "Measurement not found".into()));
}

#[test]
fn ends_are_not_before_their_beginnings_and_what_is_active_has_none() {
    let times = [
        refused::<Diagnosis>(r#"{"name":"x","status":"RESOLVED","onsetDate":"2026-05","endDate":"2026-04"}"#),
        refused::<Medication>(r#"{"substance":"x","startDate":"2026-05","endDate":"2025"}"#),
        refused::<Symptom>(r#"{"name":"x","dateStarted":"2026-05-04","dateEnded":"2026-05-03"}"#),
    ];
    for ((status, words), start) in times.into_iter().zip(["onsetDate", "startDate", "dateStarted"]) {
        assert!(status == 422 && words.ends_with(&format!("must not be before {start}")), "{words}");
    }
    let (status, words) = refused::<Diagnosis>(r#"{"name":"x","status":"ACTIVE","endDate":"2026"}"#);
    assert_eq!((status, words.as_str()), (422, "endDate: must be null while status is ACTIVE"));
    assert!(created::<Medication>(r#"{"substance":"x","startDate":"2026-05","endDate":"2026"}"#).is_ok());
    let appointment =
        r#"{"status":"ACTIVE","subject":"x","start":"2026-12-01T09:30:00Z","end":"2026-12-01T09:00:00Z"}"#;
    assert_eq!(refused::<Appointment>(appointment), (422, "end: must not be before start".into()));
    assert_eq!(refused::<Appointment>(r#"{"status":"ACTIVE","subject":"x","start":"2026-12-01"}"#).0, 422);
}

#[test]
fn html_that_does_more_than_be_read_is_refused() {
    for html in [
        "<script>alert(1)</script>",
        "<p onclick=\"x()\">x</p>",
        "<form>x</form>",
        "<img src=\"https://elsewhere.example/x\"/>",
    ] {
        let plan = json!({ "name": "x", "status": "ACTIVE", "red": html });
        let (status, words) = refused::<Plan>(&plan.to_string());
        assert!(status == 422 && words.starts_with("red: must be HTML for reading only: it must not"), "{words}");
        let message = json!({ "content": html, "html": true, "recipients": [{ "type": "TEAM", "id": "t1" }] });
        assert!(refused::<Message>(&message.to_string()).1.starts_with("content: must be HTML"), "{html}");
        let plain = json!({ "content": html, "html": false, "recipients": [{ "type": "TEAM", "id": "t1" }] });
        assert!(created::<Message>(&plain.to_string()).is_ok(), "as plain text it is harmless");
    }
}

#[test]
fn a_plan_goes_forward_only() {
    let plan = tree(&specimens::PLAN.replace("\"on-hold\"", "\"active\""));
    let to = |status: &str| {
        let mut body = shown_value::<Plan>(&plan);
        body["status"] = json!(status);
        updated::<Plan>(&plan, &body.to_string()).map(|_| ())
    };
    assert_eq!(told(to("INDRAFT")), (422, "status: cannot go back from ACTIVE".into()));
    assert!(to("ENDED").is_ok() && to("ACTIVE").is_ok());
}

#[test]
fn a_measurement_stays_of_its_type() {
    let pressure = tree(specimens::MEASUREMENT);
    let result = updated::<Measurement>(&pressure, r#"{"apiRef":"weight","value":1,"dateTaken":"2026"}"#);
    assert_eq!(told(result.map(|_| ())), (422, "apiRef: cannot be changed; delete this one and create another".into()));
}

#[test]
fn only_what_the_service_may_be_told_of_a_message_is_taken() {
    let message =
        |status: &str| json!({ "content": "x", "recipients": [{ "type": "TEAM", "id": "t1" }], "status": status });
    for status in ["READ", "UNREAD"] {
        let expected = "status: is made by the service; send DRAFT or SENT".to_owned();
        assert_eq!(refused::<Message>(&message(status).to_string()), (422, expected));
    }
    let nobody = json!({ "content": "x", "recipients": [] });
    assert_eq!(refused::<Message>(&nobody.to_string()), (400, "missing member recipients".into()));
    let odd = json!({ "content": "x", "recipients": [{ "type": "TEAM", "id": "a/b" }, { "type": "ROBOT", "id": "x" }, { "id": "y" }] });
    assert_eq!(refused::<Message>(&odd.to_string()), (400, "missing member recipients[2].type".into()));
}

#[test]
fn an_attachment_must_have_been_stored() {
    let document = json!({ "title": "x", "date": "2026", "attachments": ["b91", "b99"] });
    let expected = "attachments[1]: is no attachment that was stored by this caller".to_owned();
    assert_eq!(refused::<Document>(&document.to_string()), (422, expected));
}

#[test]
fn what_may_be_sent_is_told_by_a_schema() {
    let schema = Sent::<Measurement>::schema();
    assert_eq!(schema["required"], json!(["apiRef"]));
    assert_eq!(schema["properties"]["name"]["readOnly"], json!(true));
    assert_eq!(schema["properties"]["externalId"]["type"], json!(["string", "null"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    let shown = <views::view::Shown<Measurement> as views::members::schema::JsonSchema>::json_schema();
    assert_eq!(shown["required"].as_array().unwrap().len(), shown["properties"].as_object().unwrap().len());
    assert_eq!(shown["required"].as_array().unwrap().len(), 17);
}
