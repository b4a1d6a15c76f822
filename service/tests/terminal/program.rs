//! The built program: how it is started, and how a running one is spoken to.

use super::answer::Answer;
use super::patience::{PATIENCE, until_some};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const FORM: &str = "application/x-www-form-urlencoded";

/// The program in this directory, with no setting from the machine that runs the tests.
pub fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recordgate"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECORDGATE_")) {
        command.env_remove(name);
    }
    command.current_dir(directory).args(arguments).stdin(Stdio::null());
    command
}

/// A process that ends with the test, however that ends.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _reaped_already = self.0.wait();
    }
}

/// The program as a running service. Dropped, it is killed.
pub struct Program {
    process: Process,
    address: String,
    log: PathBuf,
}

impl Program {
    /// Starts a command that serves, with its log in this file, and waits until it says there where it listens: from then
    /// on it takes orders too.
    pub fn start(mut command: Command, log: PathBuf) -> Self {
        let to = std::fs::File::create(&log).unwrap();
        command.env("RECORDGATE_LOG_FORMAT", "json").stdout(Stdio::null()).stderr(to);
        let mut process = Process(command.spawn().unwrap());
        let address = until_some("the service says where it listens", || {
            let ended = process.0.try_wait().unwrap().is_some();
            let text = std::fs::read_to_string(&log).unwrap();
            assert!(!ended, "the service ended:\n{text}");
            let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            lines.find_map(|line| line["address"].as_str().map(String::from))
        });
        Self { process, address, log }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}\r\n"))
    }

    pub fn post(&self, path: &str, content_type: &str, body: &str) -> Answer {
        self.post_with(path, &[("Content-Type", content_type)], body)
    }

    pub fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let length = body.len();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        ))
    }

    /// The same with an access token, of JSON.
    pub fn post_json(&self, path: &str, access: &str, body: &str) -> Answer {
        let length = body.len();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: {length}\r\n\
             Content-Type: application/json\r\nAuthorization: Bearer {access}\r\n\r\n{body}"
        ))
    }

    /// A token request.
    pub fn token(&self, form: &str) -> Answer {
        self.post("/apiToken.action", FORM, form)
    }

    /// The Sleep Diary uses a refresh token.
    pub fn refresh(&self, token: &str) -> Answer {
        self.token(&format!("grant_type=refresh_token&client_id=sleep-diary&refresh_token={token}"))
    }

    /// An API call with an access token.
    pub fn whoami(&self, access: &str) -> Answer {
        self.get("/json/users/self", &[("Authorization", &format!("Bearer {access}"))])
    }

    fn send(&self, request: &str) -> Answer {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).unwrap();
        Answer::read(&text)
    }

    /// As a client does that hears 503: the same request again, until it is answered otherwise.
    pub fn until_answered(&self, ask: impl Fn(&Self) -> Answer) -> Answer {
        until_some("an answer but 503", || Some(ask(self)).filter(|answer| answer.status != 503))
    }

    /// Has the service end in order.
    pub fn stop(mut self) {
        let process = self.process.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        assert!(self.process.0.wait().unwrap().success());
    }

    /// Kills the service and gives all that it logged.
    pub fn kill(self) -> String {
        let Self { process, log, .. } = self;
        drop(process);
        std::fs::read_to_string(log).unwrap()
    }
}
