//! The content of Binaries: stored in pieces beside their bodies, and given piece by piece as it was written or not at all.

use crate::shelf::{Shelf, letter, prepared, reread, resource};
use crate::world::NOW;
use fhir::base64_binary::encode;
use fhir::pieces::PIECE_BYTES;
use fhir::types::ResourceType;
use rules::reach::Reach;
use std::sync::Arc;
use store::documents::contents::{self, StoredContent};
use store::history::versions;
use store::stored::resource::Resource;
use store::write::resource_write::{NewResource, Outcome};
use store::{Error, checks, read};

/// So many bytes, none of whose pieces is like another.
fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| u8::try_from((n / 7 + n / PIECE_BYTES) % 256).unwrap()).collect()
}

fn scan(bytes: &[u8]) -> NewResource {
    let data = encode(bytes);
    resource(ResourceType::Binary, "scan", &format!(r#","contentType":"text/plain","data":"{data}""#))
}

/// Amina's letter, whose content is this.
async fn shelf_with(content: &[u8]) -> Shelf {
    let shelf = Shelf::new().await;
    shelf.put_new(scan(content), shelf.by_elsewhere()).await;
    shelf.put_new(letter("letter", "amina", "L-1", "scan"), shelf.by_elsewhere()).await;
    shelf
}

async fn binary(shelf: &Shelf) -> Arc<Resource> {
    let own = Reach::of_patient(shelf.amina);
    read::read(&shelf.w.store, &own, ResourceType::Binary, "scan", NOW).await.unwrap().expect("the scan")
}

/// All pieces of a content, one behind the other.
async fn whole(shelf: &Shelf, content: &StoredContent) -> store::Result<Vec<u8>> {
    let mut whole = Vec::new();
    for number in 0..content.length().div_ceil(PIECE_BYTES as u64) {
        whole.extend(contents::piece(&shelf.w.store, content, number).await?);
    }
    Ok(whole)
}

/// What somebody who reads the scan gets, or what is said instead.
async fn taken(shelf: &Shelf) -> Result<Vec<u8>, String> {
    let read = async {
        match contents::find(&shelf.w.store, &*binary(shelf).await).await? {
            Some(content) => whole(shelf, &content).await,
            None => Ok(Vec::new()),
        }
    };
    read.await.map_err(|error| {
        assert!(matches!(error.kind(), Error::Damaged(_)), "{error:?}");
        error.to_string()
    })
}

#[tokio::test]
async fn a_content_of_any_length_is_given_as_it_was_sent_and_its_row_is_small() {
    for length in [1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 11] {
        let shelf = shelf_with(&bytes(length)).await;
        assert_eq!(taken(&shelf).await.as_ref(), Ok(&bytes(length)), "{length}");
        let row = shelf.w.count("SELECT octet_length(body) FROM resources WHERE fhir_id = 'scan'");
        assert!(row < 500, "{row}");
        assert!(!binary(&shelf).await.body.contains("data"), "nor is it in what is read");
        let pieces = shelf.w.count("SELECT count(*) FROM content_pieces");
        assert_eq!(pieces, i64::try_from(length.div_ceil(PIECE_BYTES)).unwrap());
    }
}

#[tokio::test]
async fn a_binary_without_content_has_none() {
    let shelf = shelf_with(b"").await;
    assert_eq!(taken(&shelf).await, Ok(Vec::new()));
    assert_eq!(shelf.w.count("SELECT count(*) FROM contents"), 0);
}

#[tokio::test]
async fn the_same_content_again_changes_nothing_and_another_is_a_version_with_a_content_of_its_own() {
    let shelf = shelf_with(&bytes(PIECE_BYTES + 1)).await;
    let again = shelf.put(scan(&bytes(PIECE_BYTES + 1)), shelf.by_elsewhere()).await;
    assert_eq!(again.outcome, Outcome::Unchanged);
    let begun = contents::find(&shelf.w.store, &*binary(&shelf).await).await.unwrap().expect("content");
    let second = shelf.put(scan(b"second"), shelf.by_elsewhere()).await;
    assert_eq!((second.outcome, second.body.contains("data")), (Outcome::Version(2), false));
    assert_eq!(taken(&shelf).await, Ok(b"second".to_vec()));
    assert_eq!(whole(&shelf, &begun).await.unwrap(), bytes(PIECE_BYTES + 1), "whoever is about the first gets its end");
    let source = crate::shelf::of_organisation(shelf.w.elsewhere);
    let first = versions::read(&shelf.w.store, &source, (ResourceType::Binary, "scan"), 1, NOW).await.unwrap().unwrap();
    let first = contents::find(&shelf.w.store, &first).await.unwrap().expect("content");
    assert_eq!(whole(&shelf, &first).await.unwrap(), bytes(PIECE_BYTES + 1));
    assert_eq!(shelf.w.count("SELECT count(*) FROM contents"), 2);
}

#[tokio::test]
async fn what_a_document_has_inside_is_stored_with_it_as_a_binary_of_its_source() {
    let shelf = Shelf::new().await;
    let sent = r#"{"resourceType":"DocumentReference","id":"d","subject":{"reference":"Patient/amina"},"content":[{"attachment":{"data":"SGVsbG8="}}]}"#;
    let document = || prepared(sent).expect("a document");
    let id = document().content.attachments[0].id.clone();
    shelf.put_new(document(), shelf.by_north()).await;
    let readers = shelf.readers_of(ResourceType::DocumentReference, "d").await;
    assert_eq!(shelf.readers_of(ResourceType::Binary, &id).await, readers);
    assert!(readers.contains(&"amina"));
    assert_eq!(shelf.put(document(), shelf.by_north()).await.outcome, Outcome::Unchanged);
    assert_eq!(shelf.w.count("SELECT count(*) FROM contents"), 1, "sent again, it is there already");
    assert_eq!(shelf.put(document(), shelf.by_east()).await.outcome, Outcome::OtherSource);
}

#[tokio::test]
async fn a_document_whose_content_another_source_has_taken_is_not_stored() {
    let shelf = Shelf::new().await;
    let sent = r#"{"resourceType":"DocumentReference","id":"d","subject":{"reference":"Patient/amina"},"content":[{"attachment":{"data":"SGVsbG8="}}]}"#;
    let id = prepared(sent).unwrap().content.attachments[0].id.clone();
    shelf.put_new(resource(ResourceType::Binary, &id, ""), shelf.by_east()).await;
    assert_eq!(shelf.put(prepared(sent).unwrap(), shelf.by_north()).await.outcome, Outcome::OtherSource);
    assert!(shelf.readers_of(ResourceType::DocumentReference, "d").await.is_empty());
}

/// Every way in which what is stored can be another than what was written.
const DAMAGES: [&str; 8] = [
    "UPDATE content_pieces SET bytes = (SELECT c.hashes FROM contents c WHERE c.id = content_id) WHERE number = 1",
    "DELETE FROM content_pieces WHERE number = 2",
    "UPDATE content_pieces SET bytes = (SELECT p.bytes FROM content_pieces p
        WHERE p.content_id = content_pieces.content_id AND p.number = 1 - content_pieces.number) WHERE number < 2",
    "UPDATE content_pieces SET number = 7 WHERE number = 0",
    "UPDATE contents SET length = length + 1",
    "UPDATE contents SET hashes = (SELECT p.bytes FROM content_pieces p WHERE p.content_id = contents.id AND p.number = 0)",
    "UPDATE contents SET version = version + 7",
    "DELETE FROM contents",
];

#[tokio::test]
async fn a_content_that_is_not_what_was_written_is_an_error_in_words() {
    for damage in DAMAGES {
        let shelf = shelf_with(&bytes(2 * PIECE_BYTES + 5)).await;
        shelf.w.home.run(damage);
        let said = taken(&shelf).await.expect_err(damage);
        assert!(said.contains("the content of version 1 of Binary/scan is damaged"), "{damage}: {said}");
    }
}

#[tokio::test]
async fn a_check_finds_every_content_that_is_damaged_missing_or_left_over() {
    for damage in DAMAGES.into_iter().chain(["UPDATE content_pieces SET content_id = -content_id", ""]) {
        let shelf = shelf_with(&bytes(2 * PIECE_BYTES + 5)).await;
        shelf.put(scan(&bytes(2 * PIECE_BYTES + 6)), shelf.by_elsewhere()).await;
        if !damage.is_empty() {
            shelf.w.home.run(damage);
        }
        let mut faults = Vec::new();
        let mut tell = |check: &'static str, fault: &checks::Fault| faults.push(format!("{check} {}", fault.at));
        let place = shelf.w.home.place();
        checks::run(&place, Arc::new(reread), None, &mut tell, &mut |_, _, _| ()).await.unwrap();
        let told = faults.iter().any(|fault| fault.starts_with("contents "));
        assert_eq!(told, !damage.is_empty(), "{damage}: {faults:?}");
        assert!(faults.iter().all(|fault| fault.starts_with("contents ")), "{damage}: {faults:?}");
    }
}
