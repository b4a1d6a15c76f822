//! Reach: who sees what, on reading, on searching, and of a Binary through its document.

use crate::shelf::{NHS, Shelf, asked, letter, patient, resource};
use crate::world::NOW;
use rules::reach::Reach;
use store::records;
use store::searching::SystemAsked;
use store::writing::From;

#[tokio::test]
async fn a_patients_record_is_read_by_the_patient_the_patients_team_and_its_source_alone() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.of_elsewhere()).await;
    shelf.put_new(patient("eva", &[]), shelf.of_general()).await;
    assert_eq!(shelf.readers_of("Patient", "amina").await, ["amina", "north", "elsewhere"]);
    assert_eq!(shelf.readers_of("Patient", "eva").await, ["eva", "south and east", "general"]);
    assert!(shelf.readers_of("Patient", "nobody").await.is_empty());
    assert!(shelf.readers_of("DocumentReference", "amina").await.is_empty(), "another type is another resource");
}

#[tokio::test]
async fn what_another_organisation_wrote_about_a_patient_is_the_patients_and_the_teams_but_not_this_organisations() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.of_general()).await;
    assert_eq!(shelf.readers_of("DocumentReference", "letter").await, ["amina", "north", "general"]);
}

#[tokio::test]
async fn what_a_patient_wrote_belongs_to_no_organisation() {
    let shelf = Shelf::new().await;
    let own = From { patient: Some("amina".into()), ..From::default() };
    shelf.put_new(letter("diary", "amina", "d-1", "scan"), own).await;
    assert_eq!(shelf.readers_of("DocumentReference", "diary").await, ["amina", "north"]);
}

#[tokio::test]
async fn what_belongs_to_no_patient_is_its_organisations_alone() {
    let shelf = Shelf::new().await;
    shelf.put_new(resource("Practitioner", "dr-who", None, vec![]), shelf.of_elsewhere()).await;
    assert_eq!(shelf.readers_of("Practitioner", "dr-who").await, ["elsewhere"]);
}

#[tokio::test]
async fn a_team_whose_number_is_part_of_anothers_does_not_reach_the_others_patients() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.of_elsewhere()).await;
    let north = shelf.w.north.to_string();
    let (head, tail) = north.split_at(north.len() / 2);
    let parts = [&north[1..], &north[..north.len() - 1], head, tail];
    let parts = Reach::Teams(parts.iter().map(|part| part.parse().expect("digits")).collect());
    assert!(records::read(&shelf.w.store, &parts, "Patient", "amina").await.unwrap().is_none());
}

#[tokio::test]
async fn a_registration_that_ends_takes_the_record_out_of_the_teams_reach() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.of_elsewhere()).await;
    let users = vec![crate::world::user("amina", rules::scope::UserType::Patient, Some("amina"), &[])];
    let declared = store::world::World { users, ..Default::default() };
    store::world::apply(&shelf.w.store, declared, NOW).await.unwrap();
    assert_eq!(shelf.readers_of("Patient", "amina").await, ["amina", "elsewhere"]);
}

#[tokio::test]
async fn a_search_leaves_out_what_the_caller_may_not_see() {
    let shelf = Shelf::new().await;
    for (id, from) in [("amina", shelf.of_elsewhere()), ("ben", shelf.of_elsewhere()), ("eva", shelf.of_general())] {
        shelf.put_new(patient(id, &[(Some(NHS), "shared")]), from).await;
    }
    let token = asked(SystemAsked::Is(NHS.into()), "shared");
    let mut found = Vec::new();
    for (name, reach) in shelf.reaches() {
        found.push((name, shelf.found(&reach, &token).await.join(" ")));
    }
    let expected = [
        ("amina", "amina"),
        ("eva", "eva"),
        ("nobody", ""),
        ("north", "amina"),
        ("south and east", "ben eva"),
        ("no team", ""),
        ("elsewhere", "amina ben"),
        ("general", "eva"),
    ];
    assert_eq!(found, expected.map(|(name, ids)| (name, ids.to_owned())));
}

#[tokio::test]
async fn a_binary_is_reached_through_a_document_that_carries_it_or_by_its_source() {
    let shelf = Shelf::new().await;
    shelf.put_new(resource("Binary", "scan", None, vec![]), shelf.of_elsewhere()).await;
    shelf.put_new(resource("Binary", "loose", None, vec![]), shelf.of_elsewhere()).await;
    shelf.put_new(letter("letter", "amina", "scan", "scan"), shelf.of_elsewhere()).await;
    let readers = async |id: &str| {
        let mut readers = Vec::new();
        for (name, reach) in shelf.reaches() {
            if records::read_binary(&shelf.w.store, &reach, id).await.unwrap().is_some() {
                readers.push(name);
            }
        }
        readers
    };
    assert_eq!(readers("scan").await, ["amina", "north", "elsewhere"]);
    assert_eq!(readers("loose").await, ["elsewhere"]);
    assert!(readers("letter").await.is_empty(), "a document is no Binary");
}
