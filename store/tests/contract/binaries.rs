//! Binaries: reached by their source, and through a document of the same source that carries them.

use crate::shelf::{Shelf, binary, letter};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::reach::{Reach, Right};
use store::read::read;

#[tokio::test]
async fn a_binary_is_reached_through_a_document_that_carries_it_or_by_its_source() {
    let shelf = Shelf::new().await;
    shelf.put_new(binary("scan"), shelf.by_elsewhere()).await;
    shelf.put_new(binary("loose"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("letter", "amina", "scan", "scan"), shelf.by_elsewhere()).await;
    assert_eq!(shelf.readers_of(ResourceType::Binary, "scan").await, ["amina", "north", "elsewhere"]);
    assert_eq!(shelf.readers_of(ResourceType::Binary, "loose").await, ["elsewhere"]);
    assert!(shelf.readers_of(ResourceType::Binary, "letter").await.is_empty(), "a document is no Binary");
}

#[tokio::test]
async fn a_document_of_another_source_opens_no_binary() {
    let shelf = Shelf::new().await;
    shelf.put_new(binary("of-elsewhere"), shelf.by_elsewhere()).await;
    shelf.put_new(binary("of-north"), shelf.by_north()).await;
    shelf.put_new(binary("of-amina"), shelf.by_amina()).await;
    for (id, carried) in [("l-1", "of-elsewhere"), ("l-2", "of-north"), ("l-3", "of-amina")] {
        shelf.put_new(letter(id, "eva", id, carried), shelf.by_general()).await;
        shelf.put_new(letter(&format!("{id}e"), "eva", id, carried), shelf.by_east()).await;
    }
    assert_eq!(shelf.readers_of(ResourceType::Binary, "of-elsewhere").await, ["elsewhere"]);
    assert_eq!(shelf.readers_of(ResourceType::Binary, "of-north").await, ["north", "elsewhere"]);
    assert_eq!(shelf.readers_of(ResourceType::Binary, "of-amina").await, ["amina"]);
    shelf.put_new(letter("l-4", "eva", "l-4", "of-north"), shelf.by_elsewhere()).await;
    assert_eq!(
        shelf.readers_of(ResourceType::Binary, "of-north").await,
        ["north", "elsewhere"],
        "a team and its organisation are two sources"
    );
    shelf.put_new(letter("l-5", "eva", "l-5", "of-north"), shelf.by_north()).await;
    let readers = ["eva", "north", "south and east", "elsewhere"];
    assert_eq!(shelf.readers_of(ResourceType::Binary, "of-north").await, readers);
}

#[tokio::test]
async fn a_binary_is_of_the_patient_through_whose_document_it_was_opened() {
    let shelf = Shelf::new().await;
    shelf.put_new(binary("scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("a", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("e", "eva", "l-2", "scan"), shelf.by_elsewhere()).await;
    for patient in [shelf.amina, shelf.eva] {
        let found = read(&shelf.w.store, &Reach::of_patient(patient), ResourceType::Binary, "scan", NOW).await.unwrap();
        let found = found.expect("the scan");
        assert_eq!((found.patient, found.right), (Some(patient), Right::Own));
        assert_eq!(found.resource_type, ResourceType::Binary);
        assert_eq!(found.content.map(|content| content.length), Some(2), "{}", found.body);
    }
}
