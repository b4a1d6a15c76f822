//! A process killed with SIGKILL while it writes as fast as it can: nothing acknowledged is lost, nothing revoked lives.

use crate::child::{self, say};
use crate::grant::generation;
use crate::home::{self, Home};
use crate::world::{NOW, World};
use rules::ids::{RowId, SessionId};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use store::documents::receipts;
use store::{Store, bearer};

const WRITERS: usize = 32;
/// Acknowledgements to wait for before the kill, one round each.
const ROUNDS: [usize; 4] = [300, 800, 1500, 4000];

/// What the child said was acknowledged, in the order it said so.
#[derive(Default)]
struct Acknowledgements {
    /// Sessions and their newest acknowledged generation.
    generations: HashMap<SessionId, i64>,
    revoked: Vec<SessionId>,
    read: Vec<i64>,
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_process_is_killed_under_load() {
    for acknowledgements in ROUNDS {
        let directory = tempfile::tempdir().unwrap();
        let said = run_and_kill(directory.path(), acknowledgements);
        assert!(!said.revoked.is_empty() && !said.read.is_empty(), "the child wrote to both files");
        let store = Store::open(&home::place(directory.path()), 1).await.expect("the store opens after the kill");
        for (id, generation) in &said.generations {
            let found = bearer::find(&store, *id).await.unwrap().expect("an acknowledged session");
            assert!(found.session.generation >= *generation, "an acknowledged refresh of {id} is gone");
        }
        for id in &said.revoked {
            let found = bearer::find(&store, *id).await.unwrap().expect("an acknowledged session");
            assert!(found.session.revoked_at.is_some(), "the acknowledged revocation of {id} is gone");
        }
        for document in &said.read {
            let receipts = format!("SELECT count(*) FROM read_receipts WHERE resource_id = {document}");
            assert_eq!(home::count(directory.path(), &receipts), 1);
        }
        for file in ["records.sqlite", "sessions.sqlite"] {
            let connection = rusqlite::Connection::open(directory.path().join(file)).unwrap();
            let verdict: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
            assert_eq!(verdict, "ok", "{file}");
        }
    }
}

/// Runs this very executable as a child that writes, and kills it after so many acknowledgements.
fn run_and_kill(directory: &Path, acknowledgements: usize) -> Acknowledgements {
    let mut child = child::running("kill::writes_until_it_is_killed", directory).spawn().expect("the child");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let mut said = Acknowledgements::default();
    let mut heard = 0;
    let mut line = String::new();
    while lines.read_line(&mut line).unwrap() > 0 {
        if let Some((what, id, generation)) = child::said(&line) {
            said.hear(what, id, generation);
            heard += 1;
        }
        if heard == acknowledgements {
            child.kill().expect("SIGKILL");
        }
        line.clear();
    }
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "it was to run until it was killed");
    said
}

impl Acknowledgements {
    fn hear(&mut self, what: &str, id: i64, generation: i64) {
        match what {
            "tokens" => {
                self.generations.insert(SessionId(id), generation);
            }
            "revoked" => self.revoked.push(SessionId(id)),
            "read" => self.read.push(id),
            other => panic!("the child said {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the child process of the test above, which runs it and kills it"]
async fn writes_until_it_is_killed() {
    let w = std::sync::Arc::new(World::at(Home::Given(child::directory())).await);
    let patient = w.patient("amina").await;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let w = w.clone();
        writers.spawn(async move {
            for round in 0.. {
                let granted = w.connected().await;
                say("tokens", granted.id.0, 1);
                for before in 1..4 {
                    say("tokens", granted.id.0, generation(granted.refresh(before).await));
                }
                assert!(granted.revoke().await);
                say("revoked", granted.id.0, 0);
                let document = i64::try_from(writer * 1_000_000 + round).unwrap();
                receipts::note_opened(&w.store, RowId(document), patient, NOW).await.unwrap();
                say("read", document, 0);
            }
        });
    }
    writers.join_all().await;
}
