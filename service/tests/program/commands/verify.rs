//! `recordgate verify`: whole, faults found and could not check are three exit statuses, and each fault is named.

use crate::terminal::operator::Operator;
use crate::terminal::outcome::Outcome;
use crate::terminal::world::HOSPITAL;
use serde_json::Value;

/// An operator with a Patient in the records.
fn operator() -> Operator {
    let operator = Operator::with_world();
    let amina = r#"{"resourceType":"Patient","id":"amina-osei","birthDate":"1980-01-02"}"#;
    operator.file("amina.json", amina);
    operator.run(&["import", "--organisation", HOSPITAL, "amina.json"]).fine();
    operator
}

/// Changes one bit of a birth date in a file of records.
fn flip_a_bit(operator: &Operator, directory: &str) {
    let file = operator.path(directory).join("records.sqlite");
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.windows(10).position(|window| window == b"1980-01-02").expect("the birth date");
    bytes[at + 3] ^= 1;
    std::fs::write(&file, bytes).unwrap();
}

fn lines(outcome: &Outcome) -> Vec<Value> {
    outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_store_and_its_backup_are_whole_also_while_the_service_runs() {
    let operator = operator();
    let printed = operator.run(&["verify"]).fine();
    assert!(printed.ends_with("data is whole\n") && printed.contains("1 by records"), "{printed}");
    let _running = operator.serve();
    let report = operator.run(&["verify", "--json"]).json();
    assert_eq!((&report["whole"], &report["faults"]), (&true.into(), &0.into()));
    assert_eq!(report["checked"]["files"], 3);
    operator.run(&["backup", "--to", "kept/copy"]).fine();
    assert!(operator.run_on("sqlite:kept/copy", &["verify"]).fine().contains("sqlite:kept/copy is whole"));
}

#[test]
fn a_flipped_bit_is_named_with_its_resource_and_ends_with_1() {
    let operator = operator();
    operator.run(&["backup", "--to", "copy"]).fine();
    flip_a_bit(&operator, "copy");
    let outcome = operator.run_on("sqlite:copy", &["verify"]);
    assert!(outcome.out.contains("records: Patient/amina-osei"), "{}", outcome.out);
    assert!(outcome.out.contains("index: Patient/amina-osei"), "it is found by another date: {}", outcome.out);
    assert!(outcome.failed(1).contains("sqlite:copy has 2 faults"));
    let outcome = operator.run_on("sqlite:copy", &["verify", "--json"]);
    let [fault, of_index, report, error] = lines(&outcome).try_into().expect("two faults, a report and the error");
    assert_eq!((&fault["check"], &of_index["check"]), (&"records".into(), &"index".into()));
    assert!(fault["at"].as_str().unwrap().starts_with("Patient/amina-osei (row "), "{fault}");
    assert_eq!((&report["whole"], &report["faults"]), (&false.into(), &2.into()));
    assert_eq!(error["error"]["problems"][0], "sqlite:copy has 2 faults");
    assert_eq!(outcome.failed_in_json(1)["kind"], "trouble");
    assert!(operator.run(&["verify"]).fine().contains("is whole"), "the store itself is");
}

#[test]
fn what_is_not_there_or_not_finished_could_not_be_checked_and_ends_with_3() {
    let operator = operator();
    let said = operator.run_on("sqlite:nowhere", &["verify"]).failed(3);
    assert!(said.contains("could not be checked: there is no data in sqlite:nowhere"), "{said}");
    assert!(!operator.path("nowhere").exists());
    std::fs::rename(operator.data(), operator.path("copy.unfinished-backup")).unwrap();
    let said = operator.run_on("sqlite:copy.unfinished-backup", &["verify"]).failed(3);
    assert!(said.contains("did not finish"), "{said}");
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["grant", "list"]] {
        let said = operator.run_on("sqlite:copy.unfinished-backup", command).failed(1);
        assert!(said.contains("did not finish") && said.contains("not whole"), "{said}");
    }
}

/// A file of an older backup beside newer ones: told, refused, and taken only by whoever says so.
#[test]
fn one_file_of_an_older_backup_is_told_and_taken_knowingly_alone() {
    let operator = operator();
    assert!(operator.run(&["accept-files"]).fine().contains("the files are of one moment"));
    operator.run(&["backup", "--to", "kept"]).fine();
    operator.file("ben.json", r#"{"resourceType":"Patient","id":"ben"}"#);
    operator.run(&["import", "--organisation", HOSPITAL, "ben.json"]).fine();
    std::fs::copy(operator.path("kept/records.sqlite"), operator.data().join("records.sqlite")).unwrap();
    let Outcome { code, out, err } = operator.run(&["verify"]);
    assert!(code == 1 && format!("{out}{err}").contains("older than the others"), "{out}{err}");
    let refused = operator.run(&["team", "list"]).failed(1);
    assert!(refused.contains("records.sqlite") && refused.contains("recordgate accept-files"), "{refused}");
    let taken = operator.run(&["accept-files", "--json"]).json();
    assert_eq!(taken[0]["file"], "records.sqlite");
    operator.run(&["team", "list"]).fine();
    operator.run(&["verify"]).fine();
}
