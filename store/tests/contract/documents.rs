//! Documents: read receipts by the thousand, and only the first opening counts.

use crate::shelf::{Shelf, binary, letter};
use crate::world::NOW;
use fhir::types::ResourceType;
use rules::ids::RowId;
use rules::limits::READ_RECEIPT_DOCUMENTS;
use rules::moment::Moment;
use store::documents::receipts::{self, Receipt};
use store::ledger::Event;
use store::read;
use store::write::resource_write;

const LATER: Moment = Moment(NOW.0 + 60_000);

async fn row_of(shelf: &Shelf, id: &str) -> RowId {
    for (_, reach) in shelf.reaches() {
        if let Some(found) = read::read(&shelf.w.store, &reach, ResourceType::DocumentReference, id, NOW).await.unwrap()
        {
            return found.row;
        }
    }
    panic!("there is no document {id}");
}

/// Which document was asked about, and when it was read.
type Told = (String, Option<Moment>);

fn receipt(identifier: &str, read_at: Option<Moment>) -> Told {
    (identifier.into(), read_at)
}

async fn receipts(shelf: &Shelf, identifiers: &[&str]) -> Vec<Told> {
    let identifiers: Vec<String> = identifiers.iter().map(|identifier| (*identifier).to_owned()).collect();
    told(receipts::receipts(&shelf.w.store, shelf.w.elsewhere, &identifiers).await.unwrap())
}

fn told(receipts: Vec<Receipt>) -> Vec<Told> {
    receipts.into_iter().map(|receipt| (receipt.identifier, receipt.read_at)).collect()
}

#[tokio::test]
async fn a_receipt_names_every_patient_whose_record_the_document_is_in() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("doc", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    let asked = ["l-1".to_owned(), "doc".to_owned()];
    for receipt in receipts::receipts(&shelf.w.store, shelf.w.elsewhere, &asked).await.unwrap() {
        assert_eq!(receipt.patients, [shelf.amina]);
    }
}

#[tokio::test]
async fn a_receipt_says_whether_and_when_the_patient_first_opened_the_document() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("doc", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    assert_eq!(receipts(&shelf, &["l-1"]).await, [receipt("l-1", None)]);
    let document = row_of(&shelf, "doc").await;
    receipts::note_opened(&shelf.w.store, document, shelf.amina, NOW).await.unwrap();
    receipts::note_opened(&shelf.w.store, document, shelf.amina, LATER).await.unwrap();
    assert_eq!(receipts(&shelf, &["l-1"]).await, [receipt("l-1", Some(NOW))]);
    assert_eq!(shelf.w.noted(Event::DocumentRead).await, 1);
}

#[tokio::test]
async fn a_document_is_known_by_its_identifier_and_by_its_id() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("doc", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    assert_eq!(receipts(&shelf, &["doc", "l-1"]).await, [receipt("doc", None), receipt("l-1", None)]);
    assert!(receipts(&shelf, &["scan"]).await.is_empty(), "its content is no name of it");
}

#[tokio::test]
async fn unknown_and_foreign_documents_yield_nothing() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("ours", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("theirs", "amina", "l-2", "scan"), shelf.by_general()).await;
    shelf.put_new(letter("diary", "amina", "l-3", "scan"), shelf.by_amina()).await;
    shelf.put_new(binary("scan"), shelf.by_elsewhere()).await;
    let asked = ["l-2", "theirs", "l-3", "diary", "scan", "unknown", "", "%", "l-1"];
    assert_eq!(receipts(&shelf, &asked).await, [receipt("l-1", None)]);
    assert!(receipts(&shelf, &[]).await.is_empty());
}

#[tokio::test]
async fn five_thousand_identifiers_are_answered_in_order_each_once() {
    let shelf = Shelf::new().await;
    let letters = (0..READ_RECEIPT_DOCUMENTS).step_by(2);
    let letters = letters.map(|n| letter(&format!("doc-{n}"), "amina", &format!("l-{n}"), "scan")).collect();
    resource_write::put(&shelf.w.store, letters, shelf.by_elsewhere(), NOW, String::new()).await.unwrap();
    let opened = row_of(&shelf, "doc-4998").await;
    receipts::note_opened(&shelf.w.store, opened, shelf.amina, LATER).await.unwrap();

    let asked: Vec<String> = (0..READ_RECEIPT_DOCUMENTS).rev().map(|n| format!("l-{n}")).collect();
    let found = receipts::receipts(&shelf.w.store, shelf.w.elsewhere, &asked).await.unwrap();
    let expected: Vec<Told> = (0..READ_RECEIPT_DOCUMENTS)
        .rev()
        .filter(|n| n % 2 == 0)
        .map(|n| receipt(&format!("l-{n}"), (n == 4998).then_some(LATER)))
        .collect();
    assert_eq!(told(found), expected);

    let again: Vec<String> = asked.iter().take(10).cycle().take(READ_RECEIPT_DOCUMENTS).cloned().collect();
    let found = receipts::receipts(&shelf.w.store, shelf.w.elsewhere, &again).await.unwrap();
    assert_eq!(found.len(), 5, "five of the ten are there, each told once");
}

#[tokio::test]
async fn of_two_documents_under_one_identifier_the_first_opening_counts() {
    let shelf = Shelf::new().await;
    for id in ["first", "second"] {
        shelf.put_new(letter(id, "amina", "shared", "scan"), shelf.by_elsewhere()).await;
    }
    let second = row_of(&shelf, "second").await;
    receipts::note_opened(&shelf.w.store, second, shelf.amina, LATER).await.unwrap();
    assert_eq!(receipts(&shelf, &["shared"]).await, [receipt("shared", Some(LATER))]);
    let first = row_of(&shelf, "first").await;
    receipts::note_opened(&shelf.w.store, first, shelf.amina, NOW).await.unwrap();
    assert_eq!(receipts(&shelf, &["shared"]).await, [receipt("shared", Some(NOW))]);
}

#[tokio::test]
async fn what_a_team_sent_is_its_organisations_to_ask_about() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("note", "amina", "l-1", "scan"), shelf.by_north()).await;
    shelf.put_new(letter("other", "amina", "l-2", "scan"), shelf.by_east()).await;
    assert_eq!(receipts(&shelf, &["l-1", "l-2"]).await, [receipt("l-1", None)]);
}

#[tokio::test]
async fn the_documents_that_carry_a_binary_are_those_of_its_source_and_of_the_patient_who_asks() {
    let shelf = Shelf::new().await;
    shelf.put_new(binary("scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("a1", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("a2", "amina", "l-2", "scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("a3", "amina", "scan", "other"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("a4", "amina", "l-4", "scan"), shelf.by_general()).await;
    shelf.put_new(letter("e1", "eva", "l-3", "scan"), shelf.by_elsewhere()).await;
    let mut of_amina = receipts::carrying(&shelf.w.store, "scan", shelf.amina).await.unwrap();
    of_amina.sort_unstable();
    assert_eq!(of_amina, [row_of(&shelf, "a1").await, row_of(&shelf, "a2").await]);
    let ben = shelf.w.patient("ben").await;
    assert!(receipts::carrying(&shelf.w.store, "scan", ben).await.unwrap().is_empty());
}
