//! What `recordgate move` refuses and says, and what everyone else says of the two databases.

use crate::moves::mover::{DIRECTIONS, Engine, Mover};

#[test]
fn a_running_service_must_be_stopped_first_and_is_not_disturbed() {
    let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
    let service = mover.serve(&mover.from);
    let said = mover.run(&["move", "--from", &mover.from, "--to", &mover.to]).failed(1);
    assert!(said.contains("is in use by another recordgate process; stop it first"), "{said}");
    service.refresh(&mover.issue()).member("access_token");
}

#[test]
fn after_the_move_every_command_refuses_the_source_until_it_is_reopened() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        let printed = mover.run(&["move", "--from", &mover.from, "--to", &mover.to]).fine();
        assert!(printed.contains(" are the same in "), "{printed}");
        assert!(printed.contains("recordgate serve --database ") && printed.contains(" --keys "), "{printed}");
        let commands: [&[&str]; 4] =
            [&["client", "list"], &["serve", "--listen", "127.0.0.1:0"], &["apply", "world.toml"], &["keys", "list"]];
        for command in commands {
            let said = mover.on(&mover.from, command).failed(1);
            assert!(said.contains("the data of this database was moved to "), "{command:?}: {said}");
            assert!(said.contains("--reopen"), "{said}");
        }
        mover.run(&["move", "--reopen", &mover.from]).fine();
        assert!(mover.on(&mover.from, &["client", "list"]).fine().contains("sleep-diary"));
        let said = mover.run(&["move", "--reopen", &mover.from]).failed(1);
        assert!(said.contains("was not moved anywhere"), "{said}");
    }
}

#[test]
fn a_database_that_is_there_is_no_target() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        mover.on(&mover.to, &["apply", "world.toml"]).fine();
        let said = mover.run(&["move", "--from", &mover.from, "--to", &mover.to]).failed(1);
        assert!(said.contains("there is a database in") || said.contains("is another key ring"), "{said}");
        assert!(mover.on(&mover.from, &["client", "list"]).fine().contains("sleep-diary"));
        assert!(mover.on(&mover.to, &["client", "list"]).fine().contains("sleep-diary"));
    }
}

#[test]
fn wrong_usage_is_said_to_be_so() {
    let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
    let said = mover.on(&mover.from, &["move", "--from", &mover.from, "--to", &mover.to]).failed(2);
    assert!(said.contains("move takes --from and --to, and no --database"), "{said}");
    mover.run(&["move", "--from", &mover.from]).failed(2);
    mover.run(&["move", "--from", &mover.from, "--reopen", &mover.from]).failed(2);
    let said = mover.run(&["move", "--from", &mover.from, "--to", "nowhere"]).failed(2);
    assert!(said.contains("--to: this is no database"), "{said}");
}

#[test]
fn a_password_is_never_repeated_and_may_be_kept_off_the_command_line() {
    let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
    let with_password = |url: &str| url.replacen("recordgate@", "recordgate:hush@", 1);
    let unknown = with_password(&mover.to.replacen('?', "-unknown?", 1));
    let said = mover.run(&["move", "--from", &mover.from, "--to", &unknown]).failed(1);
    assert!(!said.contains("hush"), "{said}");
    let mut command = mover.operator.command(&["move"]);
    command.env("RECORDGATE_MOVE_FROM", &mover.from).env("RECORDGATE_MOVE_TO", with_password(&mover.to));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "no bar where there is no terminal");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(!printed.contains("hush"), "{printed}");
}
