//! TLS to the database: the server is the one that it should be, or there is no connection.

use cluster::Cluster;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::{Error, Place, Store, settings};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(300);

/// A server that speaks TLS as `localhost`.
struct Server {
    cluster: Cluster,
    url: String,
    folder: TempDir,
}

impl Server {
    fn start() -> Self {
        let cluster = Cluster::start();
        let url = cluster.new_database();
        Self { cluster, url, folder: tempfile::tempdir().unwrap() }
    }

    /// Its authority's certificate, in a file.
    fn encrypted(&self) -> PathBuf {
        let file = self.folder.path().join("right.pem");
        std::fs::write(&file, self.cluster.encrypt()).unwrap();
        // The server takes note of it in its own time.
        let deadline = Instant::now() + PATIENCE;
        while self.ask("SHOW ssl") != "on" {
            assert!(Instant::now() < deadline, "the server does not speak TLS");
        }
        file
    }

    fn ask(&self, sql: &str) -> String {
        cluster::ask(&self.url, sql)
    }

    async fn open(&self, host: &str, roots: &Path) -> Result<Store, Error> {
        let url = self.url.replace("127.0.0.1", host);
        let url = format!(
            "{url}?connect_timeout=300&sslmode=verify-full&sslrootcert={}",
            roots.display().to_string().replace('/', "%2F")
        );
        Store::open(&Place::parse(&url).unwrap(), 1).await
    }

    async fn refused(&self, host: &str, roots: &Path) -> String {
        match self.open(host, roots).await {
            Err(error @ Error::Unavailable(_)) => error.to_string(),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_right_certificate_every_connection_is_encrypted_and_works() {
    let server = Server::start();
    let store = server.open("localhost", &server.encrypted()).await.unwrap();
    assert!(settings::is_empty(&store).await.unwrap());
    settings::set(&store, "colour", "red".into()).await.unwrap();
    assert_eq!(settings::get(&store, "colour").await.unwrap().as_deref(), Some("red"));
    let ours = "pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'recordgate'";
    assert_eq!(server.ask(&format!("SELECT count(*) >= 2, bool_and(ssl) FROM {ours}")), "t|t");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_authority_or_another_name_is_refused() {
    let (server, other) = (Server::start(), Server::start());
    let (right, wrong) = (server.encrypted(), other.encrypted());
    let said = server.refused("localhost", &wrong).await;
    assert!(said.contains("invalid peer certificate"), "{said}");
    let said = server.refused("127.0.0.1", &right).await;
    assert!(said.contains("not valid for name"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_tls_is_refused_and_never_spoken_to_in_the_clear() {
    let (server, other) = (Server::start(), Server::start());
    let said = server.refused("localhost", &other.encrypted()).await;
    assert!(said.contains("TLS"), "{said}");
}

#[tokio::test]
async fn authorities_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    for file in [folder.path().join("absent.pem"), empty] {
        let url = format!("postgres://u@localhost/d?sslmode=verify-full&sslrootcert={}", file.display());
        let error = Store::open(&Place::parse(&url).unwrap(), 1).await.unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, Error::Setup(_)) && said.contains(file.to_str().unwrap()), "{said}");
    }
}

#[test]
fn whoever_asks_for_less_than_it_sounds_like_is_told_so() {
    let told = |query: &str| Place::parse(&format!("postgres://u:hush@db.example/d?{query}")).map(|_| ());
    for fine in ["", "sslmode=disable", "sslmode=prefer", "sslmode=verify-full&sslrootcert=/ca.pem&connect_timeout=3"] {
        told(fine).unwrap();
    }
    for (query, why) in [
        ("sslmode=require", "let another server stand in for yours"),
        ("sslmode=require&sslrootcert=/ca.pem", "let another server stand in for yours"),
        ("sslmode=verify-ca&sslrootcert=/ca.pem", "let another server stand in for yours"),
        ("sslmode=verify-full", "needs to know whom to trust"),
        ("sslrootcert=/ca.pem", "would verify nothing"),
        ("sslmode=full", "there is no such sslmode"),
    ] {
        let said = told(query).unwrap_err().to_string();
        assert!(said.contains(why) && said.contains("write sslmode=verify-full"), "{query}: {said}");
        assert!(!said.contains("hush"), "{said}");
    }
}
