//! Versions: what a resource was, for those who may see it as it is and whose record it then was.

use crate::shelf::{Shelf, delete, of_organisation, resource};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use store::history::versions::{history, read};
use store::history::window::HistoryWindow;
use store::write::resource_write::{Demand, NewResource, Outcome};

const VISIT: (ResourceType, &str) = (ResourceType::Appointment, "visit");

/// An appointment of these patients.
fn visit(patients: &[&str]) -> NewResource {
    let actors = patients.iter().map(|patient| format!(r#"{{"actor":{{"reference":"Patient/{patient}"}}}}"#));
    let actors = actors.collect::<Vec<_>>().join(",");
    resource(VISIT.0, VISIT.1, &format!(r#","participant":[{actors}]"#))
}

/// An appointment that was first Amina's, then hers and Eva's, then Eva's.
async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    for (version, patients) in [(1, &["amina"][..]), (2, &["amina", "eva"]), (3, &["eva"])] {
        let stored = shelf.put_at(visit(patients), shelf.by_elsewhere(), NOW.plus_seconds(version)).await;
        assert_eq!(stored.outcome, Outcome::Version(version));
    }
    shelf
}

async fn versions(shelf: &Shelf, reach: &Reach, page: (i64, i64)) -> Vec<i64> {
    let found = history(&shelf.w.store, reach, VISIT, (&HistoryWindow::ALL, page.0, page.1), NOW).await.unwrap();
    found.entries.iter().map(|resource| resource.version).collect()
}

#[tokio::test]
async fn a_history_is_newest_first_and_in_pages() {
    let shelf = shelf().await;
    let source = of_organisation(shelf.w.elsewhere);
    assert_eq!(versions(&shelf, &source, (i64::MAX, 10)).await, [3, 2, 1]);
    assert_eq!(versions(&shelf, &source, (i64::MAX, 2)).await, [3, 2]);
    assert_eq!(versions(&shelf, &source, (2, 2)).await, [1]);
    assert!(versions(&shelf, &source, (1, 2)).await.is_empty());
}

#[tokio::test]
async fn each_version_is_read_as_it_was() {
    let shelf = shelf().await;
    let source = of_organisation(shelf.w.elsewhere);
    for (version, patient) in [(1, shelf.amina), (2, shelf.amina), (3, shelf.eva)] {
        let found = read(&shelf.w.store, &source, VISIT, version, NOW).await.unwrap().expect("a version");
        assert_eq!((found.version, found.updated_at), (version, NOW.plus_seconds(version)));
        assert!(found.body.contains(&format!(r#""versionId":"{version}""#)), "{}", found.body);
        assert_eq!(found.patient, Some(patient));
    }
    for version in [0, 4, -1] {
        assert!(read(&shelf.w.store, &source, VISIT, version, NOW).await.unwrap().is_none(), "{version}");
    }
}

#[tokio::test]
async fn a_version_shows_to_those_whose_record_it_was_in() {
    let shelf = shelf().await;
    assert_eq!(
        versions(&shelf, &Reach::of_patient(shelf.eva), (i64::MAX, 10)).await,
        [3, 2],
        "the first was Amina's alone"
    );
    let of_amina = versions(&shelf, &Reach::of_patient(shelf.amina), (i64::MAX, 10)).await;
    assert_eq!(of_amina, [2, 1], "it has left her record, and what it was in it stays");
    let general = of_organisation(shelf.general);
    assert!(versions(&shelf, &general, (i64::MAX, 10)).await.is_empty(), "an association shows no appointment");
    let mut readers = Vec::new();
    for (name, reach) in shelf.reaches() {
        if read(&shelf.w.store, &reach, VISIT, 2, NOW).await.unwrap().is_some() {
            readers.push(name);
        }
    }
    assert_eq!(readers, ["amina", "eva", "north", "south and east", "elsewhere"]);
}

/// The moment and the words of what is stored next, an hour before `NOW` by the clock.
async fn set_back(shelf: &Shelf, new: NewResource) -> (Moment, String) {
    let stored = shelf.put_at(new, shelf.by_elsewhere(), NOW.plus_seconds(-3600)).await;
    (stored.updated_at, stored.body)
}

#[tokio::test]
async fn a_clock_that_is_set_back_makes_no_version_older_than_the_one_before_it_or_than_the_newest() {
    let mut shelf = Shelf::new().await;
    shelf.put(visit(&["amina"]), shelf.by_elsewhere()).await;
    let (second, body) = set_back(&shelf, visit(&["amina", "eva"])).await;
    assert_eq!(second, Moment(NOW.0 + 1));
    assert!(body.contains(r#""lastUpdated":"2027-01-15T08:00:00.001Z""#), "{body}");
    let other = resource(VISIT.0, "other", "");
    assert_eq!(set_back(&shelf, other).await.0, second, "not before the newest of the store");
    shelf.w = shelf.w.reopened().await;
    let another = resource(VISIT.0, "another", "");
    assert_eq!(set_back(&shelf, another).await.0, second, "nor after a restart");
    assert_eq!(set_back(&shelf, visit(&["eva"])).await.0, Moment(second.0 + 1));
    let (named, before) = ((VISIT.0, VISIT.1.to_owned()), NOW.plus_seconds(-3600));
    let deleted = delete(&shelf.w.store, named, shelf.by_elsewhere(), Demand::Nothing, before).await;
    assert_eq!(deleted.ok(), Some(4));
    let moment = shelf.w.count("SELECT updated_at FROM resources WHERE fhir_id = 'visit'");
    assert_eq!(moment, second.0 + 2, "a deletion is a version");
    let later = shelf.put_at(visit(&["amina"]), shelf.by_elsewhere(), NOW.plus_seconds(60)).await;
    assert_eq!(later.updated_at, NOW.plus_seconds(60), "the clock has caught up");
}
