//! The commands on clients, organisations, teams, users and keys.

use crate::terminal::operator::Operator;
use crate::terminal::world::{CLINIC, HOSPITAL};

#[test]
fn lists_are_aligned_tables_for_people() {
    let operator = Operator::with_world();
    let printed = operator.run(&["client", "list"]).fine();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "CLIENT ID      KIND      OWNER            PRODUCT        AUTHENTICATION  SESSION  STATE");
    assert_eq!(lines[1], "clinic-link    tethered  Clinic Link      Clinic Link    none            never    enabled");
    assert!(!printed.contains('\u{1b}'), "colours are for terminals only");
}

#[test]
fn a_client_is_added_with_a_secret_that_is_told_once() {
    let operator = Operator::with_world();
    let add = ["client", "add", "--kind", "system", "--owner", "Lab", "--product", "Results", "--client-id", "lab"];
    let printed = operator.run(&add).fine();
    assert_eq!(printed.matches("rgs_").count(), 1, "{printed}");
    let shown = operator.run(&["client", "show", "lab"]).fine();
    assert!(!shown.contains("rgs_"), "{shown}");
    let complaint = operator.run(&add).failed(1);
    assert!(complaint.contains("client lab: is there already"), "{complaint}");
}

#[test]
fn a_client_that_will_not_do_is_wrong_usage() {
    let operator = Operator::with_world();
    let complaint = operator.run(&["client", "add", "--kind", "user", "--owner", "o", "--product", "p"]).failed(2);
    assert!(complaint.contains("redirect_uris is missing") && complaint.contains("scopes is missing"), "{complaint}");
}

#[test]
fn only_a_client_with_a_secret_is_allowed_to_ask_about_tokens() {
    let operator = Operator::with_world();
    let add = ["client", "add", "--owner", "Lab", "--product", "Watch", "--client-id", "watch", "--may-introspect"];
    let user = ["--kind", "user", "--redirect-uri", "https://watch.example/back", "--scope", "PATIENT"];
    let complaint = operator.run(&[add.as_slice(), &user].concat()).failed(1);
    assert!(complaint.contains("client watch cannot have may_introspect: it is public"), "{complaint}");
    operator.run(&[add.as_slice(), &["--kind", "system"]].concat()).fine();
    assert_eq!(operator.run(&["client", "show", "watch", "--json"]).json()["may_introspect"], true);
}

#[test]
fn what_needs_keys_or_a_secret_is_refused_to_a_client_without() {
    let operator = Operator::with_world();
    let add = ["client", "add", "--owner", "Lab", "--product", "Lab", "--client-id", "lab"];
    let system = ["--kind", "system", "--smart"];
    let complaint = operator.run(&[add.as_slice(), &system].concat()).failed(1);
    assert!(complaint.contains("client lab cannot have scopes of SMART with a secret"), "{complaint}");
    let user = ["--kind", "user", "--smart", "--redirect-uri", "https://lab.example/back", "--pkce", "when-sent"];
    let complaint = operator.run(&[add.as_slice(), &user].concat()).failed(1);
    assert!(complaint.contains("nothing but PKCE binds its codes to it"), "{complaint}");
    assert!(operator.run(&["client", "show", "lab"]).failed(1).contains("no client lab"), "nothing was kept");
}

#[test]
fn a_clients_secret_is_rotated_where_it_has_one() {
    let operator = Operator::with_world();
    let first = operator.run(&["client", "rotate-secret", "letter-sender", "--json"]).json();
    let second = operator.run(&["client", "rotate-secret", "letter-sender", "--json"]).json();
    assert_ne!(first["secret"], second["secret"]);
    let complaint = operator.run(&["client", "rotate-secret", "sleep-diary"]).failed(1);
    assert!(complaint.contains("without a secret"), "{complaint}");
}

