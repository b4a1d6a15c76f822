//! Worlds of more parts than one turn at the writer has time for: refused before the first piece, done to the last, or finished
//! by being applied again.

use crate::kit::World;
use service::operator::{ApplyReport, How, Progress, Reply, Request, execute, world_file};
use std::sync::Arc;
use store::{clients, people};

/// Some pieces of them.
const MANY: usize = 2500;
const HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$X9WolEOchroQwn0Y8jpgxg$Y8Jyxh7fETSMPkODDoaUY8WWhSQQ9RqYVI96w9JwfnY";
const POST: &str = "[[client]]\nclient_id = \"late-post\"\nkind = \"system\"\nowner = \"Post\"\nproduct = \"Post\"\n";
const PAGE: &str = "[[client]]\nclient_id = \"late-post\"\nkind = \"user\"\nowner = \"Post\"\nproduct = \"Page\"
    redirect_uris = [\"https://post.example/callback\"]\nscopes = [\"PATIENT\"]\n";

fn clinicians(further: &str) -> String {
    let user = |n| {
        format!(
            "[[user]]\nusername = \"many-{n:05}\"\npassword_hash = \"{HASH}\"\ntype = \"CLINICIAN\"\nname = \"Many\"\n{further}\n"
        )
    };
    (0..MANY).map(user).collect()
}

async fn apply(w: &World, text: String) -> Reply {
    let declared = Box::new(world_file::read(&[("world.toml".into(), text)]).expect("a world that can be read"));
    let progress: Progress = Arc::new(|_, _| {});
    execute(&w.app, Request::Apply { declared, how: How::Apply }, &progress).await
}

fn applied(reply: Reply) -> ApplyReport {
    match reply {
        Reply::Applied(report) => report,
        other => panic!("it was to be applied, not {other:?}"),
    }
}

fn count(report: &ApplyReport, change: &str) -> usize {
    report.changes.iter().filter(|one| one.change == change).count()
}

// gaps: Operation > Apply in pieces
#[tokio::test]
async fn a_large_world_is_refused_before_its_first_piece_or_made_to_its_last() {
    let w = World::new().await;
    let nowhere = clinicians("teams = [\"00000000-0000-4000-8000-000000000000\"]");
    let Reply::Refused(why) = apply(&w, nowhere).await else { panic!("there is no such team") };
    assert_eq!(why.len(), MANY, "all that is wrong is told");
    assert!(people::find(&w.app.store, "many-00000").await.unwrap().is_none(), "a piece was made");
    let report = applied(apply(&w, clinicians("") + POST).await);
    assert_eq!((count(&report, "created"), report.secrets.len(), report.problem), (MANY + 1, 1, None));
    let again = applied(apply(&w, clinicians("") + POST).await);
    assert_eq!((count(&again, "unchanged"), again.secrets.len()), (MANY + 1, 0));
}

// gaps: Operation > Apply in pieces
#[tokio::test]
async fn a_large_world_that_is_stopped_says_how_far_it_came_and_tells_no_secret_that_is_none() {
    let w = World::new().await;
    // When the first users are there, all was checked and the client comes last: somebody else has registered it by then.
    let rival = async {
        while people::find(&w.app.store, "many-00000").await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        applied(apply(&w, PAGE.into()).await)
    };
    let (report, rival) = tokio::join!(apply(&w, clinicians("") + POST), rival);
    assert_eq!(count(&rival, "created"), 1);
    let report = applied(report);
    let problem = report.problem.expect("the client is of another kind by now");
    assert!(problem.contains("late-post"), "{problem}");
    assert!(problem.starts_with(&format!("{} of {} were made", report.changes.len(), MANY + 1)), "{problem}");
    assert!(report.secrets.is_empty(), "the client was not made, so its secret is none");
    let stored = clients::find(&w.app.store, "late-post").await.unwrap().expect("the rival's");
    assert_eq!(stored.product, "Page");
    let again = applied(apply(&w, clinicians("")).await);
    assert_eq!(count(&again, "unchanged") + count(&again, "created"), MANY);
    assert!(count(&again, "unchanged") >= report.changes.len());
}
