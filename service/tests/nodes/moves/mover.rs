//! An operator who has two databases, of two engines.

use crate::terminal::operator::Operator;
use crate::terminal::outcome::Outcome;
use crate::terminal::program::Program;
use crate::terminal::world::{HOSPITAL, WORLD};
use serde_json::Value;

/// The two directions, by the names that `Mover::database` knows.
pub const DIRECTIONS: [[Engine; 2]; 2] = [[Engine::Sqlite, Engine::Postgres], [Engine::Postgres, Engine::Sqlite]];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

pub struct Mover {
    pub operator: Operator,
    pub from: String,
    pub to: String,
    /// The secret of the world's System Client.
    pub secret: String,
}

impl Mover {
    /// An operator with the world in the first database, and nothing in the second.
    pub fn new([from, to]: [Engine; 2]) -> Self {
        let operator = Operator::new();
        let mut mover = Self { from: String::new(), to: String::new(), secret: String::new(), operator };
        (mover.from, mover.to) = (mover.database(from, "from"), mover.database(to, "to"));
        mover.operator.file("world.toml", WORLD);
        let applied = mover.on(&mover.from, &["apply", "world.toml", "--json"]).json();
        mover.secret = applied["secrets"][0]["secret"].as_str().unwrap().to_owned();
        mover
    }

    /// A new database.
    pub fn database(&self, engine: Engine, name: &str) -> String {
        match engine {
            Engine::Sqlite => format!("sqlite:{}", self.operator.path(name).display()),
            // A busy machine may take longer than a request should.
            Engine::Postgres => format!("{}?connect_timeout=60", cluster::shared().new_database()),
        }
    }

    /// So many patients, with identifiers to search for.
    pub fn import(&self, patients: usize) {
        let patient = |n| {
            format!(
                r#"{{"resourceType":"Patient","id":"p{n}","identifier":[{{"system":"urn:s","value":"{n}"}}],"name":[{{"family":"{}"}}]}}"#,
                "Osei ".repeat(40)
            )
        };
        let lines: Vec<String> = (0..patients).map(patient).collect();
        self.operator.file("patients.ndjson", &lines.join("\n"));
        self.on(&self.from, &["import", "--organisation", HOSPITAL, "patients.ndjson"]).fine();
    }

    /// Runs a command as it is.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.operator.run_bare(arguments)
    }

    /// Runs a command on a database.
    pub fn on(&self, database: &str, arguments: &[&str]) -> Outcome {
        self.operator.run_on(database, arguments)
    }

    /// Moves the first to the second, and gives what is said of it.
    pub fn moved(&self) -> Value {
        self.run(&["move", "--from", &self.from, "--to", &self.to, "--json"]).json()
    }

    pub fn serve(&self, database: &str) -> Program {
        self.operator.start("serve", database, &[])
    }

    pub fn sandbox(&self, database: &str) -> Program {
        self.operator.start("sandbox", database, &[])
    }

    /// Issues Amina's grant of the Sleep Diary; its first refresh token.
    pub fn issue(&self) -> String {
        self.issue_on(&self.from)
    }

    pub fn issue_on(&self, database: &str) -> String {
        let grant = ["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--json"];
        self.on(database, &grant).json()["refresh_token"].as_str().unwrap().to_owned()
    }
}
