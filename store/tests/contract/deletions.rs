//! Deleting: one version more, which says so; nothing finds the resource, and its past shows to the same viewers.

use crate::shelf::{Shelf, delete, of_organisation, of_teams, patient, reread, resource};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::reach::Reach;
use std::sync::Arc;
use store::checks;
use store::history::versions::{deletion, history, read};
use store::history::window::HistoryWindow;
use store::ledger::{self, Event, LedgerSpan, NamedLine};
use store::write::resource_write::{Demand, NewResource, Outcome};
use store::write::transaction::Hindrance;

const VISIT: (ResourceType, &str) = (ResourceType::Appointment, "visit");

/// An appointment of Amina's and Eva's.
fn visit() -> NewResource {
    let actors = r#"{"actor":{"reference":"Patient/amina"}},{"actor":{"reference":"Patient/eva"}}"#;
    resource(VISIT.0, VISIT.1, &format!(r#","participant":[{actors}]"#))
}

async fn delete_visit(shelf: &Shelf, demand: Demand) -> Result<i64, Hindrance> {
    let visit = (VISIT.0, VISIT.1.to_owned());
    delete(&shelf.w.store, visit, shelf.by_elsewhere(), demand, NOW.plus_seconds(9)).await
}

async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    shelf.put_new(visit(), shelf.by_elsewhere()).await;
    shelf
}

async fn faults(shelf: &Shelf) -> Vec<String> {
    let mut faults = Vec::new();
    let mut tell = |check: &'static str, fault: &checks::Fault| {
        faults.push(format!("{check} {}: {}", fault.at, fault.problem));
    };
    let place = shelf.w.home.place();
    checks::run(&place, Arc::new(reread), None, &mut tell, &mut |_, _, _| ()).await.unwrap();
    faults
}

#[tokio::test]
async fn what_is_deleted_is_read_by_nobody_and_told_to_those_who_saw_it() {
    let shelf = shelf().await;
    let readers = shelf.readers_of(VISIT.0, VISIT.1).await;
    assert_eq!(readers, ["amina", "eva", "north", "south and east", "elsewhere"]);
    assert_eq!(delete_visit(&shelf, Demand::Nothing).await, Ok(2));
    assert!(shelf.readers_of(VISIT.0, VISIT.1).await.is_empty());
    for (name, reach) in shelf.reaches() {
        let told = deletion(&shelf.w.store, &reach, VISIT, NOW).await.unwrap();
        assert_eq!(told.is_some(), readers.contains(&name), "{name}");
        let versions: Vec<(i64, bool)> =
            history(&shelf.w.store, &reach, VISIT, (&HistoryWindow::ALL, i64::MAX, 9), NOW)
                .await
                .unwrap()
                .entries
                .iter()
                .map(|version| (version.version, version.is_deleted))
                .collect();
        let expected: &[(i64, bool)] = if readers.contains(&name) { &[(2, true), (1, false)] } else { &[] };
        assert_eq!(versions, expected, "{name}");
        let first = read(&shelf.w.store, &reach, VISIT, 1, NOW).await.unwrap();
        assert_eq!(first.is_some(), readers.contains(&name), "{name}");
    }
    assert_eq!(delete_visit(&shelf, Demand::Nothing).await, Ok(2));
}

#[tokio::test]
async fn only_the_source_deletes_and_only_what_it_demands() {
    let shelf = shelf().await;
    let visit = || (VISIT.0, VISIT.1.to_owned());
    let other = delete(&shelf.w.store, visit(), shelf.by_east(), Demand::Nothing, NOW).await;
    assert_eq!(other, Err(Hindrance::OtherSource));
    assert_eq!(delete_visit(&shelf, Demand::Version(2)).await, Err(Hindrance::OtherVersion(1)));
    let nobody = (VISIT.0, "nobody".to_owned());
    let absent = delete(&shelf.w.store, nobody, shelf.by_elsewhere(), Demand::Nothing, NOW).await;
    assert_eq!(absent, Err(Hindrance::NotThere));
    assert_eq!(shelf.readers_of(VISIT.0, VISIT.1).await.len(), 5);
    assert_eq!(delete_visit(&shelf, Demand::Version(1)).await, Ok(2));
}

