//! A process killed with SIGKILL while it writes as fast as it can: nothing acknowledged is lost, nothing revoked lives.

use crate::child::{self, say};
use crate::granted::generation;
use crate::home::{self, Home};
use crate::world::{NOW, World};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use store::{Store, documents, seen};

const WRITERS: usize = 32;
/// Acknowledgements to wait for before the kill, one round each.
const ROUNDS: [usize; 4] = [300, 800, 1500, 4000];

/// What the child said was acknowledged, in the order it said so.
#[derive(Default)]
struct Said {
    /// Sessions and their newest acknowledged generation.
    generations: HashMap<i64, i64>,
    revoked: Vec<i64>,
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
            let seen = seen::see(&store, *id).await.unwrap().expect("an acknowledged session");
            assert!(seen.session.generation >= *generation, "an acknowledged refresh of {id} is gone");
        }
        for id in &said.revoked {
            let seen = seen::see(&store, *id).await.unwrap().expect("an acknowledged session");
            assert!(seen.session.revoked_at.is_some(), "the acknowledged revocation of {id} is gone");
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
fn run_and_kill(directory: &Path, acknowledgements: usize) -> Said {
    let mut child = child::running("killed::writes_until_it_is_killed", directory).spawn().expect("the child");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let mut said = Said::default();
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

impl Said {
    fn hear(&mut self, what: &str, id: i64, generation: i64) {
        match what {
            "tokens" => {
                self.generations.insert(id, generation);
            }
            "revoked" => self.revoked.push(id),
            "read" => self.read.push(id),
            other => panic!("the child said {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the child process of the test above, which runs it and kills it"]
async fn writes_until_it_is_killed() {
    let w = std::sync::Arc::new(World::at(Home::Given(child::directory())).await);
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let w = w.clone();
        writers.spawn(async move {
            for round in 0.. {
                let granted = w.connected().await;
                say("tokens", granted.id, 1);
                for before in 1..4 {
                    say("tokens", granted.id, generation(granted.refresh(before).await));
                }
                assert!(granted.revoke().await);
                say("revoked", granted.id, 0);
                let document = i64::try_from(writer * 1_000_000 + round).unwrap();
                documents::opened(&w.store, document, "amina", NOW).await.unwrap();
                say("read", document, 0);
            }
        });
    }
    writers.join_all().await;
}
