//! The PostgreSQL that a run uses: a private one, or a database of its own on a server that somebody named.

use crate::Trouble;
use crate::machine::file_system_of;
use cluster::{Cluster, Stop};
use std::path::Path;
use std::sync::Arc;
use tokio_postgres::{Client, NoTls};

/// Which server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// `postgres:`: made for this run by `initdb`, removed with it.
    Private,
    /// `postgres://…`: a new database on it, dropped at the end.
    At(String),
}

impl Wanted {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        match text.split_once(':') {
            Some(("postgres" | "postgresql", "")) => Ok(Self::Private),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => Ok(Self::At(text.to_owned())),
            // Not repeated: it may be a mistyped URL with a password in it.
            _ => Err("write postgres: for a private server, or postgres://USER@HOST:PORT/DATABASE"),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) url: String,
    server: Server,
}

#[derive(Debug)]
enum Server {
    Private(Arc<Cluster>),
    Foreign { door: String, name: String },
}

impl Database {
    pub(crate) async fn start(wanted: &Wanted) -> Result<Self, Trouble> {
        match wanted {
            Wanted::Private => {
                let (cluster, url) = blocking(|| {
                    let cluster = Cluster::start();
                    let url = cluster.new_database();
                    (cluster, url)
                })
                .await?;
                Ok(Self { url, server: Server::Private(Arc::new(cluster)) })
            }
            Wanted::At(door) => {
                let name = format!("recordgate_bench_{}", std::process::id());
                connect(door).await?.batch_execute(&format!("CREATE DATABASE {name}")).await?;
                Ok(Self { url: renamed(door, &name), server: Server::Foreign { door: door.clone(), name } })
            }
        }
    }

    /// Whether the server is ours to kill.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self.server, Server::Private(_))
    }

    /// Kills the server, if it is ours.
    pub(crate) async fn stop(&self, how: Stop) -> Result<(), Trouble> {
        self.with_cluster(move |cluster| cluster.stop(how)).await
    }

    pub(crate) async fn start_again(&self) -> Result<(), Trouble> {
        self.with_cluster(Cluster::start_again).await
    }

    async fn with_cluster(&self, work: impl FnOnce(&Cluster) + Send + 'static) -> Result<(), Trouble> {
        let Server::Private(cluster) = &self.server else { return Err("this PostgreSQL is not ours to kill".into()) };
        let cluster = Arc::clone(cluster);
        blocking(move || work(&cluster)).await
    }

    /// What an acknowledged write means on this server, for connections as the service makes them.
    pub(crate) async fn durability(&self) -> Result<String, Trouble> {
        let client = connect(&self.url).await?;
        let mut said = Vec::new();
        for setting in ["server_version", "fsync", "full_page_writes", "synchronous_standby_names", "data_directory"] {
            said.push(client.query_one("SELECT current_setting($1)", &[&setting]).await?.try_get::<_, String>(0)?);
        }
        let [version, fsync, pages, standbys, directory] = said.try_into().map_err(|_| "five settings were asked")?;
        let disk = file_system_of(Path::new(&directory)).unwrap_or_else(|| "unknown file system".to_owned());
        let standbys =
            if standbys.is_empty() { "no synchronous standby".to_owned() } else { format!("standbys {standbys}") };
        Ok(format!(
            "PostgreSQL {version} with fsync={fsync}, synchronous_commit=on, full_page_writes={pages}, {standbys}, on \
             {disk}"
        ))
    }

    /// Leaves the server as it was found.
    pub(crate) async fn remove(self) -> Result<(), Trouble> {
        match self.server {
            Server::Private(cluster) => blocking(move || drop(cluster)).await,
            Server::Foreign { door, name } => {
                Ok(connect(&door).await?.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await?)
            }
        }
    }
}

/// A connection as the service makes them.
pub(crate) async fn connect(url: &str) -> Result<Client, Trouble> {
    let mut config: tokio_postgres::Config = url.parse().map_err(|_| "this is no URL of a PostgreSQL database")?;
    config.options("-c synchronous_commit=on");
    let (client, connection) = config.connect(NoTls).await?;
    // What breaks it is told to whoever asks something of the client next.
    tokio::spawn(connection);
    Ok(client)
}

/// The same server, another database.
fn renamed(url: &str, name: &str) -> String {
    let (before, query) = url.split_once('?').map_or((url, String::new()), |(url, query)| (url, format!("?{query}")));
    let hosts = before.find("//").map_or(0, |at| at + 2);
    let end = before.get(hosts..).and_then(|rest| rest.find('/')).map_or(before.len(), |at| hosts + at);
    format!("{}/{name}{query}", before.get(..end).unwrap_or(before))
}

/// The kit for clusters blocks, and panics with what is missing; the panic has been said when this returns.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Trouble> {
    tokio::task::spawn_blocking(work).await.map_err(|_| "the private PostgreSQL gave trouble".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_server_and_a_named_one_are_told_apart_and_nothing_else_is_taken() {
        assert_eq!(Wanted::parse("postgres:"), Ok(Wanted::Private));
        let url = "postgres://someone@db.example:5433/x";
        assert_eq!(Wanted::parse(url), Ok(Wanted::At(url.to_owned())));
        for wrong in ["", "sqlite:data", "postgres", "postgres:somewhere"] {
            assert!(Wanted::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn another_database_of_the_same_server_keeps_everything_else_of_the_url() {
        for (url, other) in [
            ("postgres://me:pw@a:1,b:2/mine?connect_timeout=3", "postgres://me:pw@a:1,b:2/new?connect_timeout=3"),
            ("postgres://me@a:1", "postgres://me@a:1/new"),
            ("postgresql:///mine?host=/run", "postgresql:///new?host=/run"),
        ] {
            assert_eq!(renamed(url, "new"), other);
        }
    }
}
