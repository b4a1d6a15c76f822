//! What is remembered of records and clients is never older than the last acknowledged change, and never for others.

use crate::shelf::{Shelf, of_organisation, of_teams, resource};
use crate::world::{NORTH, NOW, SOUTH, World};
use fhir::types::ResourceType;
use rules::reach::Reach;
use store::clients;
use store::read::read;
use store::write::NewResource;

fn amina(active: bool) -> NewResource {
    resource(ResourceType::Patient, "amina", &format!(r#","active":{active}"#))
}

async fn version(shelf: &Shelf, reach: &Reach) -> Option<i64> {
    read(&shelf.w.store, reach, ResourceType::Patient, "amina", NOW).await.unwrap().map(|found| found.version)
}

#[tokio::test]
async fn the_very_next_read_shows_an_acknowledged_version_to_every_reader() {
    let shelf = Shelf::new().await;
    let readers = [Reach::Own(shelf.amina), of_teams(&[shelf.w.north]), of_organisation(shelf.w.elsewhere)];
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
    for reach in [Reach::Own(shelf.amina), of_teams(&[shelf.w.north]), of_organisation(shelf.w.elsewhere)] {
        assert_eq!(version(&shelf, &reach).await, Some(1));
        assert_eq!(version(&shelf, &Reach::Own(shelf.eva)).await, None);
        assert_eq!(version(&shelf, &of_teams(&[shelf.w.south])).await, None);
        assert_eq!(version(&shelf, &of_organisation(shelf.general)).await, None);
    }
}

#[tokio::test]
async fn a_patient_who_leaves_a_team_is_out_of_its_reach_at_once() {
    let shelf = Shelf::new().await;
    shelf.put(amina(true), shelf.by_elsewhere()).await;
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
