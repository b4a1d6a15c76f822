//! A running service, spoken to over its socket.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// How long anything that must come is waited for.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Dropped, it is killed.
pub struct Service {
    process: Child,
    address: String,
}

pub struct Answer {
    pub status: u16,
    pub body: String,
}

impl Service {
    pub fn start(mut command: Command, log: PathBuf) -> Self {
        let to = std::fs::File::create(&log).unwrap();
        let mut process = command.stderr(to).spawn().unwrap();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let said = std::fs::read_to_string(&log).unwrap();
            let mut lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            if let Some(address) = lines.find_map(|line| line["address"].as_str().map(String::from)) {
                return Self { process, address };
            }
            assert!(process.try_wait().unwrap().is_none(), "the service ended:\n{said}");
            assert!(Instant::now() < deadline, "the service does not say where it listens:\n{said}");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    pub fn get(&self, path: &str, access: &str) -> Answer {
        let organisation = crate::moves::operator::HOSPITAL;
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer {access}\r\n\
             X-Org-Public-Id: {organisation}\r\n\r\n"
        ))
    }

    pub fn whoami(&self, access: &str) -> Answer {
        self.get("/json/users/self", access)
    }

    pub fn refresh(&self, token: &str) -> Answer {
        let form = format!("grant_type=refresh_token&client_id=sleep-diary&refresh_token={token}");
        self.post("/apiToken.action", "application/x-www-form-urlencoded", &form)
    }

    pub fn post(&self, path: &str, kind: &str, body: &str) -> Answer {
        let length = body.len();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: {length}\r\n\
             Content-Type: {kind}\r\n\r\n{body}"
        ))
    }

    fn send(&self, request: &str) -> Answer {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        let (_, body) = text.split_once("\r\n\r\n").unwrap();
        Answer { status, body: body.to_owned() }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Answer {
    /// A member of the JSON in a 200.
    #[track_caller]
    pub fn member(&self, name: &str) -> String {
        assert_eq!(self.status, 200, "{}", self.body);
        let body: Value = serde_json::from_str(&self.body).unwrap();
        body[name].as_str().unwrap().to_owned()
    }
}
