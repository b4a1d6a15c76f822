//! Groups of jobs that can be run again and of jobs that cannot: what is there afterwards, how often each ran, who hears what.

use crate::error::{Error, Result};
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::Statement;
use crate::sqlite::job::{JobRun, Rollback};
use crate::sqlite::transaction::SqliteTx;
use crate::sqlite::writer::Writer;
use rules::moment::Moment;
use rusqlite::Connection;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

const AGAIN: JobRun = JobRun::Repeatable;
const ALONE: JobRun = JobRun::Once(Rollback::Alone);
const WITH_ITS_GROUP: JobRun = JobRun::Once(Rollback::WithItsGroup);

const TABLES: &str = "PRAGMA journal_mode = WAL; CREATE TABLE record_lines (id INTEGER PRIMARY KEY, lines BLOB);
    CREATE TABLE session_lines (id INTEGER PRIMARY KEY, lines BLOB);
    CREATE TABLE written (name TEXT PRIMARY KEY, of TEXT REFERENCES written (name) DEFERRABLE INITIALLY DEFERRED)";
const WRITE: Statement<'static> = Statement::new("test", "INSERT INTO written (name, of) VALUES ($1, $2)");

/// How a job ends that has written its name and a line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TransferEndpoint {
    Well,
    Error,
    Panic,
    /// An error before anything was written.
    NothingWritten,
    /// The database took its transaction back, as it does where the disk is full.
    Lost,
    /// So when it is run again.
    LostAgain,
    /// Well, and then its transaction cannot be committed.
    NoCommit,
}

fn job(tx: &mut SqliteTx, name: &str, end: TransferEndpoint, runs_before: usize) -> Result<String> {
    if end == TransferEndpoint::NothingWritten {
        return Err(Error::Database(format!("{name} fails")));
    }
    tx.execute(WRITE, args![name, Some("nobody").filter(|_| end == TransferEndpoint::NoCommit)])?;
    let line = Line::new(Moment(1), Event::Created, None, About::default()).with_detail(format!("<{name}>"));
    tx.append(Outbox::Records, &line);
    match end {
        TransferEndpoint::LostAgain if runs_before == 0 => {}
        TransferEndpoint::Error => return Err(Error::Database(format!("{name} fails"))),
        TransferEndpoint::Panic => panic!("{name} panics on purpose"),
        TransferEndpoint::Lost | TransferEndpoint::LostAgain => {
            tx.run("ROLLBACK")?;
            return Err(Error::Database(format!("{name} fails")));
        }
        TransferEndpoint::Well | TransferEndpoint::NoCommit | TransferEndpoint::NothingWritten => {}
    }
    Ok(name.to_owned())
}

/// What became of jobs that were put into one group.
#[derive(Debug, PartialEq, Eq)]
struct Aftermath {
    /// What each caller hears: its job's answer, or the trouble.
    heard: Vec<std::result::Result<String, String>>,
    /// How often each ran.
    runs: Vec<usize>,
    /// The names that are there, in the order in which they were written.
    written: Vec<String>,
    /// The names of the lines, in that order.
    lines: Vec<String>,
}

