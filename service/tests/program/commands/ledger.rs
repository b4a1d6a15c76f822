//! `recordgate ledger`: what happened, for whoever must answer for it, and whether somebody changed it.

use crate::terminal::operator::Operator;
use serde_json::Value;
use service::operator::Account;

/// The eight parts of the declared world, a registration, a membership, the first key, and two grants of Amina's.
const LINES: usize = 13;

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
    assert_eq!(lines(&operator, &[]).len(), LINES);
    let granted = lines(&operator, &["--event", "granted"]);
    assert_eq!(granted.len(), 2);
    assert_eq!((&granted[0]["client"], &granted[0]["user"]), (&"sleep-diary".into(), &"amina".into()));
    assert_eq!(lines(&operator, &["--user", "amina"]).len(), 3, "she was made a user, and granted twice");
    assert_eq!(lines(&operator, &["--client", "letter-sender"]).len(), 2, "it was made, and granted access");
    assert_eq!(lines(&operator, &["--patient", "amina-osei", "--event", "registered"])[0]["team"], "Sleep Clinic");
    assert_eq!(lines(&operator, &["--until", "2020-01-01"]).len(), 0);
    assert_eq!(lines(&operator, &["--since", "2020-01-01"]).len(), LINES);
    let refused = operator.run(&["ledger", "--event", "forgotten"]).failed(2);
    assert!(refused.contains("the events are") && refused.contains("granted"), "{refused}");
    assert!(operator.run(&["ledger", "--user", "nobody"]).failed(1).contains("there is no user nobody"));
}

#[test]
fn the_same_is_told_as_csv_and_as_audit_events() {
    let operator = operator();
    let csv = operator.run(&["ledger", "--csv"]).fine();
    assert!(csv.starts_with("\"number\",\"moment\",\"event\","), "{csv}");
    assert_eq!(csv.lines().count(), 1 + LINES);
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
    assert!(whole.contains(&format!("the ledger is whole: {LINES} lines")), "{whole}");
    let mut other: Value = serde_json::from_str(&root).unwrap();
    other["sha256"] = "0".repeat(64).into();
    operator.file("other.json", &other.to_string());
    let told = operator.run(&["ledger", "verify", "--root", "other.json"]);
    assert!(told.out.contains(&format!("up to line {LINES} the ledger is not the one")), "{}", told.out);
    assert!(told.failed(1).contains("the ledger is not what was written"));
    operator.file("other.json", "{}");
    assert!(operator.run(&["ledger", "verify", "--root", "other.json"]).failed(1).contains("is no root"));
}

/// Whether a server holds the data or nobody does, it is the account of whoever ran the command.
#[test]
fn what_a_command_does_is_told_with_the_account_that_ran_it() {
    let operator = Operator::with_world();
    let account = Account::of_this_process().to_string();
    let told = |event: &str| -> Vec<String> {
        let lines = lines(&operator, &["--event", event]);
        lines.iter().map(|line| line["operator"].as_str().unwrap().to_owned()).collect()
    };
    operator.run(&["user", "freeze", "amina"]).fine();
    operator.run(&["user", "freeze", "amina"]).fine();
    assert_eq!(told("frozen"), [account.as_str()], "at once, though nobody serves");
    let server = operator.serve();
    operator.run(&["user", "unfreeze", "amina"]).fine();
    operator.run(&["client", "rotate-secret", "letter-sender"]).fine();
    operator.run(&["keys", "rotate"]).fine();
    operator.run(&["backup", "--to", "copy"]).fine();
    operator.run(&["apply", "--dry-run", "world.toml"]).fine();
    operator.run(&["user", "freeze", "nobody"]).failed(1);
    server.stop();
    for event in ["unfrozen", "client-secret-changed", "backed-up"] {
        assert_eq!(told(event), [account.as_str()], "{event}");
    }
    assert_eq!(told("key-added"), ["", account.as_str()], "the first key is nobody's doing");
    assert_eq!(told("user-made"), [account.as_str(), account.as_str()]);
    assert_eq!(told("frozen").len(), 1, "what is refused is not told");
}
