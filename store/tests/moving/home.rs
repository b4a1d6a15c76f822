//! Where a test moves from and to: a directory of its own, or a database of its own in the cluster that all tests share.

use rusqlite::Connection;
use rusqlite::types::Value;
use std::time::{Duration, Instant};
use store::moving::{self, Begun, Moved};
use store::{Error, Place, PostgresOptions, Result, Store};
use tempfile::TempDir;

/// How long anything that must come is waited for.
const PATIENCE: Duration = Duration::from_secs(300);

/// How many rows each table of a full store has, and of one that takes several batches.
pub const ROWS: i64 = 30;
pub const MANY: i64 = 1100;

pub enum Home {
    Sqlite(TempDir),
    Postgres(String),
}

/// Every direction: who makes the source, and who the target.
pub const DIRECTIONS: [[fn() -> Home; 2]; 4] = [
    [Home::sqlite, Home::postgres],
    [Home::postgres, Home::sqlite],
    [Home::sqlite, Home::sqlite],
    [Home::postgres, Home::postgres],
];

/// From one engine to the other.
pub const ACROSS: [[fn() -> Home; 2]; 2] = [[Home::sqlite, Home::postgres], [Home::postgres, Home::sqlite]];

pub const ENGINES: [fn() -> Home; 2] = [Home::sqlite, Home::postgres];

impl Home {
    pub fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub fn postgres() -> Self {
        Self::Postgres(cluster::shared().new_database())
    }

    /// A full store: rows in every table that there is, whatever tables those are.
    pub async fn full(make: fn() -> Self) -> Self {
        Self::of(make, ROWS).await
    }

    /// The same with so many rows in each table.
    pub async fn of(make: fn() -> Self, rows: i64) -> Self {
        let first = Self::sqlite();
        drop(first.open().await.unwrap());
        first.fill(rows);
        match make() {
            Self::Sqlite(_) => first,
            other => {
                first.moved(&other).await.unwrap();
                other
            }
        }
    }

    /// Puts rows into every table of a data directory.
    pub fn fill(&self, rows: i64) {
        let Self::Sqlite(directory) = self else { panic!("only a directory is filled by hand") };
        let mut connection = beside(directory);
        let transaction = connection.transaction().unwrap();
        for table in moving::tables().unwrap() {
            let places: Vec<String> = (1..=table.columns.len()).map(|at| format!("?{at}")).collect();
            let insert = format!("INSERT INTO {} VALUES ({})", table.name, places.join(", "));
            let mut insert = transaction.prepare(&insert).unwrap();
            let nullable = nullable(&transaction, &table.name);
            // A new store has a few settings of its own.
            let there: i64 =
                transaction.query_row(&format!("SELECT count(*) FROM {}", table.name), [], |row| row.get(0)).unwrap();
            for row in 1 + there..=rows {
                // Whatever refers to another row refers to the one with the same number, which is there.
                let value = |column: &store::Column| match column.kind {
                    store::Kind::Int => Value::Integer(row),
                    store::Kind::Text => Value::Text(format!("{row} – It’s \"{}\"\n, or isn't\\", column.name)),
                    store::Kind::Bytes => Value::Blob(row.to_be_bytes().into_iter().chain([0, 255, 10]).collect()),
                };
                let values = table.columns.iter().zip(&nullable).enumerate();
                let values = values.map(|(at, (column, nullable))| match nullable {
                    true if (usize::try_from(row).unwrap() + at).is_multiple_of(3) => Value::Null,
                    _ => value(column),
                });
                insert.execute(rusqlite::params_from_iter(values)).unwrap();
            }
        }
        // Nothing that waits for the ledger has been added to it.
        transaction
            .execute_batch("UPDATE ledger.head SET records_mark = 0, sessions_mark = 0, older_mark = 0")
            .unwrap();
        transaction.commit().unwrap();
    }

    pub fn place(&self) -> Place {
        match self {
            Self::Sqlite(directory) => Place::Sqlite(directory.path().to_path_buf()),
            Self::Postgres(url) => Place::parse(url).unwrap(),
        }
    }

    /// Opens it as anyone would, with all the patience that a busy machine takes.
    pub async fn open(&self) -> Result<Store> {
        self.open_within(PATIENCE).await
    }

    /// The same, with so much patience for one statement.
    pub async fn open_within(&self, statement_timeout: Duration) -> Result<Store> {
        let mut place = self.place();
        if let Place::Postgres(place) = &mut place {
            place.options = PostgresOptions {
                connect_timeout: PATIENCE,
                wait_timeout: PATIENCE,
                answer_within: PATIENCE,
                statement_timeout,
                ..PostgresOptions::default()
            };
        }
        free(async || Store::open(&place, 1).await).await
    }

    /// The id of the store in it, which is made where there is none.
    pub async fn id(&self) -> String {
        let store = self.open().await.expect("a whole store");
        store::settings::get(&store, "store-id").await.unwrap().expect("an id")
    }

    /// Begins to move it.
    pub async fn begun(&self, to: &Self) -> Result<Begun> {
        free(async || moving::begin(&self.place(), &to.place()).await).await
    }

