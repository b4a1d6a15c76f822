//! Where a test's copy of the released database is, and a look at its tables behind the store's back.

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::{Error, Place, PostgresOptions, Result, Store};
use tempfile::TempDir;
use tokio_postgres::NoTls;

const FILES: [(&str, &[u8]); 2] = [
    ("records.sqlite", include_bytes!("0.1.0/sqlite/records.sqlite")),
    ("sessions.sqlite", include_bytes!("0.1.0/sqlite/sessions.sqlite")),
];
const STATEMENTS: &str = include_str!("0.1.0/postgres.sql");

/// How long anything that must come is waited for.
const PATIENCE: Duration = Duration::from_secs(300);

pub enum Home {
    /// A data directory, and what it goes away with.
    Sqlite {
        directory: PathBuf,
        _owner: TempDir,
    },
    Postgres(String),
}

impl Home {
    /// The released database on each engine.
    pub async fn released() -> [Self; 2] {
        let [sqlite, postgres] = Self::empty();
        let Self::Sqlite { directory, .. } = &sqlite else { panic!("the first is a directory") };
        for (name, content) in FILES {
            std::fs::write(directory.join(name), content).unwrap();
        }
        postgres.run(STATEMENTS).await.unwrap();
        [sqlite, postgres]
    }

    /// A place for a database on each engine.
    pub fn empty() -> [Self; 2] {
        let own = tempfile::tempdir().unwrap();
        [Self::Sqlite { directory: own.path().into(), _owner: own }, Self::Postgres(cluster::shared().new_database())]
    }

    pub fn place(&self) -> Place {
        match self {
            Self::Sqlite { directory, .. } => Place::Sqlite(directory.clone()),
            Self::Postgres(url) => Place::parse(url).unwrap(),
        }
    }

    /// Opens it, with all the patience that a busy machine takes.
    pub async fn open(&self) -> Store {
        let mut place = self.place();
        if let Place::Postgres(place) = &mut place {
            place.options = PostgresOptions {
                connect_timeout: PATIENCE,
                wait_timeout: PATIENCE,
                answer_within: PATIENCE,
                statement_timeout: PATIENCE,
                ..PostgresOptions::default()
            };
        }
        free(async || Store::open(&place, 1).await).await.unwrap()
    }

    /// Runs SQL behind everyone's back; what the engine refuses is told.
    pub async fn run(&self, sql: &str) -> std::result::Result<(), String> {
        match self {
            Self::Sqlite { directory, .. } => beside(directory).execute_batch(sql).map_err(|error| error.to_string()),
            Self::Postgres(url) => {
                let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
                let talking = tokio::spawn(connection);
                let done = client.batch_execute(sql).await.map_err(|error| format!("{error:?}"));
                drop(client);
                talking.await.unwrap().unwrap();
                done
            }
        }
    }

    /// Rows as lines in one order, columns divided by `|`: the same on both engines.
    pub fn rows(&self, sql: &str) -> Vec<String> {
        let mut rows = match self {
            Self::Sqlite { directory, .. } => lines(&beside(directory), sql),
            Self::Postgres(url) => cluster::ask(url, sql).lines().map(String::from).collect(),
        };
        rows.sort();
        rows
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.rows(sql).concat().parse().expect("a number")
    }
}

/// Tries again while a directory is in use: a process that a test starts, such as `psql`, holds for an instant what this
/// one holds open.
pub async fn free<T>(open: impl AsyncFn() -> Result<T>) -> Result<T> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match open().await {
            Err(Error::InUse(_)) if Instant::now() < deadline => tokio::task::yield_now().await,
            opened => return opened,
        }
    }
}

fn lines(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let line = |row: &rusqlite::Row<'_>| {
        let cells: Vec<String> = (0..columns).map(|at| cell(row.get_ref(at).unwrap())).collect();
        Ok(cells.join("|"))
    };
    statement.query_map([], line).unwrap().map(std::result::Result::unwrap).collect()
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
        ValueRef::Blob(bytes) => bytes.iter().fold("\\x".into(), |hex, byte| format!("{hex}{byte:02x}")),
        ValueRef::Real(number) => panic!("no column holds {number}"),
    }
}

fn beside(directory: &Path) -> Connection {
    let connection = Connection::open(directory.join("records.sqlite")).unwrap();
    let sessions = directory.join("sessions.sqlite");
    connection.execute("ATTACH DATABASE $1 AS sessions_file", [sessions.to_str()]).unwrap();
    // The release before had no file for it, and a look must not make one.
    let ledger = directory.join("ledger.sqlite");
    if ledger.exists() {
        connection.execute("ATTACH DATABASE $1 AS ledger", [ledger.to_str()]).unwrap();
    }
    connection.busy_timeout(PATIENCE).unwrap();
    connection
}
