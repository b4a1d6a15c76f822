//! Opened twice, read anew twice, killed between the two: always the same in the end.

use crate::home::Home;
use crate::reader::{NOW, RESOURCES, read_anew, served};
use fhir::types::ResourceType;
use rules::reach::{Reach, Right};
use store::{Store, moving, organisations, patients, read};

/// Every row of every table, but for the number of nodes that started.
fn all(home: &Home) -> Vec<String> {
    let mut all = Vec::new();
    for table in moving::tables().unwrap() {
        let columns: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
        let rows = home.rows(&format!("SELECT {} FROM {}", columns.join(", "), table.name));
        all.extend(rows.into_iter().map(|row| format!("{} {row}", table.name)));
    }
    all.retain(|row| !["settings nodes-started", "settings store-id"].iter().any(|own| row.starts_with(own)));
    all
}

#[tokio::test]
async fn opening_and_reading_anew_a_second_time_changes_nothing() {
    for home in Home::released().await {
        drop(served(&home).await);
        let once = all(&home);
        let store = home.open().await;
        assert_eq!(read_anew(&store).await, 0);
        assert_eq!(all(&home), once);
    }
}

/// Nobody knows yet of what was not read anew whether it is a draft, or held back.
#[tokio::test]
async fn a_store_that_was_stopped_before_it_read_anew_shows_its_records_to_nobody_and_then_goes_on() {
    for home in Home::released().await {
        drop(home.open().await);
        assert_eq!(home.count("SELECT count(*) FROM resources WHERE needs < 0"), 18);
        let store = home.open().await;
        let (amina, clinic) = (own(&store).await, clinic(&store).await);
        for (resource_type, id) in
            [(ResourceType::Observation, "sleep-1"), (ResourceType::DocumentReference, "letter-1")]
        {
            let right = async |reach: &Reach| {
                read::read(&store, reach, resource_type, id, NOW).await.unwrap().map(|found| found.right)
            };
            assert_eq!((right(&amina).await, right(&clinic).await), (None, None), "{id}");
        }
        assert_eq!(read_anew(&store).await, RESOURCES);
        for (id, expected) in [("sleep-1", Right::Source), ("sleep-2", Right::Source)] {
            let found = read::read(&store, &clinic, ResourceType::Observation, id, NOW).await.unwrap();
            assert_eq!(found.map(|found| found.right), Some(expected), "{id}");
        }
        let letter = read::read(&store, &clinic, ResourceType::DocumentReference, "letter-1", NOW).await.unwrap();
        assert_eq!(letter.map(|found| found.right), Some(Right::Consent));
    }
}

#[tokio::test]
async fn a_store_that_was_stopped_while_it_read_anew_ends_as_one_that_was_not() {
    for home in Home::released().await {
        drop(served(&home).await);
        let whole = all(&home);
        home.run(
            "UPDATE resources SET needs = -1 WHERE id % 3 = 0;
            DELETE FROM tokens WHERE resource_id IN (SELECT id FROM resources WHERE needs < 0);
            DELETE FROM compartments WHERE resource_id IN (SELECT id FROM resources WHERE needs < 0)",
        )
        .await
        .unwrap();
        let left = home.count("SELECT count(*) FROM resources WHERE needs < 0").unsigned_abs();
        assert!((1..RESOURCES).contains(&left));
        let store = home.open().await;
        assert_eq!(read_anew(&store).await, left);
        assert_eq!(all(&home), whole);
    }
}

#[tokio::test]
async fn two_nodes_that_start_together_read_every_resource_anew_once() {
    let [_, home] = Home::released().await;
    let (one, other) = tokio::join!(home.open(), home.open());
    let (by_one, by_other) = tokio::join!(read_anew(&one), read_anew(&other));
    assert_eq!(by_one + by_other, RESOURCES);
    let both = all(&home);
    let [_, alone] = Home::released().await;
    drop(served(&alone).await);
    assert_eq!(without_new_numbers(both), without_new_numbers(all(&alone)));
}

/// Words are numbered in the order in which nodes come by them, and contents by whichever node takes them out.
fn without_new_numbers(rows: Vec<String>) -> Vec<String> {
    let is_numbered = |row: &String| row.starts_with("contents ") || row.starts_with("content_pieces ");
    let kept = rows.into_iter().filter(|row| !row.starts_with("words ") && !row.starts_with("tokens "));
    let kept = kept.map(|row| match row.split_once('|').filter(|_| is_numbered(&row)) {
        Some((_, rest)) => rest.to_owned(),
        None => row,
    });
    let mut kept: Vec<String> = kept.collect();
    kept.sort_unstable();
    kept
}

async fn own(store: &Store) -> Reach {
    Reach::of_patient(patients::find(store, "amina-osei").await.unwrap().unwrap())
}

async fn clinic(store: &Store) -> Reach {
    let teams = organisations::list_teams(store).await.unwrap();
    let clinic = teams.iter().find(|team| team.name == "Sleep Clinic").unwrap().id;
    Reach::of_teams(vec![clinic])
}