    /// Moves all of it.
    pub async fn moved(&self, to: &Self) -> Result<Vec<Moved>> {
        let begun = self.begun(to).await?;
        begun.copy(|_| ()).await?.compare(|_| ()).await?.finish().await
    }

    /// Makes it usable again after a move.
    pub async fn reopened(&self) -> Result<()> {
        free(async || moving::reopen(&self.place()).await).await
    }

    /// Runs SQL behind everyone's back.
    pub fn run(&self, sql: &str) {
        match self {
            Self::Sqlite(directory) => beside(directory).execute_batch(sql).unwrap(),
            Self::Postgres(url) => drop(cluster::ask(url, sql)),
        }
    }

    pub fn count(&self, sql: &str) -> i64 {
        match self {
            Self::Sqlite(directory) => beside(directory).query_row(sql, [], |row| row.get(0)).unwrap(),
            Self::Postgres(url) => cluster::ask(url, sql).parse().unwrap(),
        }
    }

    /// Every row of every table of a data directory, in one order.
    pub fn dump(&self) -> Vec<String> {
        let Self::Sqlite(directory) = self else { panic!("only a directory is dumped") };
        let connection = beside(directory);
        let mut all = Vec::new();
        for name in tables_in(&connection) {
            let mut rows = connection.prepare(&format!("SELECT * FROM {name}")).unwrap();
            let columns = rows.column_count();
            let rows = rows.query_map([], |row| {
                let values: Vec<Value> = (0..columns).map(|at| row.get(at)).collect::<rusqlite::Result<_>>()?;
                Ok(format!("{name} {values:?}"))
            });
            all.extend(rows.unwrap().map(std::result::Result::unwrap));
        }
        all.sort();
        all
    }

    /// Every table that is there by the engine's own account, with its columns in order; not the list of migrations.
    pub fn catalogue(&self) -> Vec<(String, Vec<String>)> {
        let mut all: Vec<(String, Vec<String>)> = match self {
            Self::Sqlite(directory) => {
                let connection = beside(directory);
                let columns = |name: &String| -> Vec<String> {
                    let all = connection.prepare(&format!("SELECT * FROM {name}")).unwrap();
                    all.column_names().map(String::from).collect()
                };
                tables_in(&connection).into_iter().map(|name| (name.clone(), columns(&name))).collect()
            }
            Self::Postgres(url) => {
                let listed = cluster::ask(
                    url,
                    // What was taken lately proves commits under way: there are none when a database is moved.
                    "SELECT CASE table_schema WHEN 'public' THEN '' ELSE 'ledger.' END || table_name,
                        string_agg(column_name, ',' ORDER BY ordinal_position)
                     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                     WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'ledger')
                        AND table_name NOT IN ('migrations', 'taken')
                     GROUP BY table_schema, table_name",
                );
                let split = |line: &str| {
                    let (name, columns) = line.split_once('|').unwrap();
                    (name.to_owned(), columns.split(',').map(String::from).collect())
                };
                listed.lines().map(split).collect()
            }
        };
        all.sort();
        all
    }
}

/// Tries again while a directory is in use. Every process that a test starts, such as `psql`, holds for an instant what
/// this one holds open, and so the lock of a directory that another test has just given up.
pub async fn free<T>(open: impl AsyncFn() -> Result<T>) -> Result<T> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match open().await {
            Err(Error::InUse(_)) if Instant::now() < deadline => tokio::task::yield_now().await,
            opened => return opened,
        }
    }
}

fn tables_in(connection: &Connection) -> Vec<String> {
    // Epochs tell the files of one store from each other's older copies: they are no rows of the store, and stay with their files.
    let of = |file: &str, prefix: &str| {
        format!(
            "SELECT '{prefix}' || name FROM {file}.sqlite_schema WHERE type = 'table' AND name NOT IN ('migrations', 'epochs')"
        )
    };
    let sql = [of("main", ""), of("sessions_file", ""), of("ledger", "ledger.")].join(" UNION ALL ");
    let mut names = connection.prepare(&sql).unwrap();
    names.query_map([], |row| row.get(0)).unwrap().map(std::result::Result::unwrap).collect()
}

/// Which columns may be null: no key, and not said to be never so.
fn nullable(connection: &Connection, table: &str) -> Vec<bool> {
    let mut columns =
        connection.prepare("SELECT \"notnull\" = 0 AND pk = 0 FROM pragma_table_info($1) ORDER BY cid").unwrap();
    let table = table.trim_start_matches("ledger.");
    columns.query_map([table], |row| row.get(0)).unwrap().map(std::result::Result::unwrap).collect()
}

fn beside(directory: &TempDir) -> Connection {
    let connection = Connection::open(directory.path().join("records.sqlite")).unwrap();
    let sessions = directory.path().join("sessions.sqlite");
    connection.execute("ATTACH DATABASE $1 AS sessions_file", [sessions.to_str()]).unwrap();
    let ledger = directory.path().join("ledger.sqlite");
    connection.execute("ATTACH DATABASE $1 AS ledger", [ledger.to_str()]).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
    connection
}
