//! Writes of one resource, which have no savepoint: a group in which one fails is run again, and nobody but that one notices.

use crate::group_commit::{Write, holding, queued};
use crate::home;
use crate::own_parameters::{OWN_ROWS, parameter, with_lot};
use crate::shelf::{UPDATED, of_organisation, resource};
use crate::world::{NOW, World};
use fhir::types::ResourceType;
use rules::reach::Source;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::ledger::{self, Author, Event, LedgerSpan};
use store::write::resource_write::{self, Demand, NewResource};
use store::write::transaction::{self, Act, Plan};
use store::{Store, clients};

/// Resources of these ids cannot be stored, which is known only when they are.
const BROKEN: &str = "CREATE TRIGGER broken AFTER INSERT ON resources WHEN NEW.fhir_id LIKE 'bad%'
    BEGIN SELECT RAISE(FAIL, 'broken on purpose'); END;
    CREATE TRIGGER broken_index BEFORE INSERT ON index_uris WHEN NEW.uri = 'http://x.example/wrong'
    BEGIN SELECT RAISE(FAIL, 'broken on purpose'); END";

async fn broken_world() -> World {
    let w = World::new().await;
    home::beside(w.home.path()).execute_batch(BROKEN).expect("a trigger");
    w
}

/// Two resources, which have a transaction of their own: what is queued behind them is in the next.
async fn boundary(w: &World) -> store::Result<()> {
    let both = ["one", "other"].map(|id| resource(ResourceType::Basic, id, "")).into();
    resource_write::put(&w.store, both, Source::Organisation(w.elsewhere), NOW, UPDATED.into()).await.map(|_| ())
}

/// A write by an operator of this name.
fn put_by<'a>(w: &World, name: &str, new: NewResource) -> Write<'a> {
    let (store, source) = (w.store.by(Author::operator(format!("by-{name}"))), Source::Organisation(w.elsewhere));
    queued(async move { resource_write::put(&store, vec![new], source, NOW, UPDATED.into()).await.map(|_| ()) })
}

fn put<'a>(w: &World, id: &str) -> Write<'a> {
    put_by(w, id, resource(ResourceType::Basic, id, ""))
}

/// The same by a plan of one act.
fn make_by<'a>(w: &World, name: &str, act: Act) -> Write<'a> {
    let (store, reach) = (w.store.by(Author::operator(format!("by-{name}"))), of_organisation(w.elsewhere));
    let plan = Plan { acts: vec![act], ..Plan::default() };
    queued(async move { transaction::make(&store, reach, plan, NOW, UPDATED.into()).await.map(|_| ()) })
}

fn made<'a>(w: &World, id: &str) -> Write<'a> {
    let (new, source) = (Box::new(resource(ResourceType::Basic, id, "")), Source::Organisation(w.elsewhere));
    make_by(w, id, Act::Put { new, source, demand: Demand::Nothing })
}

fn deleted<'a>(w: &World, resource_type: ResourceType, id: &str) -> Write<'a> {
    let (id, source) = (id.to_owned(), Source::Organisation(w.elsewhere));
    make_by(w, &id.clone(), Act::Delete { resource_type, id, source, demand: Demand::Nothing })
}

/// What the ledger has of the resources, each with the operator who did it.
async fn told(store: &Store) -> Vec<(Event, String, String)> {
    ledger::add(store, NOW).await.expect("what waits is added");
    let mut lines = Vec::new();
    let keep = |line: ledger::NamedLine| {
        if let (Some(detail), Some(operator)) = (line.detail, line.operator) {
            lines.push((line.event, detail, operator));
        }
        true
    };
    let of_resources = |line: &ledger::Line| matches!(line.event, Event::Created | Event::Updated | Event::Deleted);
    ledger::each(store, LedgerSpan::ALL, of_resources, keep).await.expect("the ledger");
    lines
}

fn line(event: Event, id: &str, version: &str) -> (Event, String, String) {
    (event, format!("Basic/{id}{version}"), format!("by-{id}"))
}

