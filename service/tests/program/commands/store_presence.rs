//! Which commands make a store, and what the others say where there is none.

use crate::terminal::operator::Operator;
use crate::terminal::world::{HOSPITAL, WORLD};

const SANDBOX: &str = "sqlite:recordgate-sandbox";

/// Commands that work on a store that is there, each with its exit status where there is none.
const NEED_A_STORE: &[(&[&str], i32)] = &[
    (&["client", "list"], 1),
    (&["client", "add", "--kind", "system", "--owner", "Lab", "--product", "Results"], 1),
    (&["organisation", "add", "Eastfield Surgery"], 1),
    (&["organisation", "grant", HOSPITAL, "letter-sender"], 1),
    (&["team", "add", "Night Shift", "--organisation", HOSPITAL], 1),
    (&["user", "add", "maja", "--type", "ADMIN", "--name", "Maja", "--password-stdin"], 1),
    (&["user", "freeze", "amina"], 1),
    (&["grant", "list"], 1),
    (&["grant", "issue", "--client", "sleep-diary", "--user", "amina"], 1),
    (&["import", "--organisation", HOSPITAL, "world.toml"], 1),
    (&["apply", "world.toml", "--dry-run"], 1),
    (&["keys", "rotate"], 1),
    (&["ledger"], 1),
    (&["ledger", "verify"], 1),
    (&["backup", "--to", "copy"], 1),
    (&["verify"], 3),
];

/// An operator who has a world to declare, and no store yet.
fn operator() -> Operator {
    let operator = Operator::new();
    operator.file("world.toml", WORLD);
    operator
}

#[test]
fn only_apply_serve_and_sandbox_make_a_store() {
    let operator = operator();
    std::fs::create_dir(operator.path("empty")).unwrap();
    for (command, status) in NEED_A_STORE {
        for place in [operator.database.clone(), format!("sqlite:{}", operator.path("empty").display())] {
            let arguments = [*command, &["--database", &place]].concat();
            let told = operator.run_bare_with_input(&arguments, "Stethoscope-under-2-coats\n").failed(*status);
            let where_it_looked = format!("there is no data in {place} (option --database)");
            assert!(told.contains(&where_it_looked) && told.contains("recordgate apply FILE"), "{command:?}: {told}");
        }
    }
    assert!(!operator.data().exists());
    assert_eq!(std::fs::read_dir(operator.path("empty")).unwrap().count(), 0);

    operator.run(&["apply", "world.toml"]).fine();
    for how in ["serve", "sandbox"] {
        let database = format!("sqlite:{}", operator.path(how).display());
        operator.start(how, &database, &[]).stop();
        operator.run_on(&database, &["client", "list"]).fine();
    }
}

#[test]
fn without_a_database_named_a_command_says_that_there_is_a_sandbox_beside_it() {
    let operator = operator();
    let sandbox = operator.start("sandbox", SANDBOX, &[]);
    for (running, words) in [
        (Some(sandbox), "a sandbox is running on ./recordgate-sandbox"),
        (None, "there is a sandbox's data in ./recordgate-sandbox (not running)"),
    ] {
        for (command, status) in NEED_A_STORE {
            let told = operator.run_bare_with_input(command, "Stethoscope-under-2-coats\n").failed(*status);
            assert!(told.contains("there is no data in sqlite:recordgate-data, the default place"), "{told}");
            assert!(told.contains(words) && told.contains(&format!("add --database {SANDBOX}")), "{command:?}: {told}");
        }
        // A store that is named is the one that is meant.
        let told = operator.run(&["client", "list"]).failed(1);
        assert!(!told.contains("sandbox"), "{told}");
        if let Some(sandbox) = running {
            sandbox.stop();
        }
    }
    assert!(!operator.path("recordgate-data").exists());
}

#[test]
fn apply_beside_a_sandbox_makes_a_new_store_only_where_it_is_named() {
    let operator = operator();
    operator.start("sandbox", SANDBOX, &[]).stop();
    let told = operator.run_bare(&["apply", "world.toml"]).failed(1);
    assert!(told.contains(&format!("--database {SANDBOX} to change the sandbox")), "{told}");
    assert!(told.contains("--database sqlite:recordgate-data to make a new store"), "{told}");
    assert!(!operator.path("recordgate-data").exists());

    operator.run_on("sqlite:recordgate-data", &["apply", "world.toml"]).fine();
    // It is there now, so the default is clear.
    assert!(operator.run_bare(&["apply", "world.toml"]).fine().contains("unchanged"));
    assert!(operator.run_bare(&["client", "list"]).fine().contains("sleep-diary"));
}

#[test]
fn a_program_is_told_the_same_as_json() {
    let operator = operator();
    operator.start("sandbox", SANDBOX, &[]).stop();
    let error = operator.run_bare(&["client", "list", "--json"]).failed_in_json(1);
    assert_eq!(error["kind"], "trouble");
    assert_eq!(
        error["problems"],
        serde_json::json!([
            "there is no data in sqlite:recordgate-data, the default place, but there is a sandbox's data in \
             ./recordgate-sandbox (not running); to use that, add --database sqlite:recordgate-sandbox"
        ])
    );
}
