//! What is remembered of records and clients is never older than the last acknowledged change, and never for others.

use crate::shelf::{Shelf, patient};
use crate::world::{NORTH, NOW, SOUTH, World, user};
use rules::reach::Reach;
use rules::scope::UserType;
use store::records;
use store::writing::NewResource;
use store::{clients, world};

fn amina(active: bool) -> NewResource {
    let mut new = patient("amina", &[]);
    new.body.after = format!("}},\"active\":{active}}}");
    new
}

async fn version(shelf: &Shelf, reach: &Reach) -> Option<i64> {
    records::read(&shelf.w.store, reach, "Patient", "amina").await.unwrap().map(|found| found.version)
}

async fn register(shelf: &Shelf, teams: &[&str]) {
    let users = vec![user("amina", UserType::Patient, Some("amina"), teams)];
    let declared = world::World { users, ..Default::default() };
    world::apply(&shelf.w.store, declared, NOW).await.unwrap();
}

#[tokio::test]
async fn the_very_next_read_shows_an_acknowledged_version_to_every_reader() {
    let shelf = Shelf::new().await;
    let readers = [Reach::Patient("amina".into()), Reach::Teams(vec![shelf.w.north])];
    for next in 1..=6 {
        shelf.put(amina(next % 2 == 0), shelf.of_elsewhere()).await;
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
    shelf.put(amina(true), shelf.of_elsewhere()).await;
    for reach in [Reach::Patient("amina".into()), Reach::Teams(vec![shelf.w.north])] {
        assert_eq!(version(&shelf, &reach).await, Some(1));
        assert_eq!(version(&shelf, &Reach::Patient("eva".into())).await, None);
        assert_eq!(version(&shelf, &Reach::Teams(vec![shelf.w.south])).await, None);
        assert_eq!(version(&shelf, &Reach::Organisation(shelf.general)).await, None);
    }
}

#[tokio::test]
async fn a_patient_who_leaves_a_team_is_out_of_its_reach_at_once() {
    let shelf = Shelf::new().await;
    shelf.put(amina(true), shelf.of_elsewhere()).await;
    let (north, south) = (Reach::Teams(vec![shelf.w.north]), Reach::Teams(vec![shelf.w.south]));
    for _turn in 0..4 {
        register(&shelf, &[NORTH]).await;
        assert_eq!((version(&shelf, &north).await, version(&shelf, &south).await), (Some(1), None));
        register(&shelf, &[SOUTH]).await;
        assert_eq!((version(&shelf, &north).await, version(&shelf, &south).await), (None, Some(1)));
    }
}

#[tokio::test]
async fn the_very_next_look_at_a_client_shows_an_acknowledged_change() {
    let w = World::new().await;
    for turn in 0..20 {
        let at = (turn % 2 == 0).then_some(NOW);
        clients::change(&w.store, "sleep-diary".into(), move |client| client.disabled_at = at).await.unwrap();
        for _again in 0..2 {
            assert_eq!(w.client("sleep-diary").await.disabled_at, at);
        }
    }
}
