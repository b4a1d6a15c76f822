//! `recordgate apply`: what is declared comes to be, once.

use crate::terminal::operator::Operator;
use crate::terminal::world::WORLD;
use serde_json::Value;

fn changes(applied: &Value) -> Vec<&str> {
    applied["changes"].as_array().unwrap().iter().map(|change| change["change"].as_str().unwrap()).collect()
}

#[test]
fn the_first_time_everything_is_created_and_the_second_time_nothing_changes() {
    let operator = Operator::new();
    operator.file("world.toml", WORLD);
    assert!(operator.run(&["apply", "world.toml"]).fine().contains("8 created, 0 updated, 0 unchanged"));
    assert!(operator.run(&["apply", "world.toml"]).fine().contains("0 created, 0 updated, 8 unchanged"));
}

#[test]
fn what_differs_is_updated_and_named() {
    let operator = Operator::with_world();
    operator.file("world.toml", &WORLD.replace("Sleep Diary", "Sleep Journal").replace("Nine-keys", "Ten-keys"));
    let printed = operator.run(&["apply", "world.toml"]).fine();
    assert!(printed.contains("0 created, 2 updated, 6 unchanged"), "{printed}");
    assert!(printed.contains("updated  user    coordinator"), "{printed}");
    assert!(printed.contains("updated  client  sleep-diary"), "{printed}");
}

#[test]
fn a_dry_run_tells_what_would_change_and_changes_nothing() {
    let operator = Operator::with_world();
    operator.file("world.toml", &WORLD.replace("Sleep Diary", "Sleep Journal"));
    let told = operator.run(&["apply", "--dry-run", "--json", "world.toml"]).json();
    assert_eq!(changes(&told).iter().filter(|change| **change == "updated").count(), 1);
    assert_eq!(operator.run(&["client", "show", "sleep-diary", "--json"]).json()["product"], "Sleep Diary");
}

#[test]
fn a_dry_run_on_nothing_makes_no_data_directory() {
    let operator = Operator::new();
    operator.file("world.toml", WORLD);
    let complaint = operator.run(&["apply", "--dry-run", "world.toml"]).failed(1);
    assert!(complaint.contains("there is no data"), "{complaint}");
    assert!(!operator.data().exists());
}

#[test]
fn many_files_are_one_declaration_and_may_refer_to_each_other() {
    let operator = Operator::new();
    let (organisations, rest) = WORLD.split_at(WORLD.find("[[team]]").unwrap());
    operator.file("organisations.toml", organisations);
    operator.file("rest.toml", rest);
    let printed = operator.run(&["apply", "rest.toml", "organisations.toml"]).fine();
    assert!(printed.contains("8 created"), "{printed}");
}

#[test]
fn a_declaration_can_come_from_standard_input() {
    let operator = Operator::new();
    assert!(operator.run_with_input(&["apply", "-"], WORLD).fine().contains("8 created"));
}

#[test]
fn a_system_client_without_secret_gets_one_that_is_told_once() {
    let operator = Operator::new();
    operator.file("world.toml", WORLD);
    let first = operator.run(&["apply", "--json", "world.toml"]).json();
    assert_eq!(first["secrets"][0]["client_id"], "letter-sender");
    assert!(first["secrets"][0]["secret"].as_str().unwrap().starts_with("rgs_"));
    let second = operator.run(&["apply", "--json", "world.toml"]).json();
    assert_eq!(second["secrets"].as_array().unwrap().len(), 0);
    assert!(changes(&second).iter().all(|change| *change == "unchanged"), "the secret must stay the same: {second}");
}

#[test]
fn a_user_without_password_keeps_the_one_they_have() {
    let operator = Operator::with_world();
    operator.file("world.toml", &WORLD.replace("password = \"Nine-keys-on-1-ring\"\n", ""));
    assert!(operator.run(&["apply", "world.toml"]).fine().contains("0 updated"));
}

#[test]
fn a_password_hash_is_taken_as_it_is() {
    let operator = Operator::new();
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$X9WolEOchroQwn0Y8jpgxg$Y8Jyxh7fETSMPkODDoaUY8WWhSQQ9RqYVI96w9JwfnY";
    let file =
        format!("[[user]]\nusername = \"root\"\npassword_hash = \"{hash}\"\ntype = \"ADMIN\"\nname = \"Root\"\n");
    assert!(operator.run_with_input(&["apply", "-"], &file).fine().contains("1 created"));
    assert!(operator.run_with_input(&["apply", "-"], &file).fine().contains("1 unchanged"));
}

#[test]
fn neither_a_password_nor_a_hash_is_ever_printed() {
    let operator = Operator::with_world();
    for arguments in [["user", "list"], ["client", "list"]] {
        for form in [None, Some("--json")] {
            let printed = operator.run(&arguments.into_iter().chain(form).collect::<Vec<_>>()).fine();
            assert!(!printed.contains("argon2") && !printed.contains("Lantern"), "{printed}");
        }
    }
}

#[test]
fn the_settings_of_a_team_and_an_organisation_are_shown_and_stay_where_they_are_left_out() {
    let operator = Operator::with_world();
    let listed = |what: &str| operator.run(&[what, "list", "--json"]).json()[0].clone();
    assert_eq!(listed("team")["default_access"], serde_json::json!(["GENERAL_HEALTH"]));
    assert_eq!(listed("team")["break_glass"], false);
    assert_eq!(listed("organisation")["default_label"], "GENERAL_HEALTH");
    let settings = "default_label = \"MENTAL_HEALTH\"\n\
        default_access = [\"GENERAL_HEALTH\", \"SOCIAL_CARE\"]\nbreak_glass = true\nname = \"Sleep Clinic\"";
    let changed = WORLD
        .replace("name = \"Northmoor Hospital\"", "name = \"Northmoor Hospital\"\ndefault_label = \"none\"")
        .replace("name = \"Sleep Clinic\"", settings);
    operator.file("changed.toml", &changed);
    let told = operator.run(&["apply", "--dry-run", "--json", "changed.toml"]).json();
    assert_eq!(changes(&told)[..2], ["updated", "updated"]);
    for file in ["changed.toml", "world.toml"] {
        operator.run(&["apply", file]).fine();
        assert_eq!(listed("team")["default_label"], "MENTAL_HEALTH", "{file}");
        assert_eq!(listed("team")["default_access"], serde_json::json!(["GENERAL_HEALTH", "SOCIAL_CARE"]), "{file}");
        assert_eq!(listed("team")["break_glass"], true, "{file}");
        assert_eq!(listed("organisation")["default_label"], "none", "{file}");
    }
    let told = operator.run(&["apply", "--json", "changed.toml"]).json();
    assert!(changes(&told).iter().all(|change| *change == "unchanged"), "{told}");
}

#[test]
fn a_label_that_is_none_is_refused_with_those_that_are() {
    let operator = Operator::new();
    let wrong = "name = \"Sleep Clinic\"\ndefault_access = [\"GENERAL\"]";
    operator.file("world.toml", &WORLD.replace("name = \"Sleep Clinic\"", wrong));
    let complaint = operator.run(&["apply", "world.toml"]).failed(1);
    assert!(complaint.contains("default_access = \"GENERAL\" will not do; it must be GENERAL_HEALTH, "), "{complaint}");
}
