//! `recordgate ledger` and the months that the service closed: their roots, kept elsewhere and held to; archives; and what was
//! done to either behind the service's back.

use crate::terminal::operator::Operator;
use crate::terminal::patience::{until, until_some};
use serde_json::Value;

/// An operator whose sandbox has seen a month end, and has ended; and what `ledger root` says then.
fn operator() -> (Operator, Value) {
    let operator = Operator::new();
    let sandbox = operator.start("sandbox", &operator.database, &[]);
    let root = || serde_json::from_str::<Value>(&operator.run(&["ledger", "root"]).fine()).unwrap();
    until("this month has a line", || root()["line"].as_i64() > Some(0));
    let moved = sandbox.post("/sandbox/clock", "application/json", r#"{"advance_seconds": 2764800}"#);
    assert_eq!(moved.status, 200);
    let root = until_some("a month is closed", || {
        let root = root();
        root["months"].as_array().is_some_and(|months| !months.is_empty()).then_some(root)
    });
    sandbox.stop();
    (operator, root)
}

#[test]
fn roots_are_printed_with_their_seals_and_the_ledger_is_held_to_them() {
    let (operator, root) = operator();
    let month = &root["months"][0];
    assert_eq!((month["first"].as_i64(), month["seal"].as_str().unwrap().len()), (Some(1), 64), "{month}");
    operator.file("root.json", &root.to_string());
    let report = operator.run(&["ledger", "verify", "--root", "root.json", "--json"]).fine();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["whole"], &report["seals_checked"]), (&true.into(), &true.into()), "{report}");
    assert_eq!(report["months"], root["months"]);

    let mut other = root.clone();
    other["months"][0]["sha256"] = "0".repeat(64).into();
    operator.file("other.json", &other.to_string());
    let told = operator.run(&["ledger", "verify", "--root", "other.json"]);
    let name = month["month"].as_str().unwrap();
    assert!(told.out.contains(&format!("the root of {name} is not the one that was kept elsewhere")), "{}", told.out);
    told.failed(1);
}

#[test]
fn without_the_key_ring_all_but_the_seals_is_checked_and_with_another_ring_they_are_refused() {
    let (operator, root) = operator();
    let name = root["months"][0]["month"].as_str().unwrap();
    let without = operator.run(&["ledger", "verify", "--keys", "nowhere"]).fine();
    assert!(without.contains("was not checked: there is no key ring"), "{without}");
    let other = Operator::with_world();
    let ring = other.data().join("keys");
    let told = operator.run(&["verify", "--keys", ring.to_str().unwrap()]);
    assert!(told.out.contains(&format!("ledger: {name}: the root of {name} names the key ")), "{}", told.out);
    told.failed(1);
    let whole = operator.run(&["verify", "--json"]).fine();
    assert!(whole.contains(r#""seals_checked":true"#), "{whole}");
}

#[test]
fn a_month_is_archived_and_its_archive_checked_and_read_also_where_there_is_no_store() {
    let (operator, root) = operator();
    let name = root["months"][0]["month"].as_str().unwrap();
    operator.run(&["ledger", "archive", name, "month.sqlite"]).fine();
    let whole = operator.run(&["ledger", "verify", "--archive", "month.sqlite"]).fine();
    assert!(whole.contains(&format!("the archive of {name} is whole")), "{whole}");
    let alone = operator.run_on("sqlite:nowhere", &["ledger", "verify", "--archive", "month.sqlite"]).fine();
    assert!(alone.contains("no root of this month in the ledger") && alone.contains("is whole"), "{alone}");
    let lines = operator.run(&["ledger", "--archive", "month.sqlite", "--json"]).fine();
    let all = root["months"][0]["last"].as_i64().unwrap();
    assert_eq!(i64::try_from(lines.lines().count()).unwrap(), all);
    assert!(operator.run(&["ledger", "archive", name, "month.sqlite"]).failed(1).contains("is there already"));
    assert!(
        operator.run(&["ledger", "archive", "2020-01", "other.sqlite"]).failed(1).contains("2020-01 is not closed")
    );
    assert!(operator.run(&["ledger", "archive", "soon", "other.sqlite"]).failed(2).contains("write a month, 2026-11"));
    operator.file("text", "no archive");
    operator.run(&["ledger", "verify", "--archive", "text"]).failed(1);
}
