//! Large writes, whose index rows are written ahead in small transactions: others have their turn between these, and nothing is left
//! of a write that came to nothing.

use crate::checks;
use crate::group_commit::queued;
use crate::shelf::{Shelf, UPDATED, of_organisation, patient, resource};
use crate::transactions::{make, put};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::moment::Moment;
use store::Store;
use store::sweep::sweep;
use store::write::resource_write::{self, NewResource};
use store::write::transaction::{self, Act, Effect, Hindrance, Plan, PlanOutcome};

/// Observations of a large write: some ten thousand index rows.
const MANY: usize = 60;
const CODES: usize = 60;

const STAGED: &str = "SELECT count(*) FROM stagings";
/// Index rows whose resource is not there.
const AHEAD: &str = "SELECT (SELECT count(*) FROM index_tokens WHERE resource_id NOT IN (SELECT id FROM resources))
    + (SELECT count(*) FROM index_references WHERE resource_id NOT IN (SELECT id FROM resources))
    + (SELECT count(*) FROM index_courses WHERE resource_id NOT IN (SELECT id FROM resources))
    + (SELECT count(*) FROM index_uris WHERE resource_id NOT IN (SELECT id FROM resources))
    + (SELECT count(*) FROM tokens WHERE resource_id NOT IN (SELECT id FROM resources))";
const LIVE: &str = "SELECT count(*) FROM resources WHERE deleted_at IS NULL";
const INDEXED: &str = "SELECT count(*) FROM index_tokens";

fn observation(id: &str, about: &str) -> NewResource {
    let codes: Vec<String> = (0..CODES).map(|code| format!(r#"{{"code":"{id}-{code}"}}"#)).collect();
    let members = format!(
        r#","identifier":[{{"value":"{id}"}}],"subject":{{"reference":"Patient/{about}"}},"effectiveDateTime":"2020","code":{{"coding":[{}]}}"#,
        codes.join(",")
    );
    resource(ResourceType::Observation, id, &members)
}

/// A patient of whom nobody has heard, and many Observations about them.
fn large(shelf: &Shelf) -> Vec<Act> {
    let source = shelf.by_elsewhere();
    let observations = (0..MANY).map(|at| put(observation(&format!("large-{at}"), "newcomer"), source));
    observations.chain([put(patient("newcomer", &[(None, "N-1")]), source)]).collect()
}

async fn make_large(shelf: &Shelf, acts: Vec<Act>) -> PlanOutcome {
    make(&shelf.w.store, &of_organisation(shelf.w.elsewhere), vec![], acts).await
}

/// Waits until all that was queued before is done.
async fn settle(shelf: &Shelf) {
    shelf.put(patient("last", &[]), shelf.by_elsewhere()).await;
}

#[tokio::test]
async fn a_large_write_is_found_as_if_it_had_been_written_one_by_one() {
    let (shelf, one_by_one) = (Shelf::new().await, Shelf::new().await);
    let PlanOutcome::Done(effects) = make_large(&shelf, large(&shelf)).await else { panic!("not done") };
    assert_eq!(effects.len(), MANY + 1);
    for act in large(&one_by_one) {
        assert!(matches!(make_large(&one_by_one, vec![act]).await, PlanOutcome::Done(_)));
    }
    for rows in [LIVE, INDEXED, "SELECT count(*) FROM index_courses", "SELECT count(*) FROM tokens"] {
        assert_eq!(shelf.w.count(rows), one_by_one.w.count(rows), "{rows}");
    }
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
}

#[tokio::test]
async fn others_have_their_turn_many_times_while_a_large_write_is_made() {
    let shelf = Shelf::new().await;
    let parts = {
        let mut write = std::pin::pin!(make_large(&shelf, large(&shelf)));
        let mut turns = 0;
        loop {
            tokio::select! {
                biased;
                outcome = &mut write => {
                    assert!(matches!(outcome, PlanOutcome::Done(_)));
                    break turns;
                }
                _ = settle(&shelf) => turns += 1,
            }
        }
    };
    assert!(parts >= 3, "{parts} turns");
}

#[tokio::test]
async fn nothing_is_left_of_a_large_write_that_cannot_be_made() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("theirs", &[]), shelf.by_general()).await;
    let (live, indexed) = (shelf.w.count(LIVE), shelf.w.count(INDEXED));
    let bad = put(patient("theirs", &[]), shelf.by_elsewhere());
    let outcome = make_large(&shelf, large(&shelf).into_iter().chain([bad]).collect()).await;
    assert!(matches!(outcome, PlanOutcome::Stopped(_, Hindrance::OtherSource)), "{outcome:?}");
    settle(&shelf).await;
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
    assert_eq!((shelf.w.count(LIVE), shelf.w.count(INDEXED)), (live + 1, indexed + shelf.w.count(OF_LAST)));
}

const OF_LAST: &str =
    "SELECT count(*) FROM index_tokens WHERE resource_id = (SELECT id FROM resources WHERE fhir_id = 'last')";

