//! An operator at a terminal: a working directory of their own, a database, and the built program.

use super::outcome::Outcome;
use super::program::{self, Program};
use super::world::WORLD;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

pub struct Operator {
    home: TempDir,
    /// As `--database` names it.
    pub database: String,
    started: AtomicU32,
}

impl Operator {
    /// An operator whose database will be a data directory.
    pub fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let database = format!("sqlite:{}", home.path().join("data").display());
        Self { home, database, started: AtomicU32::new(0) }
    }

    /// An operator whose database holds `WORLD`.
    pub fn with_world() -> Self {
        let operator = Self::new();
        operator.declare();
        operator
    }

    /// Makes the database hold `WORLD`.
    pub fn declare(&self) {
        self.file("world.toml", WORLD);
        self.run(&["apply", "world.toml"]).fine();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Where the data directory is.
    pub fn data(&self) -> PathBuf {
        self.database.strip_prefix("sqlite:").unwrap().into()
    }

    pub fn file(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The program in this operator's directory, on no database in particular.
    pub fn command(&self, arguments: &[&str]) -> Command {
        program::command(self.home.path(), arguments)
    }

    /// Runs a command on this operator's database.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_on(&self.database, arguments)
    }

    /// Runs a command on another database.
    pub fn run_on(&self, database: &str, arguments: &[&str]) -> Outcome {
        self.run_bare(&[arguments, &["--database", database]].concat())
    }

    /// Runs a command as it is.
    pub fn run_bare(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(&self.command(arguments).output().unwrap())
    }

    /// Runs a command that reads `text` from standard input.
    pub fn run_with_input(&self, arguments: &[&str], text: &str) -> Outcome {
        self.run_bare_with_input(&[arguments, &["--database", &self.database]].concat(), text)
    }

    /// Runs a command as it is, which reads `text` from standard input.
    pub fn run_bare_with_input(&self, arguments: &[&str], text: &str) -> Outcome {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that ends before it reads has closed the pipe; what it says of it is the outcome.
        let _unread = child.stdin.take().unwrap().write_all(text.as_bytes());
        Outcome::of(&child.wait_with_output().unwrap())
    }

    /// Starts the service on this operator's database.
    pub fn serve(&self) -> Program {
        self.start("serve", &self.database, &[])
    }

    /// Starts the service or the sandbox, with settings from the environment.
    pub fn start(&self, how: &str, database: &str, settings: &[(&str, &str)]) -> Program {
        let mut command = self.command(&[how, "--listen", "127.0.0.1:0", "--database", database]);
        command.envs(settings.iter().copied());
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        Program::start(command, self.log(number))
    }

    /// Where the process that was started as this one, counted from 0, writes its log.
    pub fn log(&self, number: u32) -> PathBuf {
        self.path(&format!("log{number}"))
    }
}
