//! Writes that are made together or not at all, and only while what they rest on holds.

use crate::shelf::{NHS, Shelf, UPDATED, of_organisation, patient, resource};
use crate::together::{how_many, together};
use crate::world::NOW;
use fhir::search::query::Query;
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::reach::{Reach, Source};
use std::sync::Arc;
use store::Store;
use store::ledger::Event;
use store::read;
use store::write::precondition::Precondition;
use store::write::resource_write::{Demand, NewResource};
use store::write::transaction::{self, Act, Effect, Hindrance, Plan, PlanOutcome};

/// Of callers at once.
pub const MANY: usize = 40;
const BASE: &str = "https://records.example/fhir";

pub fn by_number(number: &str) -> Query {
    let value = format!("{NHS}|{number}");
    reading::read(ResourceType::Patient, [("identifier", value.as_str())], BASE, NOW.0 * 1000).unwrap()
}

pub fn put(new: NewResource, source: Source) -> Act {
    Act::Put { new: Box::new(new), source, demand: Demand::Nothing }
}

fn delete(id: &str, source: Source) -> Act {
    Act::Delete { resource_type: ResourceType::Patient, id: id.into(), source, demand: Demand::Nothing }
}

pub async fn make(store: &Store, reach: &Reach, preconditions: Vec<Precondition>, acts: Vec<Act>) -> PlanOutcome {
    let plan = Plan { preconditions, acts, ..Plan::default() };
    transaction::make(store, reach.clone(), plan, NOW, UPDATED.into()).await.unwrap()
}

/// Makes a Patient of this id if nobody has the number.
pub async fn make_unless(store: Arc<Store>, source: Source, reach: Reach, id: String, number: &str) -> PlanOutcome {
    let precondition = Precondition { query: by_number(number), found: None, without: Vec::new() };
    make(&store, &reach, vec![precondition], vec![put(patient(&id, &[(Some(NHS), number)]), source)]).await
}

#[tokio::test]
async fn all_of_it_is_made_in_the_order_it_was_asked_for() {
    let shelf = Shelf::new().await;
    let (source, reach) = (shelf.by_elsewhere(), of_organisation(shelf.w.elsewhere));
    shelf.put_new(patient("old", &[]), source).await;
    let acts = vec![
        put(patient("new", &[]), source),
        delete("old", source),
        put(resource(ResourceType::Basic, "b", ""), shelf.by_north()),
    ];
    let PlanOutcome::Done(effects) = make(&shelf.w.store, &reach, vec![], acts).await else { panic!("not done") };
    assert!(matches!(&effects[..], [Effect::Stored(_), Effect::Deleted(2), Effect::Stored(_)]), "{effects:?}");
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources WHERE deleted_at IS NULL"), 2);
    assert_eq!((shelf.w.noted(Event::Created).await, shelf.w.noted(Event::Deleted).await), (3, 1));
}

