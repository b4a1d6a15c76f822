//! What programs, shells and `man` learn of the commands: errors as JSON, completions, and manual pages.

use crate::terminal::operator::Operator;
use serde_json::{Value, json};

#[test]
fn with_json_an_error_is_one_line_on_stdout_and_the_exit_code_is_what_it_was() {
    let operator = Operator::new();
    operator.file("bad.toml", "[[organisation]]\nname = 5\n");
    let cases: [(&[&str], i32, &str, Value); 5] = [
        (&["client", "list"], 1, "trouble", Value::Null),
        (&["apply", "bad.toml"], 1, "trouble", json!("Nothing was changed.")),
        (&["serve", "--listen", "here"], 2, "usage", Value::Null),
        // These two are clap's: a command that cannot be read at all.
        (&["client", "lst"], 2, "usage", Value::Null),
        (&["backup"], 2, "usage", Value::Null),
    ];
    for (arguments, code, kind, upshot) in cases {
        let said = operator.run(arguments).failed(code);
        let error = operator.run(&[arguments, &["--json"]].concat()).failed_in_json(code);
        assert_eq!((&error["kind"], &error["upshot"]), (&json!(kind), &upshot), "{arguments:?}");
        let problems = error["problems"].as_array().unwrap();
        assert!(!problems.is_empty(), "{arguments:?}");
        for problem in problems {
            let words: Vec<&str> = problem.as_str().unwrap().split_whitespace().collect();
            assert!(!words.is_empty() && words[0] != "error:", "{arguments:?}: {words:?}");
            let heard = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(heard.contains(&words.join(" ")), "people hear something else than {words:?}: {heard}");
        }
    }
}

#[test]
fn help_stays_help_where_json_is_asked_for() {
    let help = Operator::new().run_bare(&["backup", "--help", "--json"]).fine();
    assert!(help.contains("Usage: recordgate backup"), "{help}");
}

#[test]
fn every_shell_gets_completions_that_know_the_commands_whatever_the_configuration_says() {
    let operator = Operator::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = operator.run_bare(&["completions", shell, "--config", "missing.toml"]).fine();
        for word in ["rotate-secret", "set-password", "redirect-uri"] {
            assert!(text.contains(word), "{shell} does not know {word}");
        }
    }
    assert!(operator.run_bare(&["completions", "cmd"]).failed(2).contains("possible values"));
}

#[test]
fn there_is_a_manual_page_of_every_command() {
    let operator = Operator::new();
    let page = operator.run_bare(&["man"]).fine();
    assert!(page.contains(".TH recordgate 1") && page.contains("recordgate\\-serve(1)"), "{page}");
    operator.run_bare(&["man", "--to", "pages"]).fine();
    for page in ["recordgate.1", "recordgate-serve.1", "recordgate-client-add.1", "recordgate-keys-rotate.1"] {
        let text = std::fs::read_to_string(operator.path("pages").join(page)).unwrap();
        assert!(text.contains(".SH NAME") && text.contains("\\-\\-json"), "{page}: {text}");
    }
    operator.file("taken", "a file");
    let refused = operator.run_bare(&["man", "--to", "taken/pages"]).failed(1);
    assert!(refused.contains("taken/pages cannot be written to"), "{refused}");
}
