//! Documents: read receipts by the thousand, and only the first opening counts.

use crate::shelf::{Shelf, letter, resource};
use crate::world::NOW;
use rules::limits::READ_RECEIPT_DOCUMENTS;
use rules::moment::Moment;
use store::documents::{self, Receipt};
use store::records;
use store::writing;

const LATER: Moment = Moment(NOW.0 + 60_000);

async fn row_of(shelf: &Shelf, id: &str) -> i64 {
    for (_, reach) in shelf.reaches() {
        if let Some(found) = records::read(&shelf.w.store, &reach, "DocumentReference", id).await.unwrap() {
            return found.row;
        }
    }
    panic!("there is no document {id}");
}

fn receipt(identifier: &str, read_at: Option<Moment>) -> Receipt {
    Receipt { identifier: identifier.into(), read_at }
}

async fn receipts(shelf: &Shelf, identifiers: &[&str]) -> Vec<Receipt> {
    let identifiers: Vec<String> = identifiers.iter().map(|identifier| (*identifier).to_owned()).collect();
    documents::receipts(&shelf.w.store, shelf.w.elsewhere, &identifiers).await.unwrap()
}

#[tokio::test]
async fn a_receipt_says_whether_and_when_the_patient_first_opened_the_document() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("doc", "amina", "l-1", "scan"), shelf.of_elsewhere()).await;
    assert_eq!(receipts(&shelf, &["l-1"]).await, [receipt("l-1", None)]);
    let document = row_of(&shelf, "doc").await;
    documents::opened(&shelf.w.store, document, "amina", NOW).await.unwrap();
    documents::opened(&shelf.w.store, document, "amina", LATER).await.unwrap();
    assert_eq!(receipts(&shelf, &["l-1"]).await, [receipt("l-1", Some(NOW))]);
    assert_eq!(shelf.w.count("SELECT count(*) FROM ledger WHERE event = 'document-read'"), 1);
}

#[tokio::test]
async fn a_document_is_known_by_its_identifier_and_by_its_id() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("doc", "amina", "l-1", "scan"), shelf.of_elsewhere()).await;
    assert_eq!(receipts(&shelf, &["doc", "l-1"]).await, [receipt("doc", None), receipt("l-1", None)]);
    assert!(receipts(&shelf, &["scan"]).await.is_empty(), "its content is no name of it");
}

#[tokio::test]
async fn unknown_and_foreign_documents_yield_nothing() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("ours", "amina", "l-1", "scan"), shelf.of_elsewhere()).await;
    shelf.put_new(letter("theirs", "amina", "l-2", "scan"), shelf.of_general()).await;
    let own = writing::From { patient: Some("amina".into()), ..Default::default() };
    shelf.put_new(letter("diary", "amina", "l-3", "scan"), own).await;
    shelf.put_new(resource("Binary", "scan", None, vec![]), shelf.of_elsewhere()).await;
    let asked = ["l-2", "theirs", "l-3", "diary", "scan", "unknown", "", "%", "l-1"];
    assert_eq!(receipts(&shelf, &asked).await, [receipt("l-1", None)]);
    assert!(receipts(&shelf, &[]).await.is_empty());
}

#[tokio::test]
async fn five_thousand_identifiers_are_answered_in_order_each_once() {
    let shelf = Shelf::new().await;
    let letters = (0..READ_RECEIPT_DOCUMENTS).step_by(2);
    let letters = letters.map(|n| letter(&format!("doc-{n}"), "amina", &format!("l-{n}"), "scan")).collect();
    writing::put(&shelf.w.store, letters, shelf.of_elsewhere(), NOW, String::new()).await.unwrap();
    let opened = row_of(&shelf, "doc-4998").await;
    documents::opened(&shelf.w.store, opened, "amina", LATER).await.unwrap();

    let asked: Vec<String> = (0..READ_RECEIPT_DOCUMENTS).rev().map(|n| format!("l-{n}")).collect();
    let found = documents::receipts(&shelf.w.store, shelf.w.elsewhere, &asked).await.unwrap();
    let expected: Vec<Receipt> = (0..READ_RECEIPT_DOCUMENTS)
        .rev()
        .filter(|n| n % 2 == 0)
        .map(|n| receipt(&format!("l-{n}"), (n == 4998).then_some(LATER)))
        .collect();
    assert_eq!(found, expected);

    let again: Vec<String> = asked.iter().take(10).cycle().take(READ_RECEIPT_DOCUMENTS).cloned().collect();
    let found = documents::receipts(&shelf.w.store, shelf.w.elsewhere, &again).await.unwrap();
    assert_eq!(found.len(), 5, "five of the ten are there, each told once");
}

#[tokio::test]
async fn of_two_documents_under_one_identifier_the_first_opening_counts() {
    let shelf = Shelf::new().await;
    for id in ["first", "second"] {
        shelf.put_new(letter(id, "amina", "shared", "scan"), shelf.of_elsewhere()).await;
    }
    let second = row_of(&shelf, "second").await;
    documents::opened(&shelf.w.store, second, "amina", LATER).await.unwrap();
    assert_eq!(receipts(&shelf, &["shared"]).await, [receipt("shared", Some(LATER))]);
    let first = row_of(&shelf, "first").await;
    documents::opened(&shelf.w.store, first, "amina", NOW).await.unwrap();
    assert_eq!(receipts(&shelf, &["shared"]).await, [receipt("shared", Some(NOW))]);
}

#[tokio::test]
async fn the_documents_that_carry_a_binary_are_those_of_the_patient_who_asks() {
    let shelf = Shelf::new().await;
    shelf.put_new(letter("a1", "amina", "l-1", "scan"), shelf.of_elsewhere()).await;
    shelf.put_new(letter("a2", "amina", "l-2", "scan"), shelf.of_general()).await;
    shelf.put_new(letter("a3", "amina", "scan", "other"), shelf.of_elsewhere()).await;
    shelf.put_new(letter("e1", "eva", "l-3", "scan"), shelf.of_general()).await;
    let mut of_amina = documents::carrying(&shelf.w.store, "scan", "amina").await.unwrap();
    of_amina.sort_unstable();
    assert_eq!(of_amina, [row_of(&shelf, "a1").await, row_of(&shelf, "a2").await]);
    assert!(documents::carrying(&shelf.w.store, "scan", "ben").await.unwrap().is_empty());
}