#[tokio::test]
async fn where_one_cannot_be_made_none_is() {
    let shelf = Shelf::new().await;
    let (source, reach) = (shelf.by_elsewhere(), of_organisation(shelf.w.elsewhere));
    shelf.put_new(patient("theirs", &[]), shelf.by_general()).await;
    shelf.put_new(patient("own", &[]), source).await;
    let demanding =
        |version| Act::Put { new: Box::new(patient("own", &[(None, "1")])), source, demand: Demand::Version(version) };
    for (bad, why) in [
        (put(patient("theirs", &[]), source), Hindrance::OtherSource),
        (delete("theirs", source), Hindrance::OtherSource),
        (delete("nobody", source), Hindrance::NotThere),
        (demanding(7), Hindrance::OtherVersion(1)),
    ] {
        let acts = vec![put(patient("first", &[]), source), bad.clone(), put(patient("last", &[]), source)];
        let course = make(&shelf.w.store, &reach, vec![], acts).await;
        assert!(matches!(course, PlanOutcome::Stopped(1, found) if found == why), "{course:?}");
        let course = make(&shelf.w.store, &reach, vec![], vec![bad]).await;
        assert!(matches!(course, PlanOutcome::Stopped(0, found) if found == why), "alone as well: {course:?}");
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources"), 2);
    assert_eq!(shelf.w.noted(Event::Created).await, 2);
}

#[tokio::test]
async fn nothing_is_made_once_a_premise_does_not_hold() {
    let shelf = Shelf::new().await;
    let (source, reach) = (shelf.by_elsewhere(), of_organisation(shelf.w.elsewhere));
    let precondition = |number: &str, found: Option<&str>| {
        vec![Precondition { query: by_number(number), found: found.map(String::from), without: Vec::new() }]
    };
    let act = || vec![put(patient("new", &[(Some(NHS), "2")]), source)];
    shelf.put_new(patient("one", &[(Some(NHS), "1")]), source).await;
    shelf.put_new(patient("theirs", &[(Some(NHS), "2")]), shelf.by_general()).await;
    for moved in [precondition("1", None), precondition("1", Some("other")), precondition("2", Some("theirs"))] {
        assert!(matches!(make(&shelf.w.store, &reach, moved, act()).await, PlanOutcome::Moved));
    }
    let held = [precondition("1", Some("one")), precondition("2", None)].concat();
    assert!(
        matches!(make(&shelf.w.store, &reach, held, act()).await, PlanOutcome::Done(_)),
        "out of reach is not there"
    );
    shelf.put_new(patient("two", &[(Some(NHS), "1")]), source).await;
    assert!(
        matches!(make(&shelf.w.store, &reach, precondition("1", Some("one")), act()).await, PlanOutcome::Moved),
        "now several"
    );
}

/// Criteria in so many different words that the writer of the embedded store does not look for all of them again.
fn in_many_words() -> Vec<Precondition> {
    let (number, name, born) = (("identifier", "1"), ("name", "nobody"), ("birthdate", "1900-01-01"));
    let criteria =
        [vec![number], vec![name], vec![born], vec![number, name], vec![name, born], vec![number, born, name]];
    let queries = criteria.map(|words| reading::read(ResourceType::Patient, words, BASE, NOW.0 * 1000).unwrap());
    queries.map(|query| Precondition { query, found: None, without: Vec::new() }).into()
}

#[tokio::test]
async fn what_was_looked_for_before_the_writers_turn_is_not_looked_for_again_while_nothing_of_it_changes() {
    let shelf = Shelf::new().await;
    let (source, reach) = (shelf.by_elsewhere(), of_organisation(shelf.w.elsewhere));
    let store = &shelf.w.store;
    let is_made = async |since, id: &str| {
        let acts = vec![put(resource(ResourceType::Basic, id, ""), source)];
        let plan = Plan { preconditions: in_many_words(), since, acts };
        match transaction::make(store, reach.clone(), plan, NOW, UPDATED.into()).await.unwrap() {
            PlanOutcome::Done(_) => true,
            PlanOutcome::Moved => false,
            stopped @ (PlanOutcome::Stopped(..) | PlanOutcome::TooLarge) => panic!("{stopped:?}"),
        }
    };
    let before = store.mark();
    // A server shares its looks with nobody, and makes them again each time.
    let is_server = before.is_none();
    assert!(is_made(before, "nothing-changed").await);
    assert!(is_made(before, "another-type-changed").await, "a Basic was made meanwhile");
    assert_eq!(is_made(None, "unknown-when").await, is_server, "so many looks are too much for one writer");
    shelf.put_new(patient("new", &[(Some(NHS), "7")]), source).await;
    assert_eq!(is_made(before, "changed").await, is_server, "a Patient was made meanwhile");
    assert!(is_made(store.mark(), "looked-again").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_forty_who_make_the_same_at_once_one_does() {
    let shelf = Shelf::new().await;
    let (source, reach) = (shelf.by_elsewhere(), of_organisation(shelf.w.elsewhere));
    let store = shelf.w.store.clone();
    let calls = (0..MANY).map(|number| make_unless(store.clone(), source, reach.clone(), format!("p{number}"), "1"));
    let courses = together(calls.collect::<Vec<_>>()).await;
    assert_eq!(how_many(&courses, |course| matches!(course, PlanOutcome::Done(_))), 1);
    assert_eq!(how_many(&courses, |course| matches!(course, PlanOutcome::Moved)), MANY - 1);
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources"), 1);
}

#[tokio::test]
async fn what_is_made_alone_says_the_version_that_it_became_whatever_was_there_before() {
    let shelf = Shelf::new().await;
    let (source, reach) = (shelf.by_elsewhere(), of_organisation(shelf.w.elsewhere));
    let basic = |code: &str| resource(ResourceType::Basic, "b", &format!(r#","code":{{"text":"{code}"}}"#));
    for (version, code) in [(1, "new"), (2, "changed"), (4, "there again")] {
        if version == 4 {
            let act =
                Act::Delete { resource_type: ResourceType::Basic, id: "b".into(), source, demand: Demand::Nothing };
            let PlanOutcome::Done(_) = make(&shelf.w.store, &reach, vec![], vec![act]).await else {
                panic!("not deleted")
            };
        }
        let course = make(&shelf.w.store, &reach, vec![], vec![put(basic(code), source)]).await;
        let PlanOutcome::Done(effects) = course else { panic!("{course:?}") };
        let [Effect::Stored(stored)] = effects.as_slice() else { panic!("{effects:?}") };
        let found = read::read(&shelf.w.store, &reach, ResourceType::Basic, "b", NOW).await.unwrap().unwrap();
        assert_eq!((stored.version, stored.body.as_str()), (version, found.body.as_str()));
        let body: serde_json::Value = serde_json::from_str(&found.body).unwrap();
        assert_eq!(body["meta"]["versionId"], version.to_string());
        assert_eq!(body["meta"]["lastUpdated"], UPDATED);
        assert!(body["meta"]["source"].as_str().unwrap().starts_with("urn:recordgate:organisation:"), "{body}");
        assert_eq!(body["code"]["text"], code);
    }
}