#[test]
fn clients_are_invited_by_a_token_that_is_told_once_and_can_be_taken_back() {
    let operator = Operator::with_world();
    let invite = ["client", "invite", "--owner", "Nightjar Health"];
    let made = operator.run(&[invite.as_slice(), &["--uses", "3", "--for", "14d", "--json"]].concat()).json();
    assert!(made["token"].as_str().unwrap().starts_with("rgi_"), "{made}");
    let listed = operator.run(&["client", "invitations", "--json"]).json();
    let expected = serde_json::json!([{
        "id": made["id"], "owner": "Nightjar Health", "user_types": ["PATIENT"], "uses_left": 3, "expires_at": made["expires_at"],
    }]);
    assert_eq!(listed, expected, "and no token");
    for (wrong, words) in [
        (["--uses", "0"], "uses must be from 1 to 1000"),
        (["--for", "91d"], "90d at the most"),
        (["--user-type", "ADMIN"], "PATIENT, CLINICIAN or TEAMCOORD"),
    ] {
        let complaint = operator.run(&[invite.as_slice(), &wrong].concat()).failed(1);
        assert!(complaint.contains(words), "{complaint}");
    }
    let id = made["id"].to_string();
    operator.run(&["client", "revoke-invitation", &id]).fine();
    assert!(operator.run(&["client", "revoke-invitation", &id]).failed(1).contains("no invitation"));
    assert_eq!(operator.run(&["client", "invitations", "--json"]).json(), serde_json::json!([]));
    assert_eq!(operator.run(&["client", "approve", "sleep-diary", "--json"]).json()["changed"], false);
}

#[test]
fn a_client_is_disabled_and_enabled_and_told_whether_that_was_news() {
    let operator = Operator::with_world();
    for (word, changed) in [("disable", true), ("disable", false), ("enable", true), ("enable", false)] {
        assert_eq!(operator.run(&["client", word, "sleep-diary", "--json"]).json()["changed"], changed, "{word}");
    }
    assert!(operator.run(&["client", "disable", "nobody"]).failed(1).contains("there is no client nobody"));
}

#[test]
fn an_organisation_grants_a_system_client_access_and_withdraws_it() {
    let operator = Operator::with_world();
    let granted = || operator.run(&["organisation", "list", "--json"]).json()[0]["granted"].clone();
    assert_eq!(granted(), serde_json::json!(["letter-sender"]));
    for (word, changed) in [("grant", false), ("withdraw", true), ("withdraw", false), ("grant", true)] {
        let done = operator.run(&["organisation", word, HOSPITAL, "letter-sender", "--json"]).json();
        assert_eq!(done["changed"], changed, "{word}");
    }
    for (ids, changed) in [("any", true), ("any", false), ("uuid", true)] {
        let grant = ["organisation", "grant", HOSPITAL, "letter-sender", "--client-ids", ids, "--json"];
        assert_eq!(operator.run(&grant).json()["changed"], changed, "{ids}");
    }
    let wrong = ["organisation", "grant", HOSPITAL, "letter-sender", "--client-ids", "some"];
    assert!(operator.run(&wrong).failed(2).contains("uuid or any"));
    let complaint = operator.run(&["organisation", "grant", HOSPITAL, "sleep-diary"]).failed(1);
    assert!(complaint.contains("organisations grant access to System Clients"), "{complaint}");
}

#[test]
fn organisations_and_teams_are_added_under_a_public_id_of_their_own() {
    const NIGHT_SHIFT: &str = "b7e1d0aa-52c8-4f1e-9d7f-6c2a8d3f0c02";
    let operator = Operator::with_world();
    let organisation = operator.run(&["organisation", "add", "Eastfield Surgery", "--json"]).json();
    let home = organisation["public_id"].as_str().unwrap();
    operator.run(&["team", "add", "Night Shift", "--organisation", home, "--public-id", NIGHT_SHIFT]).fine();
    let teams = operator.run(&["team", "list", "--json"]).json();
    let added = teams.as_array().unwrap().iter().find(|team| team["public_id"] == NIGHT_SHIFT).unwrap();
    assert_eq!((&added["name"], &added["organisation"]), (&"Night Shift".into(), &home.into()));
    assert!(operator.run(&["team", "add", "X", "--organisation", "here"]).failed(2).contains("must be a UUID"));
}

