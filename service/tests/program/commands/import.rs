//! `recordgate import`: one resource, a Bundle, NDJSON, from files and standard input.

use crate::terminal::operator::Operator;
use crate::terminal::world::{CLINIC, HOSPITAL};

const PATIENT: &str = r#"{"resourceType":"Patient","id":"amina-osei","name":[{"family":"Osei"}]}"#;

fn patient(id: &str) -> String {
    PATIENT.replace("amina-osei", id)
}

#[test]
fn one_resource_over_many_lines_is_stored_and_the_second_time_unchanged() {
    let operator = Operator::with_world();
    operator.file("amina.json", &PATIENT.replace(',', ",\n  "));
    let import = ["import", "--organisation", HOSPITAL, "--team", CLINIC, "--json", "amina.json"];
    assert_eq!(operator.run(&import).json()["stored"]["Patient"], 1);
    let again = operator.run(&import).json();
    assert_eq!(again["unchanged"]["Patient"], 1);
    assert!(again["stored"].as_object().unwrap().is_empty());
}

#[test]
fn the_entries_of_a_bundle_are_stored_and_counted_by_type() {
    let operator = Operator::with_world();
    let binary = r#"{"resourceType":"Binary","id":"b","contentType":"text/plain","data":"aGk="}"#;
    let entries =
        [patient("a"), patient("b"), binary.to_owned()].map(|resource| format!("{{\"resource\":{resource}}}"));
    let bundle =
        format!("{{\"resourceType\":\"Bundle\",\"type\":\"collection\",\n\"entry\":[{}]}}", entries.join(",\n"));
    operator.file("bundle.json", &bundle);
    let stored = operator.run(&["import", "--organisation", HOSPITAL, "--json", "bundle.json"]).json();
    assert_eq!((&stored["stored"]["Patient"], &stored["stored"]["Binary"]), (&2.into(), &1.into()));
}

#[test]
fn ndjson_of_more_than_one_batch_comes_from_standard_input() {
    let operator = Operator::with_world();
    let lines: String = (0..1001).map(|number| patient(&format!("p{number}")) + "\n").collect();
    let stored = operator.run_with_input(&["import", "--organisation", HOSPITAL, "--json", "-"], &lines).json();
    assert_eq!(stored["stored"]["Patient"], 1001);
}

#[test]
fn counts_are_printed_as_a_table_for_people() {
    let operator = Operator::with_world();
    operator.file("amina.json", PATIENT);
    let printed = operator.run(&["import", "--organisation", HOSPITAL, "amina.json"]).fine();
    assert_eq!(printed, "TYPE     STORED  UNCHANGED\nPatient  1       0\n");
}

