//! An operator at a terminal: a working directory of their own, and the built program.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub const HOSPITAL: &str = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01";
pub const CLINIC: &str = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01";

/// A hospital with a clinic, its people, and a client of each kind; the System Client's secret is made for it.
pub const WORLD: &str = r#"
[[organisation]]
public_id = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
name = "Northmoor Hospital"

[[team]]
public_id = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
name = "Sleep Clinic"

[[user]]
username = "amina"
password = "Lantern-on-the-4th-sill"
type = "PATIENT"
name = "Amina Osei"
patient = "amina-osei"
teams = ["a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"]

[[user]]
username = "coordinator"
password = "Nine-keys-on-1-ring"
type = "TEAMCOORD"
name = "Tomas Reyes"
teams = ["a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"]

[[client]]
client_id = "sleep-diary"
kind = "user"
owner = "Nightjar Health"
product = "Sleep Diary"
redirect_uris = ["https://sleep.example/callback"]
scopes = ["PATIENT"]
session = "90d"

[[client]]
client_id = "letter-sender"
kind = "system"
owner = "Postbridge"
product = "Letter Sender"

[[client]]
client_id = "clinic-link"
kind = "tethered"
owner = "Clinic Link"
product = "Clinic Link"
session = "never"

[[organisation_grant]]
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
client = "letter-sender"
"#;

/// What a command did.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Done {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// The command succeeded; gives what it printed.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self.out
    }

    /// The command succeeded and printed one JSON value.
    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.fine()).unwrap()
    }

    /// The command failed with this exit code; gives what it complained of.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self.err
    }
}

pub struct Operator {
    home: TempDir,
    pub database: PathBuf,
}

impl Operator {
    pub fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let database = home.path().join("data");
        Self { home, database }
    }

    /// An operator whose database holds `WORLD`.
    pub fn with_world() -> Self {
        let operator = Self::new();
        operator.file("world.toml", WORLD);
        operator.run(&["apply", "world.toml"]).fine();
        operator
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn file(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The program in this operator's directory, with no setting from the machine that runs the tests.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recordgate"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECORDGATE_")) {
            command.env_remove(name);
        }
        command.current_dir(self.home.path()).args(arguments).stdin(Stdio::null());
        command
    }

    /// Runs a command on this operator's database.
    pub fn run(&self, arguments: &[&str]) -> Done {
        Done::of(&self.on_database(arguments).output().unwrap())
    }

    /// Runs a command that reads `text` from standard input.
    pub fn run_with_input(&self, arguments: &[&str], text: &str) -> Done {
        let mut command = self.on_database(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Done::of(&child.wait_with_output().unwrap())
    }

    fn on_database(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.arg("--database").arg(format!("sqlite:{}", self.database.display()));
        command
    }

    /// Starts the service on this operator's database and waits until it takes orders.
    pub fn serve(&self) -> Server {
        let socket = self.database.join("control.sock");
        let before = modified(&socket);
        let mut command = self.on_database(&["serve", "--listen", "127.0.0.1:0"]);
        let log = std::fs::File::create(self.path("log")).unwrap();
        let mut child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while modified(&socket) == before || modified(&socket).is_none() {
            let log = || std::fs::read_to_string(self.path("log")).unwrap();
            assert!(child.try_wait().unwrap().is_none(), "the service ended:\n{}", log());
            assert!(Instant::now() < deadline, "the service does not take orders:\n{}", log());
            std::thread::park_timeout(Duration::from_millis(5));
        }
        Server { child, log: self.path("log") }
    }
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// A running service; killed if the test ends without stopping it.
pub struct Server {
    child: Child,
    log: PathBuf,
}

impl Server {
    /// Posts a form and gives the whole answer.
    pub fn post(&self, path: &str, form: &str) -> String {
        let mut connection = TcpStream::connect(self.address()).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n",
            form.len()
        );
        connection.write_all(format!("{head}{form}").as_bytes()).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Where it listens, as it says in its log.
    pub fn address(&self) -> String {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let log = std::fs::read_to_string(&self.log).unwrap();
            let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            if let Some(address) = lines.into_iter().find_map(|line| line["address"].as_str().map(String::from)) {
                return address;
            }
            assert!(Instant::now() < deadline, "the service does not say where it listens:\n{log}");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the service and gives all that it logged.
    pub fn ended(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::fs::read_to_string(&self.log).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped_already = self.child.wait();
    }
}