#[tokio::test]
async fn nothing_finds_a_deleted_patient() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[(None, "N-1")]), shelf.by_elsewhere()).await;
    let (source, token, id) = (of_organisation(shelf.w.elsewhere), ("identifier", "N-1"), ("_id", "amina"));
    assert_eq!(shelf.found(&source, &[token, id]).await, ["amina"]);
    let amina = (ResourceType::Patient, "amina".to_owned());
    delete(&shelf.w.store, amina, shelf.by_elsewhere(), Demand::Nothing, NOW).await.unwrap();
    for reach in [source, of_teams(&[shelf.w.north]), Reach::of_patient(shelf.amina)] {
        for parameters in [&[token][..], &[id], &[token, id]] {
            assert!(shelf.found(&reach, parameters).await.is_empty());
        }
    }
}

#[tokio::test]
async fn its_source_stores_it_again_as_the_version_after() {
    let shelf = shelf().await;
    delete_visit(&shelf, Demand::Nothing).await.unwrap();
    assert_eq!(shelf.put(visit(), shelf.by_east()).await.outcome, Outcome::OtherSource);
    let again = shelf.put(visit(), shelf.by_elsewhere()).await;
    assert_eq!((again.outcome, again.is_new), (Outcome::Version(3), true));
    assert_eq!(shelf.readers_of(VISIT.0, VISIT.1).await.len(), 5);
    let source = of_organisation(shelf.w.elsewhere);
    let marks: Vec<bool> = history(&shelf.w.store, &source, VISIT, (&HistoryWindow::ALL, i64::MAX, 9), NOW)
        .await
        .unwrap()
        .entries
        .iter()
        .map(|version| version.is_deleted)
        .collect();
    assert_eq!(marks, [false, true, false]);
    assert!(deletion(&shelf.w.store, &source, VISIT, NOW).await.unwrap().is_none());
}

#[tokio::test]
async fn a_store_with_deletions_is_found_whole_and_a_forged_one_is_not() {
    let shelf = shelf().await;
    delete_visit(&shelf, Demand::Nothing).await.unwrap();
    assert_eq!(faults(&shelf).await, Vec::<String>::new());
    shelf.put(visit(), shelf.by_elsewhere()).await;
    assert_eq!(faults(&shelf).await, Vec::<String>::new());
    delete_visit(&shelf, Demand::Nothing).await.unwrap();
    shelf.w.home.run("UPDATE resources SET deleted_at = NULL");
    let found = faults(&shelf).await;
    assert!(found.iter().any(|fault| fault.starts_with("records Appointment/visit")), "{found:?}");
    let source = of_organisation(shelf.w.elsewhere);
    assert!(store::read::read(&shelf.w.store, &source, VISIT.0, VISIT.1, NOW).await.is_err(), "and never answered by");
}

#[tokio::test]
async fn a_deletion_is_a_line_for_each_patient() {
    let shelf = shelf().await;
    delete_visit(&shelf, Demand::Nothing).await.unwrap();
    ledger::add(&shelf.w.store, NOW.plus_seconds(9)).await.unwrap();
    let mut told = Vec::new();
    let keep = |line: NamedLine| {
        if line.event == Event::Deleted {
            told.push((line.patient.unwrap_or_default(), line.detail.unwrap_or_default()));
        }
        true
    };
    ledger::each(&shelf.w.store, LedgerSpan::ALL, |_| true, keep).await.unwrap();
    let detail = || "Appointment/visit/_history/2".to_owned();
    assert_eq!(told, [("amina".to_owned(), detail()), ("eva".to_owned(), detail())]);
}
