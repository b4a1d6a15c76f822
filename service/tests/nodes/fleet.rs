//! A PostgreSQL of the test's own, an operator, and as many processes of the built program as a test asks for.

use crate::terminal::answer::Answer;
use crate::terminal::operator::Operator;
use crate::terminal::program::Program;
use crate::terminal::world::HOSPITAL;
use cluster::Cluster;

pub struct Fleet {
    pub cluster: Cluster,
    /// What takes the cluster's place when it dies, where there is one.
    pub standby: Option<Cluster>,
    operator: Operator,
}

pub struct TokenPair {
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
        let mut operator = Operator::new();
        operator.database = url;
        operator.declare();
        Self { cluster, standby, operator }
    }

    /// Runs SQL behind everyone's back; its rows as lines.
    pub fn sql(&self, sql: &str) -> String {
        cluster::ask(&self.operator.database, sql)
    }

    /// Runs a command to its end and gives what it printed.
    pub fn run(&self, arguments: &[&str]) -> String {
        self.operator.run(arguments).fine()
    }

    /// Imports the Patient resource of a user: without one nobody writes to the record.
    pub fn imports_patient(&self, id: &str) {
        self.operator.file("patient.json", &format!(r#"{{"resourceType":"Patient","id":"{id}"}}"#));
        self.run(&["import", "--organisation", HOSPITAL, "patient.json"]);
    }

    /// A grant and its first refresh token.
    pub fn issue(&self, username: &str) -> (String, String) {
        let issue = ["grant", "issue", "--client", "sleep-diary", "--user", username, "--json"];
        let issued = self.operator.run(&issue).json();
        let text = |key: &str| issued[key].as_str().unwrap().to_owned();
        (text("grant"), text("refresh_token"))
    }

    /// Starts another process and waits until it says where it listens.
    pub fn node(&self) -> Program {
        self.operator.serve()
    }

    /// What the first process that was started has logged so far.
    pub fn log_of_first(&self) -> String {
        std::fs::read_to_string(self.operator.log(0)).unwrap_or_default()
    }

    /// The same, with settings from the environment.
    pub fn node_with(&self, settings: &[(&str, &str)]) -> Program {
        self.operator.start("serve", &self.operator.database, settings)
    }
}

impl Answer {
    pub fn tokens(&self) -> TokenPair {
        TokenPair { access: self.member("access_token"), refresh: self.member("refresh_token") }
    }
}