#[test]
fn a_users_password_comes_from_standard_input_and_never_from_an_argument() {
    let operator = Operator::with_world();
    let add = ["user", "add", "Lindqvist", "--type", "CLINICIAN", "--name", "Maja", "--team", CLINIC];
    assert!(operator.run(&add).failed(2).contains("--password-stdin"));
    let with_stdin: Vec<&str> = add.into_iter().chain(["--password-stdin"]).collect();
    operator.run_with_input(&with_stdin, "Stethoscope-under-2-coats\n").fine();
    assert!(
        operator
            .run_with_input(&with_stdin, "Stethoscope-under-3-coats\n")
            .failed(1)
            .contains("user lindqvist: is there already")
    );
    assert!(operator.run_with_input(&["user", "set-password", "lindqvist", "--password-stdin"], "\n").code == 1);
    let set = ["user", "set-password", "lindqvist", "--password-stdin"];
    assert!(operator.run_with_input(&set, "1234567890\n").failed(1).contains("commonest"));
    assert!(operator.run_with_input(&with_stdin, "short\n").failed(1).contains("at least 10"));
    operator.run_with_input(&set, "Six-geese-a-flying\n").fine();
    // The same password again leaves the hash alone; another one does not: so what was set is what was piped in.
    let declared = |password: &str| {
        format!(
            "[[user]]\nusername = \"lindqvist\"\npassword = \"{password}\"\ntype = \"CLINICIAN\"\nname = \"Maja\"\n\
             teams = [\"{CLINIC}\"]\n"
        )
    };
    assert!(operator.run_with_input(&["apply", "-"], &declared("Six-geese-a-flying")).fine().contains("1 unchanged"));
    assert!(operator.run_with_input(&["apply", "-"], &declared("Six-geese-a-flying\\n")).fine().contains("1 updated"));
}

#[test]
fn the_sessions_of_a_user_are_ended_with_a_new_password_and_without_one() {
    let operator = Operator::with_world();
    let issue = || drop(operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina"]).fine());
    let set = ["user", "set-password", "amina", "--password-stdin"];
    issue();
    assert!(operator.run_with_input(&set, "Six-geese-a-flying\n").fine().contains("signed out"));
    let with_sessions: Vec<&str> = set.into_iter().chain(["--end-sessions"]).collect();
    assert!(operator.run_with_input(&with_sessions, "Ten-geese-a-flying\n").fine().contains("1 session of an app"));
    issue();
    issue();
    assert_eq!(operator.run(&["user", "end-sessions", "amina", "--json"]).json()["ended_sessions"], 2);
    assert!(operator.run(&["user", "end-sessions", "amina"]).fine().contains("no app had access"));
    assert!(operator.run(&["user", "end-sessions", "nobody"]).failed(1).contains("there is no user nobody"));
}

#[test]
fn a_user_is_frozen_and_unfrozen() {
    let operator = Operator::with_world();
    operator.run(&["user", "freeze", "amina"]).fine();
    let amina = || operator.run(&["user", "list", "--json"]).json()[0].clone();
    assert_eq!(amina()["username"], "amina");
    assert!(amina()["frozen_at"].is_string());
    operator.run(&["user", "unfreeze", "amina"]).fine();
    assert!(amina()["frozen_at"].is_null());
}

#[test]
fn keys_are_rotated_and_retired_but_never_the_one_that_seals() {
    let operator = Operator::with_world();
    let first = operator.run(&["keys", "list", "--json"]).json()[0]["id"].as_str().unwrap().to_owned();
    assert!(operator.run(&["keys", "retire", &first]).failed(1).contains("rotate first"));
    let rotated = operator.run(&["keys", "rotate", "--json"]).json();
    assert_eq!((rotated[0]["seals"].as_bool(), rotated[1]["seals"].as_bool()), (Some(false), Some(true)));
    operator.run(&["keys", "retire", &first]).fine();
    assert_eq!(operator.run(&["keys", "list", "--json"]).json().as_array().unwrap().len(), 1);
    assert!(operator.run(&["keys", "retire", &first]).failed(1).contains("there is no key"));
}

#[test]
fn every_command_has_help_with_examples() {
    let operator = Operator::new();
    let commands =
        "serve sandbox apply import client organisation team user grant keys backup health config completions man";
    for command in commands.split(' ') {
        let help = operator.command(&[command, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        assert!(help.contains("Example"), "{command}:\n{help}");
        assert!(help.contains("--json") && help.contains("--database"), "{command}:\n{help}");
    }
}
