//! A bit that changed on disk is an error in words, and never an answer.

use crate::shelf::{BASE, Shelf, binary, letter, resource};
use crate::world::NOW;
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::reach::Reach;
use store::history::versions;
use store::search::compile::Search;
use store::search::post_filter;
use store::write::resource_write::Outcome;
use store::{Error, read, reindex};

/// A Patient of two versions, a letter about her and its content.
async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    for (version, year) in [(1, "1980"), (2, "1981")] {
        let amina = resource(ResourceType::Patient, "amina", &format!(r#","birthDate":"{year}-01-02""#));
        assert_eq!(shelf.put(amina, shelf.by_elsewhere()).await.outcome, Outcome::Version(version));
    }
    shelf.put_new(binary("scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("letter", "amina", "L-1", "scan"), shelf.by_elsewhere()).await;
    shelf
}

/// What is said when Amina, and her hospital, read this.
async fn said(shelf: &Shelf, resource_type: ResourceType, id: &str) -> Vec<String> {
    let mut said = Vec::new();
    for reach in [Reach::of_patient(shelf.amina), crate::shelf::of_organisation(shelf.w.elsewhere)] {
        match read::read(&shelf.w.store, &reach, resource_type, id, NOW).await {
            Ok(found) => said.push(found.map_or("nothing".into(), |found| found.body.clone())),
            Err(error) => {
                assert!(matches!(error.kind(), Error::Damaged(_)), "{error:?}");
                said.push(error.to_string());
            }
        }
    }
    said
}

#[tokio::test]
async fn a_changed_body_moment_version_patient_label_or_source_is_an_error_that_names_the_resource() {
    let id = "type = 103 AND fhir_id = 'amina'";
    for change in [
        "body = replace(body, '1981', '1991')",
        "updated_at = updated_at + 1",
        "version = 9",
        "needs = 4",
        "patients = 2",
        "source_team_id = 7",
        "content_hash = NULL",
        "standing_hash = NULL",
    ] {
        let shelf = shelf().await;
        shelf.w.home.run(&format!("UPDATE resources SET {change} WHERE {id}"));
        for said in said(&shelf, ResourceType::Patient, "amina").await {
            assert!(said == "nothing" || said.contains("of Patient/amina is damaged"), "{change}: {said}");
        }
        assert!(said(&shelf, ResourceType::Patient, "amina").await.iter().any(|said| said != "nothing"), "{change}");
    }
}

#[tokio::test]
async fn what_was_given_another_id_type_or_patient_is_not_answered_as_what_it_is_not() {
    let shelf = shelf().await;
    let eva = shelf.eva;
    shelf.w.home.run("UPDATE resources SET fhir_id = 'eva' WHERE type = 103");
    assert!(
        said(&shelf, ResourceType::Patient, "eva").await.iter().all(|said| said.contains("Patient/eva is damaged"))
    );
    shelf.w.home.run(&format!("UPDATE resources SET patient_id = {eva} WHERE type = 42"));
    let read =
        read::read(&shelf.w.store, &Reach::of_patient(eva), ResourceType::DocumentReference, "letter", NOW).await;
    assert!(matches!(read.expect_err("not hers").kind(), Error::Damaged(_)));
}

#[tokio::test]
async fn a_binary_that_a_document_opens_and_what_a_search_finds_are_held_to_their_hashes_too() {
    let shelf = shelf().await;
    assert!(said(&shelf, ResourceType::Binary, "scan").await.iter().all(|said| said.contains("text/plain")));
    shelf.w.home.run("UPDATE resources SET body = replace(body, 'text/plain', 'text/html')");
    for said in said(&shelf, ResourceType::Binary, "scan").await {
        assert!(said.contains("Binary/scan is damaged"), "{said}");
    }
    shelf.w.home.run("UPDATE resources SET body = replace(body, 'L-1', 'L-2')");
    let query = reading::read(ResourceType::DocumentReference, [("_id", "letter")], BASE, 0).unwrap();
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: 10 };
    let found = post_filter::page(&shelf.w.store, &Reach::of_patient(shelf.amina), &search, NOW).await;
    assert!(matches!(found.expect_err("damaged").kind(), Error::Damaged(_)));
}

#[tokio::test]
async fn a_past_version_has_a_hash_of_its_own() {
    let shelf = shelf().await;
    let own = Reach::of_patient(shelf.amina);
    let read =
        async |version| versions::read(&shelf.w.store, &own, (ResourceType::Patient, "amina"), version, NOW).await;
    assert!(read(1).await.unwrap().unwrap().body.contains("1980"));
    shelf.w.home.run("UPDATE versions SET body = replace(body, '1980', '1890')");
    assert!(matches!(read(1).await.expect_err("damaged").kind(), Error::Damaged(_)));
    assert!(read(2).await.unwrap().unwrap().body.contains("1981"));
}

#[tokio::test]
async fn what_is_damaged_stays_so_when_it_goes_into_the_past_and_when_it_is_read_anew() {
    let shelf = shelf().await;
    shelf.w.home.run("UPDATE resources SET body = replace(body, '1981', '1991') WHERE type = 103");
    shelf.w.home.run("UPDATE versions SET body = replace(body, '1980', '1890')");
    shelf.w.home.run("UPDATE resources SET needs = -1");
    let read_anew = reindex::run(&shelf.w.store, std::sync::Arc::new(crate::shelf::reread), NOW, |_| ()).await;
    assert_eq!(read_anew.unwrap(), 3);
    for said in said(&shelf, ResourceType::Patient, "amina").await {
        assert!(said == "nothing" || said.contains("Patient/amina is damaged"), "{said}");
    }
    assert!(said(&shelf, ResourceType::DocumentReference, "letter").await.iter().all(|said| said.contains("L-1")));
    let amina = resource(ResourceType::Patient, "amina", r#","birthDate":"1982-01-02""#);
    assert_eq!(shelf.put(amina, shelf.by_elsewhere()).await.outcome, Outcome::Version(3));
    let own = Reach::of_patient(shelf.amina);
    for (version, is_whole) in [(1, false), (2, false), (3, true)] {
        let read = versions::read(&shelf.w.store, &own, (ResourceType::Patient, "amina"), version, NOW).await;
        assert_eq!(read.is_ok(), is_whole, "{version}");
    }
}
