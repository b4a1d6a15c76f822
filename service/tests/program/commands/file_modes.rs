//! That nobody else on the machine can read what the program writes, even under a umask that lets everybody read everything.

use crate::terminal::operator::Operator;
use crate::terminal::program::Program;
use crate::terminal::world::{HOSPITAL, WORLD};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PATIENT: &str = r#"{"resourceType":"Patient","id":"amina-osei","name":[{"family":"Osei"}]}"#;

/// The same command under a umask that takes nothing away.
fn permissive(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    if let Some(directory) = command.get_current_dir() {
        shell.current_dir(directory);
    }
    shell
}

/// Everything below a directory, and itself, with its mode.
fn modes(directory: &Path) -> Vec<(PathBuf, u32)> {
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let mut found = vec![(directory.to_path_buf(), mode(directory))];
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(modes(&path));
        } else {
            found.push((path.clone(), mode(&path)));
        }
    }
    found
}

fn is_nobody_elses(directory: &Path, expected: &[&str]) {
    let found = modes(directory);
    for (path, mode) in &found {
        let right = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(*mode, right, "{} has the mode {mode:o}", path.display());
    }
    for name in expected {
        assert!(found.iter().any(|(path, _)| path.ends_with(name)), "{name} is not among {found:?}");
    }
}

#[test]
fn files_of_the_store_and_of_a_backup_are_nobody_elses_to_read_under_any_umask() {
    let operator = Operator::new();
    operator.file("world.toml", WORLD);
    operator.file("amina.json", PATIENT);
    let serve = operator.command(&["serve", "--listen", "127.0.0.1:0", "--database", &operator.database]);
    let server = Program::start(permissive(&serve), operator.path("log"));
    let run = |arguments: &[&str]| {
        let command = operator.command(&[arguments, &["--database", &operator.database]].concat());
        let output = permissive(&command).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["apply", "world.toml"]);
    run(&["import", "--organisation", HOSPITAL, "amina.json"]);
    run(&["backup", "--to", "copies/one"]);
    let parts = ["records.sqlite", "sessions.sqlite", "ledger.sqlite"];
    is_nobody_elses(&operator.data(), &[&parts[..], &["records.sqlite-wal", "records.sqlite-shm", "keys"]].concat());
    is_nobody_elses(&operator.path("copies/one"), &parts);
    drop(server);
}

/// A store that an earlier release made for everybody to read.
#[test]
fn files_that_others_could_read_are_taken_from_them_at_the_next_start() {
    let operator = Operator::with_world();
    for part in ["records.sqlite", "sessions.sqlite", "ledger.sqlite"] {
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(operator.data().join(part), open).unwrap();
    }
    operator.run(&["user", "list"]).fine();
    is_nobody_elses(&operator.data(), &["records.sqlite", "sessions.sqlite", "ledger.sqlite"]);
}