#[test]
fn all_bad_lines_are_named_and_the_others_are_stored() {
    let operator = Operator::with_world();
    let lines = [&patient("a"), "{\"resourceType\":\"Patient\"", "[]", r#"{"resourceType":"Patient"}"#, &patient("b")];
    operator.file("bad.ndjson", &lines.join("\n"));
    let done = operator.run(&["import", "--organisation", HOSPITAL, "--json", "bad.ndjson"]);
    assert!(done.out.contains(r#""stored":{"Patient":2}"#) && done.out.contains(r#""rejected":3"#), "{}", done.out);
    let complaint = done.failed_in_json(1)["problems"].to_string();
    for part in ["bad.ndjson:2: ", "bad.ndjson:3: ", "bad.ndjson:4: the resource has no id; ids are kept"] {
        assert!(complaint.contains(part), "{part} is not in:\n{complaint}");
    }
    assert!(!complaint.contains("bad.ndjson:1:") && !complaint.contains("bad.ndjson:5:"), "{complaint}");
}

#[test]
fn what_is_no_valid_fhir_is_rejected_with_its_line_the_element_and_the_reason() {
    let operator = Operator::with_world();
    let lines = [
        &patient("a"),
        r#"{"resourceType":"Patient","id":"b","gender":"woman","birthDate":"1988-13-01","colour":"blue"}"#,
        r#"{"resourceType":"Patience","id":"c"}"#,
    ];
    operator.file("feed.ndjson", &lines.join("\n"));
    let done = operator.run(&["import", "--organisation", HOSPITAL, "--json", "feed.ndjson"]);
    assert!(done.out.contains(r#""stored":{"Patient":1}"#), "{}", done.out);
    let problems = done.failed_in_json(1)["problems"].clone();
    let second = problems[0].as_str().unwrap();
    for part in ["feed.ndjson:2: ", "Patient.gender: ", "Patient.birthDate: ", "Patient.colour: "] {
        assert!(second.contains(part), "{part} is not in {second}");
    }
    assert!(problems[1].as_str().unwrap().starts_with("feed.ndjson:3: "), "{problems}");
}

#[test]
fn a_line_that_is_too_long_is_rejected_by_its_number_and_all_others_are_stored() {
    let operator = Operator::with_world();
    let long = patient("b").replace("Osei", &"O".repeat(64 << 20));
    operator.file("feed.ndjson", &[&patient("a"), &long, &patient("c"), &patient("d")].map(String::as_str).join("\n"));
    let done = operator.run(&["import", "--organisation", HOSPITAL, "--json", "feed.ndjson"]);
    assert!(done.out.contains(r#""stored":{"Patient":3}"#), "{}", done.out);
    let error = done.failed_in_json(1);
    let problems = error["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{error}");
    assert!(problems[0].as_str().unwrap().starts_with("feed.ndjson:2: this is 67108864 bytes or longer"), "{error}");
    assert_eq!(error["upshot"], "What was rejected was left out; the rest is stored. Correct it and import it again.");
}

#[test]
fn a_bundle_that_breaks_off_is_said_to_be_unread_behind_that_place() {
    let operator = Operator::with_world();
    let begun = format!(r#"{{"resourceType":"Bundle","entry":[{{"resource":{}}},{{"resource":{{"#, patient("a"));
    operator.file("feed.json", &begun);
    let complaint = operator.run(&["import", "--organisation", HOSPITAL, "feed.json"]).failed(1);
    assert!(complaint.contains("feed.json was not read to its end; all that was read before is stored"), "{complaint}");
}

#[test]
fn an_import_that_was_cut_short_goes_on_and_says_how_many_were_there() {
    let operator = Operator::with_world();
    let lines: Vec<String> = (0..700).map(|number| patient(&format!("p{number}"))).collect();
    operator.file("first.ndjson", &lines[..600].join("\n"));
    operator.run(&["import", "--organisation", HOSPITAL, "first.ndjson"]).fine();
    operator.file("all.ndjson", &lines.join("\n").replace("Osei", "Mensah"));
    let import = ["import", "--organisation", HOSPITAL, "--continue"];
    let done = operator.run(&[&import[..], &["--json", "all.ndjson"]].concat()).json();
    assert_eq!((&done["stored"]["Patient"], &done["there"]["Patient"]), (&100.into(), &600.into()));
    let printed = operator.run(&[&import[..], &["all.ndjson"]].concat()).fine();
    assert_eq!(printed, "TYPE     STORED  UNCHANGED  THERE\nPatient  0       0          700\n700 were there already\n");
    let compared = operator.run(&["import", "--organisation", HOSPITAL, "--json", "all.ndjson"]).json();
    assert_eq!(
        (&compared["stored"]["Patient"], &compared["unchanged"]["Patient"]),
        (&600.into(), &100.into()),
        "what was left alone was not changed"
    );
}

#[test]
fn what_is_there_from_another_source_is_rejected_by_an_import_that_goes_on_too() {
    let operator = Operator::with_world();
    operator.file("amina.json", PATIENT);
    operator.run(&["import", "--organisation", HOSPITAL, "amina.json"]).fine();
    let done = operator.run(&["import", "--organisation", HOSPITAL, "--team", CLINIC, "--continue", "amina.json"]);
    assert!(done.failed(1).contains("amina.json:1: this Patient is there already from another source"));
}

#[test]
fn a_dry_run_stores_nothing() {
    let operator = Operator::with_world();
    operator.file("amina.json", PATIENT);
    operator.run(&["import", "--organisation", HOSPITAL, "--dry-run", "amina.json"]).fine();
    let stored = operator.run(&["import", "--organisation", HOSPITAL, "--json", "amina.json"]).json();
    assert_eq!(stored["stored"]["Patient"], 1);
}

#[test]
fn what_another_organisation_made_stays_as_it_was() {
    let operator = Operator::with_world();
    operator.file("amina.json", PATIENT);
    operator.run(&["import", "--organisation", HOSPITAL, "amina.json"]).fine();
    let other = operator.run(&["organisation", "add", "Eastfield Surgery", "--json"]).json();
    let done = operator.run(&["import", "--organisation", other["public_id"].as_str().unwrap(), "amina.json"]);
    assert!(done.failed(1).contains("amina.json:1: this Patient is there already from another source"));
}

#[test]
fn the_source_must_be_there_and_the_team_must_be_its_own() {
    let operator = Operator::with_world();
    operator.file("amina.json", PATIENT);
    let nobody = "00000000-0000-4000-8000-000000000000";
    let complaint = operator.run(&["import", "--organisation", nobody, "amina.json"]).failed(1);
    assert!(complaint.contains("there is no organisation"), "{complaint}");
    let complaint = operator.run(&["import", "--organisation", "hospital", "amina.json"]).failed(2);
    assert!(complaint.contains("is no UUID"), "{complaint}");
    let other = operator.run(&["organisation", "add", "Eastfield Surgery", "--json"]).json();
    let other = other["public_id"].as_str().unwrap();
    let complaint = operator.run(&["import", "--organisation", other, "--team", CLINIC, "amina.json"]).failed(1);
    assert!(complaint.contains("belongs to Northmoor Hospital, not to Eastfield Surgery"), "{complaint}");
}
