//! Reach: who sees what, on reading and on searching.

use crate::shelf::{NHS, Shelf, letter, of_organisation, of_teams, patient, resource};
use crate::world::{NORTH, NOW, SOUTH};
use fhir::types::ResourceType;
use rules::ids::TeamId;
use rules::reach::{Reach, Right};
use store::read::read;

const LETTER: ResourceType = ResourceType::DocumentReference;

#[tokio::test]
async fn a_patients_record_is_read_by_the_patient_the_patients_team_and_its_source_alone() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.by_elsewhere()).await;
    shelf.put_new(patient("eva", &[]), shelf.by_general()).await;
    assert_eq!(shelf.readers_of(ResourceType::Patient, "amina").await, ["amina", "north", "elsewhere"]);
    assert_eq!(shelf.readers_of(ResourceType::Patient, "eva").await, ["eva", "south and east", "general"]);
    assert!(shelf.readers_of(ResourceType::Patient, "nobody").await.is_empty());
    assert!(shelf.readers_of(LETTER, "amina").await.is_empty(), "another type is another resource");
}

#[tokio::test]
async fn what_another_organisation_wrote_about_a_patient_is_the_patients_and_the_teams_but_not_this_organisations() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.by_general()).await;
    assert_eq!(shelf.readers_of(LETTER, "letter").await, ["amina", "north", "general"]);
}

#[tokio::test]
async fn what_a_patient_wrote_belongs_to_no_organisation() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("diary", "amina", "d-1", "scan"), shelf.by_amina()).await;
    assert_eq!(shelf.readers_of(LETTER, "diary").await, ["amina", "north"]);
}

#[tokio::test]
async fn an_organisation_sees_the_patient_resource_of_whoever_is_registered_with_one_of_its_teams() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("eva", &[]), shelf.by_elsewhere()).await;
    shelf.put_new(letter("letter", "eva", "l-1", "scan"), shelf.by_elsewhere()).await;
    assert_eq!(
        shelf.readers_of(ResourceType::Patient, "eva").await,
        ["eva", "south and east", "elsewhere", "general"],
        "General did not make it, but Eva is its team's patient"
    );
    assert_eq!(shelf.readers_of(LETTER, "letter").await, ["eva", "south and east", "elsewhere"]);
}

#[tokio::test]
async fn an_organisation_that_made_something_about_a_patient_sees_the_patient_resource_and_no_more() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.by_elsewhere()).await;
    shelf.put_new(letter("ours", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    let general = of_organisation(shelf.general);
    assert!(read(&shelf.w.store, &general, ResourceType::Patient, "amina", NOW).await.unwrap().is_none());
    shelf.put_new(letter("theirs", "amina", "l-2", "scan"), shelf.by_general()).await;
    let seen = read(&shelf.w.store, &general, ResourceType::Patient, "amina", NOW).await.unwrap();
    assert_eq!(seen.map(|found| found.right), Some(Right::Consent));
    assert_eq!(shelf.readers_of(LETTER, "ours").await, ["amina", "north", "elsewhere"]);
}

#[tokio::test]
async fn a_team_keeps_what_it_made_and_the_patient_resource_when_the_registration_ends_and_nothing_else() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.by_general()).await;
    shelf.put_new(letter("note", "amina", "l-1", "scan"), shelf.by_north()).await;
    shelf.put_new(letter("letter", "amina", "l-2", "scan"), shelf.by_general()).await;
    assert_eq!(shelf.readers_of(LETTER, "note").await, ["amina", "north", "elsewhere"], "and its organisation");
    shelf.register_amina(&[]).await;
    assert_eq!(shelf.readers_of(LETTER, "note").await, ["amina", "north", "elsewhere"]);
    assert_eq!(shelf.readers_of(ResourceType::Patient, "amina").await, ["amina", "north", "elsewhere", "general"]);
    assert_eq!(shelf.readers_of(LETTER, "letter").await, ["amina", "general"]);
}

