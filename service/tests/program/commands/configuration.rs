//! The configuration, as `recordgate config` tells of it.

use crate::terminal::operator::Operator;
use serde_json::Value;

fn config(operator: &Operator, arguments: &[&str], variables: &[(&str, &str)]) -> Value {
    let mut command = operator.command(arguments);
    let output = command.args(["config", "--json"]).envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_option_beats_the_environment_which_beats_the_file_which_beats_the_default() {
    let operator = Operator::new();
    operator.file("my.toml", "database = \"sqlite:of-the-file\"\n");
    let file = ["--config", "my.toml"];
    let both = ["--config", "my.toml", "--database", "sqlite:of-the-option"];
    let variable = [("RECORDGATE_DATABASE", "sqlite:of-the-environment")];
    for (arguments, variables, value, from) in [
        (&[][..], &[][..], "sqlite:recordgate-data", "default"),
        (&file, &[], "sqlite:of-the-file", "my.toml:1"),
        (&file, &variable, "sqlite:of-the-environment", "environment RECORDGATE_DATABASE"),
        (&both, &variable, "sqlite:of-the-option", "option --database"),
    ] {
        let database = config(&operator, arguments, variables)["database"].clone();
        assert_eq!((&database["value"], &database["from"]), (&value.into(), &from.into()));
    }
}

#[test]
fn the_base_url_follows_the_address_and_the_key_ring_the_database() {
    let operator = Operator::new();
    let told = config(&operator, &["--database", "sqlite:here"], &[("RECORDGATE_LISTEN", "127.0.0.1:9")]);
    assert_eq!(told["base_url"]["value"], "http://127.0.0.1:9");
    assert_eq!(told["keys"]["value"], "here/keys");
}

#[test]
fn what_it_prints_is_toml_that_it_reads_again() {
    let operator = Operator::new();
    let defaults = operator.command(&["config", "--defaults"]).output().unwrap().stdout;
    operator.file("defaults.toml", &String::from_utf8(defaults).unwrap());
    config(&operator, &["--config", "defaults.toml"], &[]);
    let printed = operator.command(&["config", "--listen", "127.0.0.1:7"]).output().unwrap().stdout;
    operator.file("printed.toml", &String::from_utf8(printed).unwrap());
    let again = config(&operator, &["--config", "printed.toml"], &[]);
    assert_eq!(again["listen"]["value"], "127.0.0.1:7");
    assert_eq!(again["log.level"]["value"], "info");
}

#[test]
fn an_unknown_key_is_an_error_that_names_it_and_the_nearest_known_one() {
    let operator = Operator::new();
    operator.file("my.toml", "listen = \"127.0.0.1:1\"\nbase-url = \"http://x\"\n[log]\nlevl = \"info\"\n");
    let output = operator.command(&["config", "--config", "my.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("my.toml:2: unknown key base-url; did you mean base_url?"), "{complaint}");
    assert!(complaint.contains("my.toml:4: unknown key log.levl; did you mean level?"), "{complaint}");
}

#[test]
fn a_wrong_option_is_wrong_usage() {
    let operator = Operator::new();
    for arguments in [["client", "list", "--database", "postgres"], ["serve", "--listen", "here", "--keys=keys"]] {
        let output = operator.command(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(" will not do"), "{arguments:?}");
    }
}
