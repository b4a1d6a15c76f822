//! The database of a run: on a private server, or a new one on a server that somebody named.

use super::connection::connect;
use super::place::PostgresPlace;
use crate::measure::machine::file_system_of;
use crate::measure::trouble::Trouble;
use cluster::{Cluster, Stop};
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) url: String,
    owner: Owner,
}

/// Whose the server is.
#[derive(Debug)]
enum Owner {
    Bench(Arc<Cluster>),
    Somebody { door: String, name: String },
}

impl Database {
    pub(crate) async fn start(place: &PostgresPlace) -> Result<Self, Trouble> {
        match place {
            PostgresPlace::Private => {
                let (cluster, url) = blocking(|| {
                    let cluster = Cluster::start();
                    let url = cluster.new_database();
                    (cluster, url)
                })
                .await?;
                Ok(Self { url, owner: Owner::Bench(Arc::new(cluster)) })
            }
            PostgresPlace::At(door) => {
                let name = format!("recordgate_bench_{}", std::process::id());
                connect(door).await?.batch_execute(&format!("CREATE DATABASE {name}")).await?;
                Ok(Self { url: beside(door, &name), owner: Owner::Somebody { door: door.clone(), name } })
            }
        }
    }

    /// Whether the server is ours to kill.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self.owner, Owner::Bench(_))
    }

    /// Kills the server, if it is ours.
    pub(crate) async fn stop(&self, how: Stop) -> Result<(), Trouble> {
        self.with_cluster(move |cluster| cluster.stop(how)).await
    }

    pub(crate) async fn start_again(&self) -> Result<(), Trouble> {
        self.with_cluster(Cluster::start_again).await
    }

    async fn with_cluster(&self, work: impl FnOnce(&Cluster) + Send + 'static) -> Result<(), Trouble> {
        let Owner::Bench(cluster) = &self.owner else { return Err("this PostgreSQL is not ours to kill".into()) };
        let cluster = Arc::clone(cluster);
        blocking(move || work(&cluster)).await
    }

    /// What an acknowledged write means on this server, for connections as the service makes them.
    pub(crate) async fn durability(&self) -> Result<String, Trouble> {
        let client = connect(&self.url).await?;
        let mut settings = Vec::new();
        for setting in ["server_version", "fsync", "full_page_writes", "synchronous_standby_names", "data_directory"] {
            settings.push(client.query_one("SELECT current_setting($1)", &[&setting]).await?.try_get::<_, String>(0)?);
        }
        let [version, fsync, pages, standbys, directory] =
            settings.try_into().map_err(|_| "five settings were asked")?;
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
        match self.owner {
            Owner::Bench(cluster) => blocking(move || drop(cluster)).await,
            Owner::Somebody { door, name } => {
                Ok(connect(&door).await?.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await?)
            }
        }
    }
}

/// The same server, another database.
fn beside(url: &str, name: &str) -> String {
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
    fn another_database_of_the_same_server_keeps_everything_else_of_the_url() {
        for (url, other) in [
            ("postgres://me:pw@a:1,b:2/mine?connect_timeout=3", "postgres://me:pw@a:1,b:2/new?connect_timeout=3"),
            ("postgres://me@a:1", "postgres://me@a:1/new"),
            ("postgresql:///mine?host=/run", "postgresql:///new?host=/run"),
        ] {
            assert_eq!(beside(url, "new"), other);
        }
    }
}
