//! A private PostgreSQL cluster for tests: made by `initdb` in a temporary folder, durable as a real one, and removed when
//! its owner is, even by SIGKILL.
#![expect(clippy::expect_used, clippy::panic, reason = "what a test cannot do without must fail it, and say why")]

mod keeper;
mod tools;

use keeper::Keeper;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// How long `pg_ctl` waits. It looks at the server itself, so it ends as soon as that is ready, or has died: this is only the
/// bound of a machine that is very busy with others.
const PATIENCE_SECONDS: &str = "600";

/// The one account, which may do everything.
pub const USER: &str = "recordgate";

/// What `openssl` makes certificates by.
const TLS: &str = "[req]\ndistinguished_name = whom\n[whom]\n[authority]\nbasicConstraints = critical, CA:TRUE\n\
    [server]\nbasicConstraints = CA:FALSE\nsubjectAltName = DNS:localhost\n";

/// A running cluster. Dropped, it is stopped and its folder removed.
#[derive(Debug)]
pub struct Cluster {
    data: PathBuf,
    port: u16,
    databases: AtomicU32,
    _keeper: Keeper,
}

/// How a cluster stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// In order: connections are cut, everything is written.
    Fast,
    /// As if the power had failed: what was not flushed is gone.
    Crash,
    /// Every process of the server is killed in its tracks: it says goodbye to nobody.
    Kill,
}

impl Cluster {
    /// Makes and starts a new cluster.
    #[must_use]
    pub fn start() -> Self {
        let keeper = Keeper::new();
        let data = keeper.folder().join("data");
        let path = text(&data);
        // The first sync is saved; from then on the cluster is as durable as any.
        let how = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--username", USER, "-D", path];
        tools::run("initdb", &how);
        Self::configured(keeper, data)
    }

    /// A streaming standby of this cluster, running.
    #[must_use]
    pub fn standby(&self) -> Self {
        let keeper = Keeper::new();
        let data = keeper.folder().join("data");
        let (from, to) = (format!("host=127.0.0.1 port={} user={USER}", self.port), text(&data).to_owned());
        let how = ["-d", &from, "-D", &to, "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast"];
        tools::run("pg_basebackup", &how);
        Self::configured(keeper, data)
    }

