//! SIGKILL at any moment: the source is intact, the target refused or whole, and the same command again ends the move.

use crate::moves::mover::{DIRECTIONS, Engine, Mover};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

const PATIENTS: usize = 600;
/// The move is killed after so many parts of the time that a whole one takes.
const PARTS: u32 = 8;

#[test]
fn a_move_that_is_killed_at_any_moment_can_be_begun_again_and_loses_nothing() {
    for direction in DIRECTIONS {
        let mut mover = Mover::new(direction);
        mover.import(PATIENTS);
        mover.issue();
        let began = Instant::now();
        let whole = contents(&mover.moved());
        let took = began.elapsed();
        for part in 0..=PARTS {
            mover.run(&["move", "--reopen", &mover.from]).fine();
            mover.to = mover.database(direction[1], &format!("to{part}"));
            kill_after(&mover, took * part / PARTS);
            let ended = is_whole(&mover);
            if !ended {
                assert_eq!(contents(&mover.moved()), whole, "{direction:?}, killed at {part} of {PARTS}");
            }
            assert!(is_whole(&mover));
            let said = mover.on(&mover.from, &["client", "list"]).failed(1);
            assert!(said.contains("was moved to"), "{said}");
            assert!(mover.on(&mover.to, &["grant", "list", "--user", "amina"]).fine().contains("sleep-diary"));
        }
    }
}

/// What is said of every table, but for the settings: in them, PostgreSQL's nodes are counted as they start.
fn contents(told: &Value) -> Vec<Value> {
    let tables = told["tables"].as_array().unwrap();
    tables.iter().filter(|table| table["table"] != "settings").cloned().collect()
}

/// Begins the move and kills it, unless it ends before.
fn kill_after(mover: &Mover, time: Duration) {
    let deadline = Instant::now() + time;
    let mut command = mover.operator.command(&["move", "--from", &mover.from, "--to", &mover.to]);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while Instant::now() < deadline && process.try_wait().unwrap().is_none() {
        std::thread::park_timeout(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
}

/// Whether the target is whole, with the source refused in its favour. If not, it is refused or untouched, and the source
/// is usable, or will be by one of the two commands that it names.
fn is_whole(mover: &Mover) -> bool {
    let source = mover.on(&mover.from, &["grant", "list", "--json"]);
    if is_untouched(&mover.to) {
        assert_eq!(serde_json::from_str::<Value>(&source.fine()).unwrap().as_array().unwrap().len(), 1);
        return false;
    }
    let target = mover.on(&mover.to, &["grant", "list", "--json"]);
    if target.code == 0 {
        assert!(source.failed_in_json(1).to_string().contains("was moved to"));
        return true;
    }
    let said = target.failed_in_json(1).to_string();
    assert!(said.contains("a move into this database was not finished"), "{said}");
    assert!(source.code == 0 || source.failed_in_json(1).to_string().contains("was moved to"));
    false
}

/// Looked at without opening it, which would make an empty database of it.
fn is_untouched(database: &str) -> bool {
    match database.strip_prefix("sqlite:") {
        Some(directory) => {
            // The mark is the first that is written to the file; a journal beside it says that it was not, or barely.
            let file = |name| std::fs::metadata(std::path::Path::new(directory).join(name));
            file("records.sqlite").map_or(true, |file| file.len() == 0) || file("records.sqlite-journal").is_ok()
        }
        None => cluster::ask(database, "SELECT count(*) FROM pg_tables WHERE tablename = 'migrations'") == "0",
    }
}

#[test]
fn a_half_done_target_is_refused_by_every_command() {
    let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
    mover.moved();
    // As a move leaves it that is killed before its last write.
    cluster::ask(&mover.to, "INSERT INTO migrations (name) VALUES ('move/unfinished')");
    let commands: [&[&str]; 5] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["sandbox", "--listen", "127.0.0.1:0"],
        &["client", "list"],
        &["apply", "world.toml"],
        &["grant", "list"],
    ];
    for command in commands {
        let said = mover.on(&mover.to, command).failed(1);
        assert!(said.contains("a move into this database was not finished"), "{command:?}: {said}");
        assert!(said.contains("run the same `recordgate move` again"), "{command:?}: {said}");
    }
    mover.moved();
    mover.on(&mover.to, &["client", "list"]).fine();
}
