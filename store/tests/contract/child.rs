//! This very executable as a child process: one of its ignored tests, in a directory that the parent looks at later.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DIRECTORY: &str = "RECORDGATE_TEST_CHILD_DIRECTORY";

/// The command that runs the ignored test of this name, its output piped.
pub fn running(test: &str, directory: &Path) -> Command {
    with_limits("", test, directory)
}

/// The same after some shell words, such as a limit of the process.
pub fn with_limits(words: &str, test: &str, directory: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!(r#"{words} exec "$0" --ignored --exact --nocapture "$1""#)])
        .arg(std::env::current_exe().expect("this executable"))
        .arg(test)
        .env(DIRECTORY, directory)
        .stdout(Stdio::piped());
    command
}

/// In the child: the directory that the parent gave.
pub fn directory() -> PathBuf {
    std::env::var_os(DIRECTORY).expect("to be run by another test, which names a directory").into()
}

/// In the child: says one line to the parent, in one write, so that the parent hears all of it or nothing.
pub fn say(what: &str, id: i64, generation: i64) {
    let line = format!("said {what} {id} {generation}\n");
    std::io::stdout().lock().write_all(line.as_bytes()).expect("the parent listens");
}

/// In the parent: what a line of the child says; nothing if it is none of its own or was cut off.
pub fn said(line: &str) -> Option<(&str, i64, i64)> {
    let words: Vec<&str> = line.strip_suffix('\n')?.split(' ').collect();
    let ["said", what, id, generation] = words[..] else { return None };
    Some((what, id.parse().ok()?, generation.parse().ok()?))
}
