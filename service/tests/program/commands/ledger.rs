//! `recordgate ledger`: what happened, for whoever must answer for it, and whether somebody changed it.

use crate::terminal::operator::Operator;
use serde_json::Value;

/// An operator whose service has granted twice and been asked once, and has ended.
fn operator() -> Operator {
    let operator = Operator::with_world();
    for _ in 0..2 {
        operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina"]).fine();
    }
    // Whoever serves adds what waits.
    operator.serve().stop();
    operator
}

fn lines(operator: &Operator, arguments: &[&str]) -> Vec<Value> {
    let words: Vec<&str> = ["ledger", "--json"].iter().chain(arguments).copied().collect();
    operator.run(&words).fine().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn lines_are_told_by_whom_they_concern_what_they_tell_of_and_when() {
    let operator = operator();
    assert_eq!(lines(&operator, &[]).len(), 3, "an organisation's grant, and two of Amina's");
    let granted = lines(&operator, &["--event", "granted"]);
    assert_eq!(granted.len(), 2);
    assert_eq!((&granted[0]["client"], &granted[0]["user"]), (&"sleep-diary".into(), &"amina".into()));
    assert_eq!(lines(&operator, &["--user", "amina"]).len(), 2);
    assert_eq!(lines(&operator, &["--client", "letter-sender"]).len(), 1);
    assert_eq!(lines(&operator, &["--until", "2020-01-01"]).len(), 0);
    assert_eq!(lines(&operator, &["--since", "2020-01-01"]).len(), 3);
    let refused = operator.run(&["ledger", "--event", "forgotten"]).failed(2);
    assert!(refused.contains("the events are") && refused.contains("granted"), "{refused}");
    assert!(operator.run(&["ledger", "--user", "nobody"]).failed(1).contains("there is no user nobody"));
}

#[test]
fn the_same_is_told_as_csv_and_as_audit_events() {
    let operator = operator();
    let csv = operator.run(&["ledger", "--csv"]).fine();
    assert!(csv.starts_with("\"number\",\"moment\",\"event\","), "{csv}");
    assert_eq!(csv.lines().count(), 4);
    let events = operator.run(&["ledger", "--fhir", "--event", "granted"]).fine();
    let event: Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    assert_eq!((&event["resourceType"], &event["action"]), (&"AuditEvent".into(), &"C".into()));
    assert_eq!(event["agent"][0]["who"]["identifier"]["value"], "amina");
}

#[test]
fn a_ledger_that_nobody_touched_is_whole_and_a_root_tells_one_that_was_made_anew() {
    let operator = operator();
    let root = operator.run(&["ledger", "root"]).fine();
    operator.file("root.json", &root);
    let whole = operator.run(&["ledger", "verify", "--root", "root.json"]).fine();
    assert!(whole.contains("the ledger is whole: 3 lines"), "{whole}");
    let mut other: Value = serde_json::from_str(&root).unwrap();
    other["sha256"] = "0".repeat(64).into();
    operator.file("other.json", &other.to_string());
    let told = operator.run(&["ledger", "verify", "--root", "other.json"]);
    assert!(told.out.contains("up to line 3 the ledger is not the one"), "{}", told.out);
    assert!(told.failed(1).contains("the ledger is not what was written"));
    operator.file("other.json", "{}");
    assert!(operator.run(&["ledger", "verify", "--root", "other.json"]).failed(1).contains("is no root"));
}
