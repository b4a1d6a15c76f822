//! Large writes of what is there: the writer changes the rows of the index that differ, and takes those of deletions away afterwards,
//! a few at a time.

use crate::checks;
use crate::shelf::{Shelf, of_organisation, patient, resource};
use crate::transactions::{make, put};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::limits::REPLACED_INDEX_ROWS;
use store::sweep::sweep;
use store::write::resource_write::{Demand, NewResource};
use store::write::transaction::{Act, Effect, PlanOutcome};

/// The tables of the index, and that of the tokens.
const TABLES: [&str; 8] = [
    "index_tokens",
    "index_texts",
    "index_references",
    "index_dates",
    "index_amounts",
    "index_uris",
    "index_courses",
    "tokens",
];
const STAGED: &str = "SELECT count(*) FROM stagings";
const LIVE: &str = "SELECT count(*) FROM resources WHERE deleted_at IS NULL";
const OF_DELETED: &str =
    "SELECT count(*) FROM index_tokens WHERE resource_id IN (SELECT id FROM resources WHERE deleted_at IS NOT NULL)";

/// An Observation about Amina of these codes, each of which is a value that several searches find.
fn observation(id: &str, codes: impl IntoIterator<Item = String>) -> NewResource {
    let codes: Vec<String> =
        codes.into_iter().map(|code| format!(r#"{{"code":"{code}","display":"d {code}"}}"#)).collect();
    let members = format!(
        r#","identifier":[{{"value":"{id}"}}],"subject":{{"reference":"Patient/amina"}},"effectiveDateTime":"2020","code":{{"coding":[{}]}}"#,
        codes.join(",")
    );
    resource(ResourceType::Observation, id, &members)
}

/// So many codes, the first of them another for each round.
fn codes(id: &str, many: usize, round: usize) -> impl Iterator<Item = String> {
    let (first, id) = (format!("{id}-first-{round}"), id.to_owned());
    std::iter::once(first).chain((1..many).map(move |at| format!("{id}-{at}")))
}

async fn do_all(shelf: &Shelf, acts: Vec<Act>) -> PlanOutcome {
    make(&shelf.w.store, &of_organisation(shelf.w.elsewhere), vec![], acts).await
}

async fn done(shelf: &Shelf, acts: Vec<Act>) -> Vec<Effect> {
    match do_all(shelf, acts).await {
        PlanOutcome::Done(effects) => effects,
        other => panic!("{other:?}"),
    }
}

/// From now on every row of the index that is written or taken away is counted, with how many notes of what is left there are then.
fn count_from_now(shelf: &Shelf) {
    shelf.w.home.run("CREATE TABLE counted (of TEXT, kind TEXT, notes BIGINT)");
    for table in TABLES {
        shelf.w.home.run(&format!(
            "CREATE TABLE {table}_before AS SELECT * FROM {table};
             CREATE TRIGGER {table}_came AFTER INSERT ON {table} BEGIN
                INSERT INTO counted SELECT '{table}', 'came', count(*) FROM stagings; END;
             CREATE TRIGGER {table}_went AFTER DELETE ON {table} BEGIN
                INSERT INTO counted SELECT '{table}', 'went', count(*) FROM stagings; END"
        ));
    }
}

/// For each table: rows that were written and taken away, and those that are there and were not, and were there and are not.
fn counted(shelf: &Shelf) -> Vec<(&'static str, [i64; 2], [i64; 2])> {
    let rows = |table: &str| {
        let changed = ["came", "went"].map(|kind| {
            shelf.w.count(&format!("SELECT count(*) FROM counted WHERE of = '{table}' AND kind = '{kind}'"))
        });
        let different = [(table.to_owned(), format!("{table}_before")), (format!("{table}_before"), table.to_owned())]
            .map(|(one, other)| {
                shelf.w.count(&format!("SELECT count(*) FROM (SELECT * FROM {one} EXCEPT SELECT * FROM {other})"))
            });
        (changed, different)
    };
    TABLES.iter().map(|table| (*table, rows(table).0, rows(table).1)).collect()
}

fn only_what_differs_was_written(shelf: &Shelf) {
    let counted = counted(shelf);
    assert!(counted.iter().any(|(_, changed, _)| *changed != [0, 0]), "{counted:?}");
    for (table, changed, different) in counted {
        assert_eq!(changed, different, "{table}");
    }
}

async fn is_whole(shelf: &Shelf) {
    assert_eq!(checks::found(shelf).await.1, Vec::<String>::new());
}

#[tokio::test]
async fn writing_a_resource_of_many_values_again_writes_the_rows_that_differ() {
    let shelf = Shelf::new().await;
    let source = shelf.by_elsewhere();
    done(&shelf, vec![put(observation("wide", codes("wide", 1_500, 0)), source)]).await;
    count_from_now(&shelf);
    done(&shelf, vec![put(observation("wide", codes("wide", 1_500, 1)), source)]).await;
    only_what_differs_was_written(&shelf);
    let came: i64 = counted(&shelf).iter().map(|(_, changed, _)| changed[0]).sum();
    assert!((1..20).contains(&came), "one code differs: {came} rows");
    is_whole(&shelf).await;
}

#[tokio::test]
async fn what_grows_in_its_midst_keeps_its_other_rows_and_what_shrinks_to_little_loses_them() {
    let shelf = Shelf::new().await;
    let source = shelf.by_elsewhere();
    let names = |round: usize| {
        let given = (0..300).map(|at| format!(r#""Given{at}""#));
        let new = (0..round).map(|at| format!(r#""New{at}""#));
        let given: Vec<String> = new.chain(given).collect();
        resource(ResourceType::Patient, "amina", &format!(r#","name":[{{"given":[{}]}}]"#, given.join(",")))
    };
    done(&shelf, vec![put(names(0), source)]).await;
    count_from_now(&shelf);
    done(&shelf, vec![put(names(2), source)]).await;
    only_what_differs_was_written(&shelf);
    is_whole(&shelf).await;
    done(&shelf, vec![put(patient("amina", &[(None, "N-1")]), source)]).await;
    is_whole(&shelf).await;
    done(&shelf, vec![put(observation("long", codes("long", 1_500, 0)), source)]).await;
    done(&shelf, vec![put(observation("long", codes("long", 1, 0)), source)]).await;
    is_whole(&shelf).await;
}

/// The draft of a text, the same packed and what is told of it are in memory beside it, until it is made.
#[tokio::test]
async fn what_is_to_be_written_counts_with_what_is_made_of_it() {
    let shelf = Shelf::new().await;
    let act = put(observation("counted", codes("counted", 500, 0)), shelf.by_elsewhere());
    let Act::Put { new, .. } = &act else { panic!("stored") };
    let text = new.content.body.before.len() + new.content.body.after.len();
    assert!(text > 10_000 && act.held_bytes() >= new.content.held_bytes() + 3 * text, "{}", act.held_bytes());
}

/// Thirty Observations, in their so-manieth round.
fn thirty(shelf: &Shelf, round: usize) -> Vec<Act> {
    let one = |at: usize| {
        let id = format!("of-thirty-{at}");
        put(observation(&id, codes(&id, 40, round)), shelf.by_elsewhere())
    };
    (0..30).map(one).collect()
}

#[tokio::test]
async fn a_transaction_of_updates_writes_the_rows_that_differ() {
    let shelf = Shelf::new().await;
    done(&shelf, thirty(&shelf, 0)).await;
    count_from_now(&shelf);
    let mut acts = thirty(&shelf, 1);
    for act in &mut acts[..10] {
        let Act::Put { demand, .. } = act else { panic!("stored") };
        *demand = Demand::Version(1);
    }
    let effects = done(&shelf, acts).await;
    assert!(
        effects.iter().all(|effect| matches!(effect, Effect::Stored(stored) if stored.version == 2)),
        "{effects:?}"
    );
    only_what_differs_was_written(&shelf);
    is_whole(&shelf).await;
    let one_by_one = Shelf::new().await;
    for act in thirty(&one_by_one, 0).into_iter().chain(thirty(&one_by_one, 1)) {
        done(&one_by_one, vec![act]).await;
    }
    for table in TABLES {
        let rows = format!("SELECT count(*) FROM {table}");
        assert_eq!(shelf.w.count(&rows), one_by_one.w.count(&rows), "{table}");
    }
}

#[tokio::test]
async fn what_moves_to_a_patient_of_whom_nobody_had_heard_is_found_with_them_alone() {
    let shelf = Shelf::new().await;
    let about = |patient: &str| {
        let source = shelf.by_elsewhere();
        let one = |at: usize| {
            let members = format!(
                r#","subject":{{"reference":"Patient/{patient}"}},"effectiveDateTime":"2020","code":{{"coding":[{{"code":"c"}}]}}"#
            );
            put(resource(ResourceType::Observation, &format!("moves-{at}"), &members), source)
        };
        (0..20).map(one).collect::<Vec<Act>>()
    };
    done(&shelf, about("amina")).await;
    done(&shelf, about("newcomer")).await;
    is_whole(&shelf).await;
    let of_newcomer =
        "SELECT count(*) FROM index_courses c JOIN patients p ON p.id = c.patient_id WHERE p.fhir_id = 'newcomer'";
    assert!(shelf.w.count(of_newcomer) >= 20);
    assert_eq!(shelf.w.count(of_newcomer), shelf.w.count("SELECT count(*) FROM index_courses"));
}

#[tokio::test]
async fn two_large_updates_at_once_are_made_one_after_the_other() {
    let shelf = Shelf::new().await;
    done(&shelf, thirty(&shelf, 0)).await;
    let (one, other) = tokio::join!(do_all(&shelf, thirty(&shelf, 1)), do_all(&shelf, thirty(&shelf, 2)));
    for outcome in [one, other] {
        assert!(matches!(outcome, PlanOutcome::Done(_)), "{outcome:?}");
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources WHERE version = 3"), 30);
    is_whole(&shelf).await;
}

#[tokio::test]
async fn a_transaction_that_would_change_too_many_rows_is_refused_and_one_resource_never_is() {
    let shelf = Shelf::new().await;
    let source = shelf.by_elsewhere();
    let many = |round: usize| {
        let one = |at: usize| {
            let id = format!("many-{at}");
            let codes: Vec<String> = (0..700).map(|code| format!("{id}-{round}-{code}")).collect();
            put(observation(&id, codes), source)
        };
        (0..6).map(one).collect::<Vec<Act>>()
    };
    done(&shelf, many(0)).await;
    let rows = shelf.w.count("SELECT count(*) FROM index_tokens");
    let all: i64 = TABLES.iter().map(|table| shelf.w.count(&format!("SELECT count(*) FROM {table}"))).sum();
    assert!(2 * all > i64::try_from(REPLACED_INDEX_ROWS).unwrap(), "{all}");
    let refused = do_all(&shelf, many(1)).await;
    assert!(matches!(refused, PlanOutcome::TooLarge), "{refused:?}");
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources WHERE version > 1"), 0);
    assert_eq!((shelf.w.count("SELECT count(*) FROM index_tokens"), shelf.w.count(STAGED)), (rows, 0));
    for act in many(1) {
        done(&shelf, vec![act]).await;
    }
    is_whole(&shelf).await;
}

fn delete_thirty(shelf: &Shelf) -> Vec<Act> {
    let one = |at: usize| Act::Delete {
        resource_type: ResourceType::Observation,
        id: format!("of-thirty-{at}"),
        source: shelf.by_elsewhere(),
        demand: Demand::Nothing,
    };
    (0..30).map(one).collect()
}

/// Waits until what was left is taken away.
async fn settle(shelf: &Shelf) {
    while shelf.w.count(STAGED) > 0 {
        shelf.put(patient("last", &[]), shelf.by_elsewhere()).await;
    }
}

#[tokio::test]
async fn the_rows_of_many_deletions_are_taken_away_behind_them_a_few_at_a_time() {
    let shelf = Shelf::new().await;
    done(&shelf, thirty(&shelf, 0)).await;
    let live = shelf.w.count(LIVE);
    count_from_now(&shelf);
    let effects = done(&shelf, delete_thirty(&shelf)).await;
    assert!(effects.iter().all(|effect| matches!(effect, Effect::Deleted(2))), "{effects:?}");
    assert_eq!(shelf.w.count(LIVE), live - 30);
    is_whole(&shelf).await;
    settle(&shelf).await;
    assert_eq!((shelf.w.count(OF_DELETED), shelf.w.count(STAGED)), (0, 0));
    is_whole(&shelf).await;
    let went =
        |condition: &str| shelf.w.count(&format!("SELECT count(*) FROM counted WHERE kind = 'went' AND {condition}"));
    assert!(went("notes > 0") > 1_000, "{}", went("notes > 0"));
    assert_eq!(went("notes = 0"), 0, "in the transaction of the deletions there is no note yet");
    // Each part takes its note with it.
    let most = "SELECT max(c) FROM (SELECT count(*) AS c FROM counted WHERE kind = 'went' GROUP BY notes)";
    assert!(shelf.w.count("SELECT count(DISTINCT notes) FROM counted WHERE kind = 'went'") > 1);
    assert!(shelf.w.count(most) < went("notes > 0"), "{}", shelf.w.count(most));
}

#[tokio::test]
async fn a_large_resource_that_is_deleted_alone_leaves_its_rows_to_be_taken_away_and_a_small_one_does_not() {
    let shelf = Shelf::new().await;
    let source = shelf.by_elsewhere();
    for (id, many) in [("small", 3), ("large", 1_500)] {
        done(&shelf, vec![put(observation(id, codes(id, many, 0)), source)]).await;
    }
    count_from_now(&shelf);
    let delete = |id: &str| Act::Delete {
        resource_type: ResourceType::Observation,
        id: id.into(),
        source,
        demand: Demand::Nothing,
    };
    done(&shelf, vec![delete("small")]).await;
    let at_once = shelf.w.count("SELECT count(*) FROM counted WHERE kind = 'went' AND notes = 0");
    assert!(at_once > 0);
    done(&shelf, vec![delete("large")]).await;
    settle(&shelf).await;
    assert_eq!(shelf.w.count("SELECT count(*) FROM counted WHERE kind = 'went' AND notes = 0"), at_once);
    assert_eq!(shelf.w.count(OF_DELETED), 0);
    is_whole(&shelf).await;
}

#[tokio::test]
async fn what_is_there_again_keeps_its_rows_though_those_of_its_deletion_were_left_by_a_killed_process() {
    let shelf = Shelf::new().await;
    done(&shelf, thirty(&shelf, 0)).await;
    done(&shelf, delete_thirty(&shelf)).await;
    settle(&shelf).await;
    let again = thirty(&shelf, 1).remove(0);
    done(&shelf, vec![again]).await;
    let row = shelf.w.count("SELECT id FROM resources WHERE fhir_id = 'of-thirty-0'");
    let gone = shelf.w.count("SELECT id FROM resources WHERE fhir_id = 'of-thirty-1'");
    shelf.w.home.run(&format!(
        "INSERT INTO stagings VALUES ({row}, 0, '[{row},{gone}]');
         INSERT INTO index_tokens (type, parameter, code, resource_id, system, part) VALUES (1, 1, 'left', {gone}, 0, 0)"
    ));
    is_whole(&shelf).await;
    let rows = shelf.w.count(&format!("SELECT count(*) FROM index_tokens WHERE resource_id = {row}"));
    assert!(rows > 0);
    assert!(sweep(&shelf.w.store, NOW.plus_seconds(7200)).await.unwrap().more);
    assert_eq!(shelf.w.count(&format!("SELECT count(*) FROM index_tokens WHERE resource_id = {row}")), rows);
    assert_eq!((shelf.w.count(OF_DELETED), shelf.w.count(STAGED)), (0, 0));
    is_whole(&shelf).await;
}
