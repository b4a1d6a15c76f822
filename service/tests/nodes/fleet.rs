//! A PostgreSQL of the test's own, an operator, and as many processes of the built program as a test asks for.

use cluster::Cluster;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WORLD: &str = r#"
[[user]]
username = "amina"
password = "Lantern-on-the-4th-sill"
type = "PATIENT"
name = "Amina Osei"
patient = "amina-osei"

[[client]]
client_id = "sleep-diary"
kind = "user"
owner = "Nightjar Health"
product = "Sleep Diary"
redirect_uris = ["https://sleep.example/callback"]
scopes = ["PATIENT"]
session = "90d"
"#;

/// How long anything that must come is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Fleet {
    pub cluster: Cluster,
    /// What takes the cluster's place when it dies, where there is one.
    pub standby: Option<Cluster>,
    url: String,
    home: TempDir,
    started: AtomicU32,
}

/// One process that serves. Dropped, it is killed.
pub struct Node {
    process: Child,
    address: String,
}

pub struct Answer {
    pub status: u16,
    pub text: String,
}

pub struct Tokens {
    pub access: String,
    pub refresh: String,
}

impl Fleet {
    pub fn start() -> Self {
        let cluster = Cluster::start();
        let url = cluster.new_database();
        Self::on(cluster, None, url)
    }

    /// With a streaming standby that has every commit before it is acknowledged; both hosts are in the URL.
    pub fn with_standby() -> Self {
        let cluster = Cluster::start();
        let standby = cluster.standby();
        cluster.set("synchronous_standby_names", "*");
        cluster.reload();
        let both = format!("{},{}", cluster.address(), standby.address());
        let url = cluster.new_database().replace(&cluster.address(), &both);
        Self::on(cluster, Some(standby), url)
    }

    fn on(cluster: Cluster, standby: Option<Cluster>, url: String) -> Self {
        let (home, started) = (tempfile::tempdir().unwrap(), AtomicU32::new(0));
        let fleet = Self { cluster, standby, url, home, started };
        std::fs::write(fleet.home.path().join("world.toml"), WORLD).unwrap();
        fleet.operator(&["apply", "world.toml"]);
        fleet
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recordgate"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECORDGATE_")) {
            command.env_remove(name);
        }
        command.current_dir(self.home.path()).args(arguments).args(["--database", &self.url]).stdin(Stdio::null());
        command
    }

    /// Runs SQL behind everyone's back; its rows as lines.
    pub fn sql(&self, sql: &str) -> String {
        cluster::ask(&self.url, sql)
    }

    /// Waits until something is so.
    pub fn eventually(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so() {
            assert!(Instant::now() < deadline, "it never came true: {what}");
        }
    }

    /// Runs a command to its end and gives what it printed.
    pub fn operator(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A grant and its first refresh token.
    pub fn issue(&self, username: &str) -> (String, String) {
        let issued = self.operator(&["grant", "issue", "--client", "sleep-diary", "--user", username, "--json"]);
        let issued: Value = serde_json::from_str(&issued).unwrap();
        let text = |key: &str| issued[key].as_str().unwrap().to_owned();
        (text("grant"), text("refresh_token"))
    }

    /// Starts another process and waits until it says where it listens.
    pub fn node(&self) -> Node {
        self.node_with(&[])
    }

    /// The same, with settings from the environment.
    pub fn node_with(&self, settings: &[(&str, &str)]) -> Node {
        let log = self.home.path().join(format!("log{}", self.started.fetch_add(1, Ordering::Relaxed)));
        let to = std::fs::File::create(&log).unwrap();
        let mut serve = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        serve.envs(settings.iter().copied());
        let mut process = serve.stdout(Stdio::null()).stderr(to).spawn().unwrap();
        let address = listening(&log, &mut process);
        Node { process, address }
    }
}

fn listening(log: &PathBuf, process: &mut Child) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let said = std::fs::read_to_string(log).unwrap();
        let mut lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if let Some(address) = lines.find_map(|line| line["address"].as_str().map(String::from)) {
            return address;
        }
        assert!(process.try_wait().unwrap().is_none(), "the service ended:\n{said}");
        assert!(Instant::now() < deadline, "the service does not say where it listens:\n{said}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

impl Node {
    pub fn refresh(&self, token: &str) -> Answer {
        let form = format!("grant_type=refresh_token&client_id=sleep-diary&refresh_token={token}");
        let head = format!(
            "POST /apiToken.action HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n",
            form.len()
        );
        self.send(&format!("{head}{form}"))
    }

    /// An API call with an access token.
    pub fn whoami(&self, access: &str) -> Answer {
        self.get("/json/users/self", &format!("Authorization: Bearer {access}\r\n"))
    }

    pub fn get(&self, path: &str, headers: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}\r\n"))
    }

    fn send(&self, request: &str) -> Answer {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        Answer { status, text }
    }

    /// As a client does that hears 503: the same request again, until it is answered otherwise.
    pub fn until_answered(&self, ask: impl Fn(&Self) -> Answer) -> Answer {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = ask(self);
            if answer.status != 503 {
                return answer;
            }
            assert!(Instant::now() < deadline, "still away: {}", answer.text);
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Answer {
    pub fn tokens(&self) -> Tokens {
        assert_eq!(self.status, 200, "{}", self.text);
        let (_, body) = self.text.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        let text = |key: &str| body[key].as_str().unwrap().to_owned();
        Tokens { access: text("access_token"), refresh: text("refresh_token") }
    }
}
