//! Writing resources: versions, unchanged content, other sources, and the index that goes with them.

use crate::shelf::{NHS, Shelf, UPDATED, asked, patient, resource, token};
use crate::world::NOW;
use rules::reach::Reach;
use store::records;
use store::searching::SystemAsked;
use store::writing::{self, From, NewResource, Written};

fn with_member(member: &str) -> NewResource {
    let mut new = patient("amina", &[]);
    new.body.after = format!("}},{member}}}");
    new
}

#[tokio::test]
async fn a_resource_is_stored_with_the_version_and_moment_that_we_set() {
    let shelf = Shelf::new().await;
    let stored = shelf.put(with_member(r#""active":true"#), shelf.of_elsewhere()).await;
    let body = format!(
        r#"{{"resourceType":"Patient","id":"amina","meta":{{"versionId":"1","lastUpdated":"{UPDATED}"}},"active":true}}"#
    );
    assert_eq!((stored.written, &stored.body), (Written::Version(1), &body));
    let reach = Reach::Organisation(shelf.w.elsewhere);
    let read = records::read(&shelf.w.store, &reach, "Patient", "amina").await.unwrap().expect("the patient");
    assert_eq!((read.version, read.updated_at, read.deleted, &read.body), (1, NOW, false, &body));
}

#[tokio::test]
async fn each_change_is_the_next_version_and_the_same_content_is_none() {
    let shelf = Shelf::new().await;
    let of = || shelf.of_elsewhere();
    for (member, written) in [
        (r#""active":true"#, Written::Version(1)),
        (r#""active":true"#, Written::Unchanged),
        (r#""active":false"#, Written::Version(2)),
        (r#""active":false"#, Written::Unchanged),
        (r#""active":true"#, Written::Version(3)),
    ] {
        let later = NOW.plus_seconds(60);
        assert_eq!(shelf.put_at(with_member(member), of(), later).await.written, written, "{member}");
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources"), 1);
}

#[tokio::test]
async fn a_member_that_is_gone_is_a_change_though_the_rest_still_fits() {
    let shelf = Shelf::new().await;
    shelf.put_new(with_member(r#""maritalStatus":{"text":"married"}"#), shelf.of_elsewhere()).await;
    let without = shelf.put(patient("amina", &[]), shelf.of_elsewhere()).await;
    assert_eq!(without.written, Written::Version(2));
}

#[tokio::test]
async fn another_source_cannot_change_a_resource() {
    let shelf = Shelf::new().await;
    shelf.put_new(with_member(r#""active":true"#), shelf.of_elsewhere()).await;
    let own = From { patient: Some("amina".into()), ..From::default() };
    for other in [shelf.of_general(), own, From::default()] {
        let refused = shelf.put(with_member(r#""active":false"#), other).await;
        assert_eq!(refused.written, Written::OtherSource);
    }
    let reach = Reach::Organisation(shelf.w.elsewhere);
    let read = records::read(&shelf.w.store, &reach, "Patient", "amina").await.unwrap().expect("the patient");
    assert!(read.version == 1 && read.body.ends_with(r#""active":true}"#));
}

#[tokio::test]
async fn the_same_id_of_another_type_is_another_resource() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("x", &[]), shelf.of_elsewhere()).await;
    shelf.put_new(resource("Binary", "x", None, vec![]), shelf.of_general()).await;
    assert_eq!(shelf.w.count("SELECT count(*) FROM resources"), 2);
}

#[tokio::test]
async fn an_update_replaces_the_tokens() {
    let shelf = Shelf::new().await;
    let reach = Reach::Organisation(shelf.w.elsewhere);
    let old = [(Some(NHS), "old"), (Some(NHS), "kept"), (Some(NHS), "kept")];
    shelf.put_new(patient("amina", &old), shelf.of_elsewhere()).await;
    let mut new = with_member(r#""active":true"#);
    new.tokens = vec![token("identifier", Some(NHS), "kept"), token("identifier", None, "new")];
    assert_eq!(shelf.put(new, shelf.of_elsewhere()).await.written, Written::Version(2));
    for (value, found) in [("old", 0), ("kept", 1), ("new", 1)] {
        assert_eq!(shelf.found(&reach, &asked(SystemAsked::Any, value)).await.len(), found, "{value}");
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM tokens"), 2);
}

#[tokio::test]
async fn many_resources_are_answered_in_order() {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("p1", &[]), shelf.of_elsewhere()).await;
    shelf.put_new(patient("p3", &[]), shelf.of_general()).await;
    let many = (0..5).map(|n| patient(&format!("p{n}"), &[(Some(NHS), "same")])).collect();
    let stored = writing::put(&shelf.w.store, many, shelf.of_elsewhere(), NOW, UPDATED.into()).await.unwrap();
    let written: Vec<Written> = stored.into_iter().map(|stored| stored.written).collect();
    let first = Written::Version(1);
    assert_eq!(written, [first.clone(), Written::Unchanged, first.clone(), Written::OtherSource, first]);
}

#[tokio::test]
async fn words_that_repeat_are_kept_once() {
    let shelf = Shelf::new().await;
    for n in 0..50 {
        shelf.put_new(patient(&format!("p{n}"), &[(Some(NHS), "1")]), shelf.of_elsewhere()).await;
    }
    assert_eq!(shelf.w.count("SELECT count(*) FROM words"), 3, "Patient, identifier and the system");
}