#[tokio::test]
async fn a_team_sees_neither_what_its_organisation_nor_what_a_sister_team_made_of_who_is_not_its_patient() {
    let shelf = Shelf::new().await;
    shelf.register_amina(&[SOUTH]).await;
    shelf.put_new(letter("of-elsewhere", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("of-north", "amina", "l-2", "scan"), shelf.by_north()).await;
    assert_eq!(shelf.readers_of(LETTER, "of-elsewhere").await, ["amina", "south and east", "elsewhere"]);
    assert_eq!(shelf.readers_of(LETTER, "of-north").await, ["amina", "north", "south and east", "elsewhere"]);
}

#[tokio::test]
async fn what_is_in_several_compartments_is_in_each() {
    let shelf = Shelf::new().await;
    let of = |patients: [&str; 2]| {
        let actors = patients.map(|patient| format!(r#"{{"actor":{{"reference":"Patient/{patient}"}}}}"#)).join(",");
        resource(ResourceType::Appointment, "visit", &format!(r#","participant":[{actors}]"#))
    };
    shelf.put_new(of(["amina", "eva"]), shelf.by_elsewhere()).await;
    let readers = ["amina", "eva", "north", "south and east", "elsewhere"];
    assert_eq!(shelf.readers_of(ResourceType::Appointment, "visit").await, readers);
    shelf.put(of(["amina", "ben"]), shelf.by_elsewhere()).await;
    let south = of_teams(&[shelf.w.south]);
    assert!(
        read(&shelf.w.store, &south, ResourceType::Appointment, "visit", NOW).await.unwrap().is_some(),
        "Ben's team"
    );
    assert_eq!(
        shelf.readers_of(ResourceType::Appointment, "visit").await,
        ["amina", "north", "south and east", "elsewhere"],
        "no longer Eva"
    );
}

#[tokio::test]
async fn what_the_patient_alone_may_see_is_not_even_its_sources() {
    let shelf = Shelf::new().await;
    let audit = resource(ResourceType::AuditEvent, "look", r#","entity":[{"what":{"reference":"Patient/amina"}}]"#);
    shelf.put_new(audit, shelf.by_elsewhere()).await;
    assert_eq!(shelf.readers_of(ResourceType::AuditEvent, "look").await, ["amina"]);
}

#[tokio::test]
async fn what_belongs_to_no_patient_is_its_sources_alone_and_a_directory_is_everybodys() {
    let shelf = Shelf::new().await;
    shelf.put_new(resource(ResourceType::Device, "pump", ""), shelf.by_elsewhere()).await;
    shelf.put_new(resource(ResourceType::Practitioner, "dr-who", ""), shelf.by_elsewhere()).await;
    assert_eq!(shelf.readers_of(ResourceType::Device, "pump").await, ["elsewhere"]);
    let everybody = shelf.reaches().map(|(name, _)| name);
    assert_eq!(shelf.readers_of(ResourceType::Practitioner, "dr-who").await, everybody);
}

#[tokio::test]
async fn a_team_whose_number_is_part_of_anothers_does_not_reach_the_others_patients() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.by_elsewhere()).await;
    let north = shelf.w.north.to_string();
    let (head, tail) = north.split_at(north.len() / 2);
    let parts = [&north[1..], &north[..north.len() - 1], head, tail];
    let parts = of_teams(&parts.map(|part| TeamId(part.parse().expect("digits"))));
    assert!(read(&shelf.w.store, &parts, ResourceType::Patient, "amina", NOW).await.unwrap().is_none());
}

#[tokio::test]
async fn care_that_ends_takes_the_record_out_of_the_teams_reach_but_for_the_patient_resource() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.by_elsewhere()).await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    shelf.register_amina(&[]).await;
    assert_eq!(shelf.readers_of(ResourceType::DocumentReference, "letter").await, ["amina", "elsewhere"]);
    assert_eq!(shelf.readers_of(ResourceType::Patient, "amina").await, ["amina", "north", "elsewhere"]);
    shelf.register_amina(&[NORTH]).await;
    assert_eq!(shelf.readers_of(ResourceType::DocumentReference, "letter").await, ["amina", "north", "elsewhere"]);
}

#[tokio::test]
async fn each_reader_is_told_by_which_right_they_see() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    for (reach, right) in [
        (Reach::of_patient(shelf.amina), Right::Own),
        (of_teams(&[shelf.w.north]), Right::Consent),
        (of_organisation(shelf.w.elsewhere), Right::Source),
    ] {
        let found = read(&shelf.w.store, &reach, LETTER, "letter", NOW).await.unwrap().expect("the letter");
        assert_eq!((found.right, found.patient), (right, Some(shelf.amina)));
    }
}

#[tokio::test]
async fn a_search_leaves_out_what_the_caller_may_not_see() {
    let shelf = Shelf::new().await;
    for (id, source) in [("amina", shelf.by_elsewhere()), ("ben", shelf.by_elsewhere()), ("eva", shelf.by_general())] {
        shelf.put_new(patient(id, &[(Some(NHS), "shared")]), source).await;
    }
    let token = format!("{NHS}|shared");
    let mut found = Vec::new();
    for (name, reach) in shelf.reaches() {
        found.push((name, shelf.found(&reach, &[("identifier", &token)]).await.join(" ")));
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
