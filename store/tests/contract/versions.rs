//! Versions: what a resource was, for those who may see it as it is and whose record it then was.

use crate::shelf::{Shelf, of_organisation, resource};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::reach::Reach;
use store::history::versions::{history, read};
use store::history::window::HistoryWindow;
use store::write::resource_write::{NewResource, Outcome};

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
