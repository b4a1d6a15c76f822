//! A process killed with SIGKILL while it closes, archives and drops months as fast as it can: the ledger is whole, and no
//! month is gone without its archive.

use crate::child::{self, say};
use crate::home::{Home, place};
use crate::months::{month, told};
use crate::notary::Clerk;
use crate::world::World;
use rules::moment::Moment;
use std::io::{BufRead, BufReader};
use std::path::Path;
use store::Store;
use store::ledger::{self, About, Event, Line, Month, Retention, RetentionStep, Spool};

/// Steps of the child before the kill, one round each.
const ROUNDS: [usize; 4] = [3, 10, 21, 44];
/// Lines of each month.
const LINES: i64 = 3000;

fn keep(archive: &Path) -> Retention {
    Retention { months: 12, archive: Some(archive.to_path_buf()), by: "test".into() }
}

#[tokio::test]
async fn whoever_is_killed_while_months_come_and_go_leaves_a_whole_ledger_and_every_archive() {
    for steps in ROUNDS {
        let directory = tempfile::tempdir().unwrap();
        let (data, archive) = (directory.path().join("data"), directory.path().join("archive"));
        run_and_kill(directory.path(), steps);
        let store = Store::open(&place(&data), 1).await.expect("the store opens after the kill");
        assert_eq!(told(&store).await, [""; 0], "after {steps} steps");
        let now = ledger::roots(&store).await.unwrap().last().unwrap().month.next().start();
        loop {
            let dropped = ledger::roots(&store).await.unwrap();
            for root in dropped.iter().filter(|root| root.removal.is_some()) {
                let file = archive.join(format!("ledger-{}.sqlite", root.month));
                assert!(ledger::examine(&file, Some(&Clerk("key"))).unwrap().is_whole(), "{}", root.month);
            }
            // The next one goes on where it ended.
            if ledger::expire(&store, Some(&keep(&archive)), now, &Clerk::shared()).await.unwrap()
                == RetentionStep::Done
            {
                break;
            }
        }
        assert_eq!(told(&store).await, [""; 0]);
    }
}

/// Runs this very executable as a child, and kills it after so many steps.
fn run_and_kill(directory: &Path, steps: usize) {
    let mut child = child::running("killed_months::has_months_come_and_go", directory).spawn().expect("the child");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let (mut heard, mut line) = (0, String::new());
    while lines.read_line(&mut line).unwrap() > 0 {
        heard += usize::from(child::said(&line).is_some());
        if heard == steps {
            child.kill().expect("SIGKILL");
        }
        line.clear();
    }
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "it was to run until it was killed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the child process of the test above, which runs it and kills it"]
async fn has_months_come_and_go() {
    let directory = child::directory();
    let (data, archive) = (directory.join("data"), directory.join("archive"));
    let w = World::at(Home::Given(data)).await;
    let (spool, _) = Spool::start(&w.store, &directory.join("spool"), Moment(0)).await.unwrap();
    let about = About { patient: Some(w.patient("amina").await), ..About::default() };
    let mut present: Month = month("2026-01");
    let mut first = true;
    loop {
        // A year is there at once, so that every month after it has one to drop.
        for _ in 0..if first { 13 } else { 1 } {
            let now = present.start();
            let look = |n: i64| Line {
                at: now.plus_seconds(n),
                event: Event::Accessed,
                session: None,
                about: about.clone(),
                times: 1,
                right: None,
                detail: None,
                operator: None,
            };
            spool.write((0..LINES).map(look), now, false).unwrap();
            spool.take(&w.store, now).await.unwrap();
            present = present.next();
        }
        first = false;
        ledger::close(&w.store, present.start(), &Clerk::shared()).await.unwrap();
        say("closed", 0, 0);
        loop {
            let step =
                ledger::expire(&w.store, Some(&keep(&archive)), present.start(), &Clerk::shared()).await.unwrap();
            if step == RetentionStep::Done {
                break;
            }
            say("step", 0, 0);
        }
    }
}