    fn configured(keeper: Keeper, data: PathBuf) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let cluster = Self { data, port, databases: AtomicU32::new(0), _keeper: keeper };
        cluster.set("port", &port.to_string());
        cluster.set("listen_addresses", "127.0.0.1");
        cluster.set("unix_socket_directories", "");
        cluster.set("max_connections", "300");
        // Small, because many may run at once; nothing that durability depends on.
        cluster.set("shared_buffers", "32MB");
        cluster.set("max_wal_size", "256MB");
        cluster.start_again();
        cluster
    }

    /// Sets one of the server's parameters, from its next start or reload on.
    pub fn set(&self, parameter: &str, value: &str) {
        tools::append(&self.data.join("postgresql.auto.conf"), &format!("{parameter} = '{value}'\n"));
    }

    /// Makes what was set hold from now on, as far as the server can change it while it runs.
    pub fn reload(&self) {
        tools::run("pg_ctl", &["reload", "-s", "-D", text(&self.data)]);
    }

    /// Starts the server and waits until it lets people in.
    pub fn start_again(&self) {
        let log = self.data.join("server.log");
        tools::run("pg_ctl", &["start", "-w", "-t", PATIENCE_SECONDS, "-s", "-D", text(&self.data), "-l", text(&log)]);
    }

    /// Stops the server and waits until it has stopped.
    pub fn stop(&self, how: Stop) {
        let how = match how {
            Stop::Fast => "fast",
            Stop::Crash => "immediate",
            Stop::Kill => {
                // Frozen first, so that none is born unseen: its memory would keep the next server from starting.
                self.freeze();
                return tools::wait_for_end(&self.signal("KILL"));
            }
        };
        tools::run("pg_ctl", &["stop", "-w", "-t", PATIENCE_SECONDS, "-s", "-D", text(&self.data), "-m", how]);
    }

    /// Makes a standby the primary, and waits until it is.
    pub fn promote(&self) {
        tools::run("pg_ctl", &["promote", "-w", "-t", PATIENCE_SECONDS, "-s", "-D", text(&self.data)]);
    }

    /// From now on the server also speaks TLS, as `localhost`. The certificate of the new authority that vouches for it.
    pub fn encrypt(&self) -> String {
        let [settings, ca, ca_key] = ["tls.conf", "ca.crt", "ca.key"].map(|name| self.data.join(name));
        let [certificate, key] = ["server.crt", "server.key"].map(|name| self.data.join(name));
        tools::append(&settings, TLS);
        let how = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
        let authority = ["-subj", "/CN=test", "-extensions", "authority", "-keyout", text(&ca_key), "-out", text(&ca)];
        let server = ["-subj", "/CN=localhost", "-extensions", "server", "-keyout", text(&key)];
        let signed = ["-CA", text(&ca), "-CAkey", text(&ca_key), "-out", text(&certificate)];
        let config = ["-config", text(&settings)];
        tools::run("openssl", &[&how[..], &config, &authority].concat());
        tools::run("openssl", &[&how[..], &config, &server, &signed].concat());
        self.set("ssl", "on");
        self.reload();
        tools::read(&ca)
    }

    /// Stops every process of the server in its tracks: connections stay open and nobody answers.
    pub fn freeze(&self) {
        let _processes = self.signal("STOP");
    }

    /// Lets a frozen server go on.
    pub fn thaw(&self) {
        let _processes = self.signal("CONT");
    }

    /// Sends a signal to every process of the server; their ids.
    fn signal(&self, signal: &str) -> Vec<String> {
        let file = self.data.join("postmaster.pid");
        let pid = tools::read(&file).lines().next().expect("the server's process id").to_owned();
        // The server itself first: then it makes no new children while the others are told.
        let children = tools::run("pgrep", &["-P", &pid]);
        let processes: Vec<String> = [pid].into_iter().chain(children.lines().map(String::from)).collect();
        // A child may have ended by itself in the meantime.
        let all = processes.join(" ");
        tools::run("sh", &["-c", &format!("for pid in {all}; do kill -s {signal} $pid || true; done")]);
        processes
    }

    /// A new, empty database; its URL.
    pub fn new_database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// Lets nobody into a database any more, and ends who is in it: only then can it be copied.
    pub fn close(&self, url: &str) {
        let name = name(url);
        self.ask("postgres", &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"));
        self.ask(
            "postgres",
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        );
    }

    /// A new database with all that is in a closed one; its URL.
    pub fn copy_of(&self, closed: &str) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name} TEMPLATE {}", self::name(closed)));
        self.url(&name)
    }

    /// The URL of a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@{}/{database}", self.address())
    }

    /// Host and port.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Runs SQL behind everyone's back; its rows as lines, columns divided by `|`.
    pub fn ask(&self, database: &str, sql: &str) -> String {
        ask(&self.url(database), sql)
    }
}

/// The environment variable that chooses the engine of tests that run on either.
const ENGINE_VARIABLE: &str = "RECORDGATE_TEST_ENGINE";

/// A new, empty database for a test, as `--database` names it: in `directory` on SQLite, or else, where the environment
/// says `postgres`, in the one cluster of this process.
#[must_use]
pub fn database(directory: &Path) -> String {
    if is_postgres() { shared().new_database() } else { format!("sqlite:{}", directory.display()) }
}

/// Whether tests that run on either engine are to run on PostgreSQL.
#[must_use]
pub fn is_postgres() -> bool {
    match std::env::var(ENGINE_VARIABLE).as_deref() {
        Ok("postgres") => true,
        Ok("sqlite") | Err(_) => false,
        Ok(other) => panic!("{ENGINE_VARIABLE}={other:?} is neither sqlite nor postgres"),
    }
}

/// The cluster that all tests of this process share. It is never dropped, but its keeper notices when the process ends.
pub fn shared() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(Cluster::start)
}

/// Runs SQL on the database of a URL.
pub fn ask(url: &str, sql: &str) -> String {
    tools::run("psql", &["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql]).trim_end().to_owned()
}

/// The name of the database of a URL.
fn name(url: &str) -> &str {
    url.rsplit('/').next().expect("a URL that names a database")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary folder whose name is text")
}