/// Makes a large write up to where so many parts of it are written, and lets nobody wait for it any more.
async fn abandon(shelf: &Shelf, parts: i64) {
    let (reach, plan) = (of_organisation(shelf.w.elsewhere), Plan { acts: large(shelf), ..Plan::default() });
    let mut write = Box::pin(transaction::make(&shelf.w.store, reach, plan, NOW, UPDATED.into()));
    while shelf.w.count(STAGED) < parts {
        tokio::select! {
            biased;
            outcome = &mut write => panic!("made before: {outcome:?}"),
            () = tokio::task::yield_now() => {}
        }
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_large_write_that_nobody_waits_for_any_more() {
    let shelf = Shelf::new().await;
    abandon(&shelf, 2).await;
    settle(&shelf).await;
    let made = shelf.w.count(LIVE);
    assert!(made == 1 || made == i64::try_from(MANY).unwrap() + 2, "all or nothing: {made}");
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
}

/// As a process leaves it that is killed in the middle: the note of a part and its rows, and no resource.
fn kill(shelf: &Shelf, id: i64) {
    shelf.w.home.run(&format!(
        "INSERT INTO stagings VALUES ({id}, 0, '[{id}]');
         INSERT INTO index_tokens (type, parameter, code, resource_id, system, part) VALUES (1, 1, 'left', {id}, 0, 0);
         INSERT INTO tokens (type, parameter_id, value, system_id, resource_id) VALUES (1, 1, 'left', 0, {id})"
    ));
}

#[tokio::test]
async fn what_a_killed_process_left_is_no_fault_and_is_swept_after_an_hour() {
    let shelf = Shelf::new().await;
    settle(&shelf).await;
    let row = shelf.w.count("SELECT max(id) FROM resources") + 1;
    kill(&shelf, row);
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (1, 2));
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
    let swept = async |at: Moment| sweep(&shelf.w.store, at).await.unwrap().more;
    assert!(!swept(NOW.plus_seconds(3599)).await, "a write may still be under way");
    assert_eq!(shelf.w.count(STAGED), 1);
    assert!(swept(NOW.plus_seconds(3601)).await);
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
}

/// Makes a large write, with something queued behind its first part.
async fn make_beside(shelf: &Shelf, beside: impl Future<Output = store::Result<()>> + Send) -> PlanOutcome {
    let mut write = std::pin::pin!(make_large(shelf, large(shelf)));
    let mut beside = Some(beside);
    loop {
        tokio::select! {
            biased;
            outcome = &mut write => {
                assert!(beside.is_none(), "nothing came between");
                return outcome;
            }
            () = tokio::task::yield_now() => {
                if shelf.w.count(STAGED) > 0 && let Some(beside) = beside.take() {
                    drop(queued(beside));
                }
            }
        }
    }
}

#[tokio::test]
async fn what_somebody_else_made_meanwhile_is_updated_by_a_large_write() {
    let shelf = Shelf::new().await;
    let (store, source) = (&shelf.w.store, shelf.by_elsewhere());
    let other = resource(ResourceType::Observation, "large-7", "");
    let put = async { resource_write::put(store, vec![other], source, NOW, UPDATED.into()).await.map(|_| ()) };
    let PlanOutcome::Done(effects) = make_beside(&shelf, put).await else { panic!("not done") };
    let version = |effect: &Effect| if let Effect::Stored(stored) = effect { stored.version } else { 0 };
    let versions: Vec<i64> = effects.iter().map(version).collect();
    assert_eq!((versions[7], versions.iter().sum::<i64>()), (2, i64::try_from(MANY).unwrap() + 2));
    settle(&shelf).await;
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
}

#[tokio::test]
async fn a_large_write_is_made_whole_where_what_it_wrote_ahead_is_swept_under_its_feet() {
    let shelf = Shelf::new().await;
    let store: &Store = &shelf.w.store;
    // The clock has jumped.
    let swept = async { sweep(store, NOW.plus_seconds(7200)).await.map(|_| ()) };
    let outcome = make_beside(&shelf, swept).await;
    assert!(matches!(outcome, PlanOutcome::Done(_)), "{outcome:?}");
    settle(&shelf).await;
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
}

#[tokio::test]
async fn one_resource_of_many_values_is_written_ahead_as_well() {
    let shelf = Shelf::new().await;
    let codes: Vec<String> = (0..2_500).map(|code| format!(r#"{{"code":"c-{code}"}}"#)).collect();
    let members = format!(r#","subject":{{"reference":"Patient/amina"}},"code":{{"coding":[{}]}}"#, codes.join(","));
    let one = put(resource(ResourceType::Observation, "wide", &members), shelf.by_elsewhere());
    assert!(matches!(make_large(&shelf, vec![one.clone()]).await, PlanOutcome::Done(_)));
    assert_eq!((shelf.w.count(STAGED), shelf.w.count(AHEAD)), (0, 0));
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
    assert!(matches!(make_large(&shelf, vec![one]).await, PlanOutcome::Done(_)), "again, which changes nothing");
    assert_eq!(checks::found(&shelf).await.1, Vec::<String>::new());
}
