//! `recordgate grant`: sessions opened, listed and revoked by an operator.

use crate::terminal::operator::Operator;
use crate::terminal::patience::until;
use crate::terminal::world::CLINIC;
use serde_json::Value;
use std::process::Stdio;

#[test]
fn a_refresh_token_is_issued_for_each_user_in_the_order_asked_for() {
    let operator = Operator::with_world();
    operator.file("usernames", "amina\n\nAMINA\n");
    let issue = ["grant", "issue", "--client", "sleep-diary", "--json", "--users", "usernames"];
    let printed = operator.run(&issue).fine();
    let lines: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["username"], &lines[1]["username"]), (&"amina".into(), &"AMINA".into()));
    assert!(lines.iter().all(|line| line["refresh_token"].as_str().unwrap().starts_with("rgr_")));
    assert_ne!(lines[0]["refresh_token"], lines[1]["refresh_token"]);
    assert_ne!(lines[0]["grant"], lines[1]["grant"]);
}

#[test]
fn a_team_is_issued_a_refresh_token_on_behalf_of_its_coordinator_only() {
    let operator = Operator::with_world();
    let issue =
        |by| operator.run(&["grant", "issue", "--client", "clinic-link", "--team", CLINIC, "--by", by, "--json"]);
    let issued = issue("coordinator").json();
    assert_eq!(issued["team"], CLINIC);
    assert!(issued["refresh_token"].as_str().unwrap().starts_with("rgr_"));
    let refused = issue("amina").failed_in_json(1);
    assert!(refused["problems"][0].as_str().unwrap().contains("amina is no Team Coordinator of Sleep Clinic"));
}

#[test]
fn if_one_user_will_not_do_no_session_is_opened_and_all_such_are_named() {
    let operator = Operator::with_world();
    let users = ["--user", "amina", "--user", "coordinator", "--user", "nobody"];
    let issue: Vec<&str> = ["grant", "issue", "--client", "sleep-diary"].into_iter().chain(users).collect();
    let complaint = operator.run(&issue).failed(1);
    assert!(complaint.contains("user coordinator is a TEAMCOORD"), "{complaint}");
    assert!(complaint.contains("there is no user nobody"), "{complaint}");
    assert_eq!(operator.run(&["grant", "list", "--json"]).json().as_array().unwrap().len(), 0);
}

#[test]
fn a_frozen_user_a_disabled_client_and_a_wrong_kind_of_client_are_refused() {
    let operator = Operator::with_world();
    let issue = |client| operator.run(&["grant", "issue", "--client", client, "--user", "amina"]);
    assert!(issue("letter-sender").failed(1).contains("is a System Client"));
    assert!(issue("clinic-link").failed(1).contains("is a Tethered-Token System Client"));
    operator.run(&["user", "freeze", "amina"]).fine();
    assert!(issue("sleep-diary").failed(1).contains("user amina is frozen"));
    operator.run(&["client", "disable", "sleep-diary"]).fine();
    assert!(issue("sleep-diary").failed(1).contains("client sleep-diary is disabled"));
}

#[test]
fn a_grant_is_listed_until_it_is_revoked_and_its_token_is_never_shown_again() {
    let operator = Operator::with_world();
    let issued = operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--json"]).json();
    let grant = issued["grant"].as_str().unwrap();
    let live = || operator.run(&["grant", "list", "--user", "amina", "--json"]).json();
    assert_eq!(live()[0]["grant"], grant);
    assert!(!live().to_string().contains("rgr_"));
    operator.run(&["grant", "revoke", grant]).fine();
    assert_eq!(live().as_array().unwrap().len(), 0);
    let all = operator.run(&["grant", "list", "--json"]).json();
    assert_eq!(all[0]["revoked_why"], "by-operator");
    assert!(operator.run(&["grant", "revoke", grant]).failed(1).contains("there is no grant"));
}

#[test]
fn whom_a_grant_is_for_must_be_said() {
    let complaint = Operator::with_world().run(&["grant", "issue", "--client", "sleep-diary"]).failed(2);
    assert!(complaint.contains("--user"), "{complaint}");
}

#[test]
fn more_grants_than_a_part_and_a_page_have_are_issued_in_order_and_all_are_listed() {
    let operator = Operator::with_world();
    operator.file("usernames", &"amina\nAMINA\n".repeat(602));
    let issue = ["grant", "issue", "--client", "sleep-diary", "--json", "--users", "usernames"];
    let printed = operator.run(&issue).fine();
    let names = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["username"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["amina", "AMINA"].repeat(602));
    for whose in [&["--user", "amina"][..], &[]] {
        let list = [&["grant", "list", "--json"], whose].concat();
        assert_eq!(operator.run(&list).json().as_array().unwrap().len(), 1204, "{whose:?}");
    }
    assert_eq!(operator.run(&["grant", "list"]).fine().lines().count(), 1205);
    operator.file("usernames", &format!("{}nobody\n", "amina\n".repeat(600)));
    let said = operator.run(&issue).failed_in_json(1);
    assert!(said["problems"][0].as_str().unwrap().contains("there is no user nobody"), "{said}");
    assert_eq!(operator.run(&["grant", "list", "--json"]).json().as_array().unwrap().len(), 1204, "not one was opened");
}

#[test]
fn an_issue_that_is_cut_short_says_how_many_tokens_it_printed_and_these_are_good() {
    let operator = Operator::with_world();
    operator.file("usernames", &"amina\n".repeat(20_000));
    let server = operator.serve();
    let issue = ["grant", "issue", "--client", "sleep-diary", "--json", "--users", "usernames"];
    let mut command = operator.command(&[&issue[..], &["--database", &operator.database]].concat());
    let (out, err) = (operator.path("tokens"), operator.path("complaint"));
    command.stdout(std::fs::File::create(&out).unwrap()).stderr(std::fs::File::create(&err).unwrap());
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
    until("the first part is printed", || std::fs::metadata(&out).unwrap().len() > 0);
    server.kill();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let printed = std::fs::read_to_string(&out).unwrap();
    assert_eq!(std::fs::read_to_string(&err).unwrap(), "");
    let (printed, error) = printed.trim_end().rsplit_once('\n').unwrap();
    let count = printed.lines().count();
    assert!(error.contains(&format!("\"upshot\":\"{count} of 20000 tokens were printed")), "{error}");
    let opened = operator.run(&["grant", "list", "--json"]).json().as_array().unwrap().len();
    assert!((count..=count + 500).contains(&opened), "{count} printed, {opened} opened");
    let server = operator.serve();
    for line in [printed.lines().next(), printed.lines().last()] {
        let token: Value = serde_json::from_str(line.unwrap()).unwrap();
        assert_eq!(server.refresh(token["refresh_token"].as_str().unwrap()).status, 200);
    }
}
