//! What is remembered of records and clients is never older than the last acknowledged change, and never for others.

use crate::shelf::{Shelf, letter, of_organisation, of_teams, resource};
use crate::world::{NORTH, NOW, SOUTH, World};
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::ids::ViewerId;
use rules::reach::{Reach, Right};
use std::sync::Arc;
use store::clients;
use store::read::read;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;
use store::write::resource_write::NewResource;

fn amina(active: bool) -> NewResource {
    resource(ResourceType::Patient, "amina", &format!(r#","active":{active}"#))
}

async fn version(shelf: &Shelf, reach: &Reach) -> Option<i64> {
    read(&shelf.w.store, reach, ResourceType::Patient, "amina", NOW).await.unwrap().map(|found| found.version)
}

/// What a search for her, of those who are active or of those who are not, finds.
async fn found(shelf: &Shelf, reach: &Reach, active: &str) -> Option<Arc<Resource>> {
    let parameters = [("_id", "amina"), ("active", active)];
    let query = reading::read(ResourceType::Patient, parameters, "https://records.example/fhir", 0).unwrap();
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 2 };
    let page = post_filter::page(&shelf.w.store, reach, &search, NOW).await.unwrap();
    page.entries.into_iter().next().map(|one| one.resource)
}

#[tokio::test]
async fn the_very_next_search_finds_an_acknowledged_version_for_every_searcher() {
    let shelf = Shelf::new().await;
    let searchers = [Reach::of_patient(shelf.amina), of_teams(&[shelf.w.north]), of_organisation(shelf.w.elsewhere)];
    for next in 1..=6 {
        let is_active = next % 2 == 0;
        shelf.put(amina(is_active), shelf.by_elsewhere()).await;
        for _again in 0..2 {
            for reach in &searchers {
                let found_active = found(&shelf, reach, "true").await;
                let found_other = found(&shelf, reach, "false").await;
                let (found, other) = if is_active { (found_active, found_other) } else { (found_other, found_active) };
                let found = found.unwrap_or_else(|| panic!("{reach:?} finds nothing"));
                assert_eq!((found.version, other.map(|other| other.version)), (next, None), "{reach:?}");
                assert!(found.body.contains(&format!(r#""active":{is_active}"#)), "{}", found.body);
            }
        }
    }
}

#[tokio::test]
async fn what_one_searcher_found_is_told_to_the_next_by_the_right_and_the_eyes_of_the_next() {
    let shelf = Shelf::new().await;
    shelf.put(amina(true), shelf.by_elsewhere()).await;
    let (north, elsewhere) = (ViewerId::from(shelf.w.north), ViewerId::from(shelf.w.elsewhere));
    for _again in 0..2 {
        for (reach, viewer) in [
            (Reach::of_patient(shelf.amina), None),
            (of_teams(&[shelf.w.north]), Some(north)),
            (of_organisation(shelf.w.elsewhere), Some(elsewhere)),
        ] {
            let found = found(&shelf, &reach, "true").await.unwrap_or_else(|| panic!("{reach:?} finds nothing"));
            assert_eq!((found.viewer, found.right == Right::Own), (viewer, viewer.is_none()), "{reach:?}");
        }
        for reach in [Reach::of_patient(shelf.eva), of_teams(&[shelf.w.south]), of_organisation(shelf.general)] {
            assert!(found(&shelf, &reach, "true").await.is_none(), "{reach:?}");
        }
    }
}

#[tokio::test]
async fn the_very_next_read_shows_an_acknowledged_version_to_every_reader() {
    let shelf = Shelf::new().await;
    let readers = [Reach::of_patient(shelf.amina), of_teams(&[shelf.w.north]), of_organisation(shelf.w.elsewhere)];
    for next in 1..=6 {
        shelf.put(amina(next % 2 == 0), shelf.by_elsewhere()).await;
        for _again in 0..2 {
            for reach in &readers {
                assert_eq!(version(&shelf, reach).await, Some(next), "{reach:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_one_caller_has_read_is_not_thereby_in_the_reach_of_another() {
    let shelf = Shelf::new().await;
    shelf.put(amina(true), shelf.by_elsewhere()).await;
    for reach in [Reach::of_patient(shelf.amina), of_teams(&[shelf.w.north]), of_organisation(shelf.w.elsewhere)] {
        assert_eq!(version(&shelf, &reach).await, Some(1));
        assert_eq!(version(&shelf, &Reach::of_patient(shelf.eva)).await, None);
        assert_eq!(version(&shelf, &of_teams(&[shelf.w.south])).await, None);
        assert_eq!(version(&shelf, &of_organisation(shelf.general)).await, None);
    }
}

#[tokio::test]
async fn the_record_of_a_patient_who_leaves_a_team_is_out_of_its_reach_at_once() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    let version = async |shelf: &Shelf, reach: &Reach| {
        let found = read(&shelf.w.store, reach, ResourceType::DocumentReference, "letter", NOW).await.unwrap();
        found.map(|found| found.version)
    };
    let (north, south) = (of_teams(&[shelf.w.north]), of_teams(&[shelf.w.south]));
    for _turn in 0..4 {
        shelf.register_amina(&[NORTH]).await;
        assert_eq!((version(&shelf, &north).await, version(&shelf, &south).await), (Some(1), None));
        shelf.register_amina(&[SOUTH]).await;
        assert_eq!((version(&shelf, &north).await, version(&shelf, &south).await), (None, Some(1)));
    }
}

#[tokio::test]
async fn the_very_next_look_at_a_client_shows_an_acknowledged_change() {
    let w = World::new().await;
    for turn in 0..20 {
        let at = (turn % 2 == 0).then_some(NOW);
        clients::change(&w.store, "sleep-diary".into(), move |client| client.disabled_at = at, NOW).await.unwrap();
        for _again in 0..2 {
            assert_eq!(w.client("sleep-diary").await.disabled_at, at);
        }
    }
}
