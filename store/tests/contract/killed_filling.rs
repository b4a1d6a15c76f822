//! A process killed with SIGKILL while it fills the index of a user's own parameter: the next one goes on where it ended.

use crate::child::{self, say};
use crate::home::{self, Home};
use crate::shelf::{UPDATED, resource};
use crate::world::{NOW, World};
use fhir::types::ResourceType;
use rules::reach::Source;
use std::io::{BufRead, BufReader};
use std::path::Path;
use store::Store;
use store::filling::{self, FillingStep};
use store::index::own_parameters::{self, Filling};
use store::write::resource_write;

const BASE: &str = "https://records.example/fhir";
/// Many pieces.
const MANY: usize = 4000;
/// Pieces of the child before the kill, one round each.
const ROUNDS: [usize; 3] = [1, 4, 9];
const ROWS: &str = "SELECT count(*) FROM index_tokens WHERE parameter >= 262144";

#[tokio::test]
async fn what_was_filled_before_a_kill_stays_and_the_rest_is_filled_at_the_next_start() {
    for pieces in ROUNDS {
        let directory = tempfile::tempdir().unwrap();
        run_and_kill(directory.path(), pieces);
        let store = Store::open(&home::place(directory.path()), 1).await.expect("the store opens after the kill");
        let [half] = &own_parameters::all(&store).await.unwrap()[..] else { panic!("one parameter") };
        let filled = format!(
            "SELECT count(*) FROM resources WHERE type = {} AND id <= {}",
            ResourceType::Observation.number(),
            half.filled
        );
        assert_eq!(half.filling, Filling::Begun, "after {pieces} pieces");
        assert_eq!(home::count(directory.path(), ROWS), home::count(directory.path(), &filled));
        assert!(home::count(directory.path(), ROWS) > 0);
        while filling::step(&store, BASE).await.unwrap() != FillingStep::Idle {}
        let [whole] = &own_parameters::all(&store).await.unwrap()[..] else { panic!("one parameter") };
        assert_eq!(whole.filling, Filling::Whole);
        assert_eq!(usize::try_from(home::count(directory.path(), ROWS)).unwrap(), MANY);
    }
}

/// Runs this very executable as a child, and kills it after so many pieces.
fn run_and_kill(directory: &Path, pieces: usize) {
    let mut child = child::running("killed_filling::fills_until_it_is_killed", directory).spawn().expect("the child");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let (mut heard, mut line) = (0, String::new());
    while lines.read_line(&mut line).unwrap() > 0 {
        heard += usize::from(child::said(&line).is_some());
        if heard == pieces {
            child.kill().expect("SIGKILL");
        }
        line.clear();
    }
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "it was to run until it was killed");
}

#[tokio::test]
#[ignore = "the child of the test above"]
async fn fills_until_it_is_killed() {
    let w = World::at(Home::Given(child::directory())).await;
    let source = Source::Organisation(w.elsewhere);
    let all = (0..MANY).map(|at| resource(ResourceType::Observation, &format!("o-{at}"), r#","status":"final""#));
    resource_write::put(&w.store, all.collect(), source, NOW, UPDATED.into()).await.unwrap();
    let members = r#","url":"http://x.example/how","name":"mine","status":"active","description":"Mine","code":"how","base":["Observation"],"type":"token","expression":"Observation.status""#;
    let definition = resource(ResourceType::SearchParameter, "how", members);
    resource_write::put(&w.store, vec![definition], source, NOW, UPDATED.into()).await.unwrap();
    loop {
        // The last piece is left to whoever comes next, however late the kill is.
        let [one] = &own_parameters::all(&w.store).await.unwrap()[..] else { panic!("one parameter") };
        let left = w.count(&format!("SELECT count(*) FROM resources WHERE id > {}", one.filled));
        if left > 400 {
            assert_eq!(filling::step(&w.store, BASE).await.unwrap(), FillingStep::Done);
            say("piece", left, 0);
        }
        tokio::task::yield_now().await;
    }
}