async fn aftermath(jobs: &[(&'static str, JobRun, TransferEndpoint)]) -> Aftermath {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("group.sqlite");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(TABLES).unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    let (writer, thread) = Writer::start("group", connection, Default::default(), Box::new(())).unwrap();
    let (let_go, wait) = mpsc::channel::<()>();
    writer.between(move |_| wait.recv().unwrap()).unwrap();
    let mut answers = Vec::new();
    let mut counts = Vec::new();
    for (name, way, end) in jobs.iter().copied() {
        let count = Arc::new(AtomicUsize::new(0));
        counts.push(count.clone());
        answers.push(
            writer.write(way, move |tx: &mut SqliteTx| job(tx, name, end, count.fetch_add(1, Ordering::Relaxed))),
        );
    }
    let_go.send(()).unwrap();
    let mut heard = Vec::new();
    for answer in answers {
        heard.push(answer.await.map_err(|error| error.to_string()));
    }
    drop(writer);
    thread.join().unwrap();
    let runs = counts.iter().map(|count| count.load(Ordering::Relaxed)).collect();
    let written = column(&path, "SELECT CAST(name AS BLOB) FROM written ORDER BY rowid");
    let lines = column(&path, "SELECT lines FROM record_lines ORDER BY id");
    let lines = lines.iter().flat_map(|lines| lines.split('<').skip(1));
    let lines = lines.filter_map(|line| Some(line.split_once('>')?.0.to_owned())).collect();
    Aftermath { heard, runs, written, lines }
}

fn column(path: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut rows = connection.prepare(sql).unwrap();
    let rows = rows.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
    rows.map(|bytes| String::from_utf8_lossy(&bytes.unwrap()).into_owned()).collect()
}

/// Which callers hear of trouble.
fn failed(after: &Aftermath) -> Vec<bool> {
    after.heard.iter().map(std::result::Result::is_err).collect()
}

/// Asserts that these names alone are there, each with its line, once.
fn assert_there(after: &Aftermath, names: &[&str]) {
    assert_eq!(after.written, names);
    assert_eq!(after.lines, names, "each with its line, once");
}

#[tokio::test]
async fn jobs_that_can_be_run_again_run_once_where_none_fails() {
    let after = aftermath(&[
        ("a", AGAIN, TransferEndpoint::Well),
        ("b", AGAIN, TransferEndpoint::Well),
        ("c", AGAIN, TransferEndpoint::Well),
    ])
    .await;
    assert_there(&after, &["a", "b", "c"]);
    assert_eq!(after.runs, [1, 1, 1]);
    assert_eq!(after.heard, ["a", "b", "c"].map(|name| Ok(name.to_owned())));
}

#[tokio::test]
async fn where_one_of_them_fails_the_others_are_there_once_and_it_alone_hears_why() {
    for (end, why) in [(TransferEndpoint::Error, "bad fails"), (TransferEndpoint::Panic, "a write job panicked")] {
        let jobs = [
            ("a", AGAIN, TransferEndpoint::Well),
            ("b", AGAIN, TransferEndpoint::Well),
            ("bad", AGAIN, end),
            ("c", AGAIN, TransferEndpoint::Well),
        ];
        let after = aftermath(&jobs).await;
        assert_there(&after, &["a", "b", "c"]);
        assert_eq!(after.runs, [2, 2, 2, 1], "{end:?}");
        let [Ok(a), Ok(b), Err(bad), Ok(c)] = after.heard.as_slice() else { panic!("{:?}", after.heard) };
        assert_eq!([a, b, c], ["a", "b", "c"]);
        assert!(bad.contains(why), "{bad}");
    }
}

#[tokio::test]
async fn a_group_is_run_again_once_however_many_of_it_fail() {
    let bad = |name| (name, AGAIN, TransferEndpoint::Error);
    let good = |name| (name, AGAIN, TransferEndpoint::Well);
    let after = aftermath(&[bad("first"), good("a"), bad("second"), bad("third"), good("b")]).await;
    assert_there(&after, &["a", "b"]);
    assert_eq!(after.runs, [2, 1, 1, 1, 1]);
    assert_eq!(failed(&after), [true, false, true, true, false]);
}

#[tokio::test]
async fn one_that_fails_before_it_wrote_has_nothing_run_again() {
    let jobs = [
        ("a", AGAIN, TransferEndpoint::Well),
        ("bad", AGAIN, TransferEndpoint::NothingWritten),
        ("b", AGAIN, TransferEndpoint::Well),
    ];
    let after = aftermath(&jobs).await;
    assert_there(&after, &["a", "b"]);
    assert_eq!(after.runs, [1, 1, 1]);
    assert_eq!(failed(&after), [false, true, false]);
}

#[tokio::test]
async fn one_that_cannot_be_run_again_runs_once_whoever_fails_before_or_behind_it() {
    for once in [ALONE, WITH_ITS_GROUP] {
        let jobs = [
            ("a", AGAIN, TransferEndpoint::Well),
            ("bad", AGAIN, TransferEndpoint::Error),
            ("once", once, TransferEndpoint::Well),
            ("worse", AGAIN, TransferEndpoint::Panic),
            ("b", AGAIN, TransferEndpoint::Well),
        ];
        let after = aftermath(&jobs).await;
        assert_there(&after, &["a", "once", "b"]);
        assert_eq!(after.runs, [2, 2, 1, 1, 1], "{once:?}");
        assert_eq!(failed(&after), [false, true, false, true, false]);
    }
}

#[tokio::test]
async fn behind_one_that_cannot_be_run_again_nothing_is() {
    for once in [ALONE, WITH_ITS_GROUP] {
        let jobs = [
            ("a", AGAIN, TransferEndpoint::Well),
            ("once", once, TransferEndpoint::Well),
            ("bad", AGAIN, TransferEndpoint::Error),
        ];
        let after = aftermath(&jobs).await;
        assert_there(&after, &["a", "once"]);
        assert_eq!(after.runs, [1, 1, 1], "{once:?}");
    }
}

#[tokio::test]
async fn a_refresh_that_fails_takes_those_back_that_could_be_run_again_and_they_hear_so() {
    let jobs = [
        ("a", AGAIN, TransferEndpoint::Well),
        ("bad", WITH_ITS_GROUP, TransferEndpoint::Error),
        ("next", AGAIN, TransferEndpoint::Well),
    ];
    let after = aftermath(&jobs).await;
    assert_there(&after, &["next"]);
    assert_eq!(after.runs, [1, 1, 1]);
    let [Err(a), Err(_), Ok(_)] = after.heard.as_slice() else { panic!("{:?}", after.heard) };
    assert!(a.contains("a write of the same group failed"), "{a}");
}

#[tokio::test]
async fn where_the_database_took_the_transaction_back_nobody_of_it_is_told_yes_and_no_line_stays() {
    for lost in [AGAIN, ALONE] {
        let jobs = [
            ("a", AGAIN, TransferEndpoint::Well),
            ("lost", lost, TransferEndpoint::Lost),
            ("next", AGAIN, TransferEndpoint::Well),
        ];
        let after = aftermath(&jobs).await;
        assert_there(&after, &["next"]);
        assert_eq!(after.runs, [1, 1, 1], "{lost:?}");
        assert_eq!(failed(&after), [true, true, false]);
    }
}

#[tokio::test]
async fn where_the_transaction_is_lost_while_it_is_run_again_nobody_of_it_is_told_yes() {
    let jobs = [
        ("a", AGAIN, TransferEndpoint::LostAgain),
        ("bad", AGAIN, TransferEndpoint::Error),
        ("next", AGAIN, TransferEndpoint::Well),
    ];
    let after = aftermath(&jobs).await;
    assert_there(&after, &["next"]);
    assert_eq!(after.runs, [2, 1, 1], "nothing is run where there is no transaction");
    assert_eq!(failed(&after), [true, true, false]);
}

#[tokio::test]
async fn where_the_commit_fails_all_hear_that_the_database_is_not_available() {
    for bad in [TransferEndpoint::Well, TransferEndpoint::Error] {
        let jobs = [
            ("a", AGAIN, TransferEndpoint::Well),
            ("bad", AGAIN, bad),
            ("dangling", AGAIN, TransferEndpoint::NoCommit),
        ];
        let after = aftermath(&jobs).await;
        assert_there(&after, &[]);
        for heard in &after.heard {
            let why = heard.as_ref().expect_err("nothing was committed");
            assert!(why.contains("FOREIGN KEY"), "{why}");
        }
    }
}