#[tokio::test]
async fn a_create_that_fails_half_way_is_undone_alone_and_the_others_are_there_with_one_line_each() {
    let w = broken_world().await;
    let earlier = w.store.figures().await.groups.expect("groups");
    let (hold, let_go) = holding(&w);
    let boundary = queued(boundary(&w));
    let before = [put(&w, "a"), made(&w, "b"), deleted(&w, ResourceType::Basic, "a")];
    let bad = [put(&w, "bad-1"), made(&w, "bad-2")];
    let behind = [put(&w, "c"), made(&w, "d")];
    let_go.send(()).unwrap();
    for write in [hold, boundary].into_iter().chain(before).chain(behind) {
        write.await.expect("a good write");
    }
    for write in bad {
        let why = write.await.expect_err("a write that cannot be made");
        assert!(why.to_string().contains("broken on purpose"), "{why}");
    }
    let groups = w.store.figures().await.groups.expect("groups");
    assert_eq!((groups.count() - earlier.count(), groups.sum - earlier.sum), (3, 9), "each write is counted once");
    let expected = [
        line(Event::Created, "a", ""),
        line(Event::Created, "b", ""),
        line(Event::Deleted, "a", "/_history/2"),
        line(Event::Created, "c", ""),
        line(Event::Created, "d", ""),
    ];
    assert_eq!(told(&w.store).await, expected, "each once, and as its author's");
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM resources"), 6);
    assert_eq!(w.count("SELECT count(*) FROM resources WHERE version = 1"), 5, "none is stored twice");
    assert_eq!(w.count("SELECT count(*) FROM resources WHERE fhir_id LIKE 'bad%'"), 0);
    assert_eq!(w.count("SELECT count(*) FROM index_uris u WHERE u.resource_id NOT IN (SELECT id FROM resources)"), 0);
}

#[tokio::test]
async fn a_change_that_cannot_be_made_twice_is_made_once_beside_creates_that_fail() {
    let w = broken_world().await;
    let (hold, let_go) = holding(&w);
    let boundary = queued(boundary(&w));
    let changes = Arc::new(AtomicUsize::new(0));
    let counted = changes.clone();
    let good = put(&w, "a");
    let bad = made(&w, "bad-1");
    let store = w.store.clone();
    let change = queued(async move {
        let count = move |_: &mut _| {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        clients::change(&store, "letters".into(), count, NOW).await.map(|_| ())
    });
    let worse = put(&w, "bad-2");
    let_go.send(()).unwrap();
    for write in [hold, boundary, good, change] {
        write.await.expect("a good write");
    }
    for write in [bad, worse] {
        write.await.expect_err("a write that cannot be made");
    }
    assert_eq!(changes.load(Ordering::Relaxed), 1);
    assert_eq!(told(&w.store).await, [line(Event::Created, "a", "")]);
}

fn lot(id: &str) -> NewResource {
    parameter(id, ("Observation", id, "string"), "Observation.extension('http://x.example/lot').value.ofType(string)")
}

#[tokio::test]
async fn a_definition_that_was_taken_back_or_deleted_is_known_to_no_write_behind_it() {
    for is_apart in [true, false] {
        let w = broken_world().await;
        let (hold, let_go) = holding(&w);
        // In the group of the hold, which cannot be run again, they have savepoints.
        let mut good = vec![hold];
        if is_apart {
            good.push(queued(boundary(&w)));
        }
        good.push(put_by(&w, "before", with_lot("before", "seal")));
        let bad = put_by(&w, "wrong", lot("wrong"));
        good.push(put_by(&w, "behind", with_lot("behind", "seal")));
        let_go.send(()).unwrap();
        for write in good {
            write.await.expect("a good write");
        }
        bad.await.expect_err("a definition whose row of the index cannot be written");
        assert_eq!((w.count("SELECT count(*) FROM own_parameters"), w.count(OWN_ROWS)), (0, 0));

        let (hold, let_go) = holding(&w);
        let mut writes = vec![hold];
        if is_apart {
            writes.push(queued(boundary(&w)));
        }
        writes.push(put_by(&w, "early", with_lot("early", "seal")));
        writes.push(put_by(&w, "lot", lot("lot")));
        writes.push(put_by(&w, "known", with_lot("known", "seal")));
        writes.push(deleted(&w, ResourceType::SearchParameter, "lot"));
        writes.push(put_by(&w, "late", with_lot("late", "seal")));
        let_go.send(()).unwrap();
        for write in writes {
            write.await.expect("a good write");
        }
        let own = "SELECT count(DISTINCT r.fhir_id) FROM index_texts t JOIN resources r ON r.id = t.resource_id
            WHERE t.parameter >= 262144 AND r.fhir_id = 'known'";
        assert_eq!((w.count(own), w.count(OWN_ROWS)), (1, 1), "that which was written while it was defined");
    }
}
