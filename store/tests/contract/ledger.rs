//! The ledger and the rehearsal: what is written down, who reads it, and what leaves no trace.

use crate::world::{self, NOW, World, organisation};
use rules::reach::Right;
use store::ledger::{self, About, Accesses, Event};
use store::world::Change;

async fn lines(w: &World, patient: &str, before: i64, limit: i64) -> Vec<ledger::Line> {
    let user = w.user(patient).await.id;
    ledger::of_patient(&w.store, patient, user, before, limit).await.unwrap()
}

#[tokio::test]
async fn a_patient_reads_what_their_account_granted_newest_first_and_no_rotations() {
    let w = World::new().await;
    let granted = w.connected().await;
    granted.refresh(1).await;
    granted.revoke().await;
    let told: Vec<Event> = lines(&w, "amina", i64::MAX, 10).await.iter().map(|line| line.event).collect();
    assert_eq!(told, [Event::Revoked, Event::CodeRedeemed, Event::Granted]);
    assert!(lines(&w, "ben", i64::MAX, 10).await.is_empty(), "another patient reads nothing of it");
}

#[tokio::test]
async fn accesses_are_written_with_who_and_how_often_and_read_in_pages() {
    let w = World::new().await;
    let client = Some(w.client("letters").await.id);
    let about = About {
        client,
        organisation: Some(w.elsewhere),
        patient: Some(w.patient("amina").await),
        ..Default::default()
    };
    let accesses = (1..=5)
        .map(|times| Accesses { at: NOW, about: about.clone(), what: "Patient", right: Right::Source, times })
        .collect();
    ledger::record(&w.store, accesses).await.unwrap();
    let mut before = i64::MAX;
    let mut read = Vec::new();
    loop {
        let page = lines(&w, "amina", before, 2).await;
        let Some(last) = page.last() else { break };
        before = last.id;
        read.extend(page);
    }
    assert_eq!(read.iter().map(|line| line.times).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
    let first = &read[0];
    assert_eq!((first.at, first.event, first.detail.as_deref()), (NOW, Event::Accessed, Some("Patient")));
    assert_eq!(w.count("SELECT count(*) FROM ledger WHERE patient_id = 'amina' AND by_right = 'source'"), 5);
    assert_eq!((first.product.as_deref(), first.organisation.as_deref()), (Some("LETTERS"), Some("St Elsewhere")));
}

#[tokio::test]
async fn a_rehearsal_tells_what_would_change_and_changes_nothing() {
    let w = World::new().await;
    let mut wanted = world::declared();
    wanted.organisations.push(organisation("new", "New"));
    wanted.users[0].0.name = "Amina K".into();
    let told = store::world::rehearse(&w.store, wanted, NOW).await.unwrap();
    let changed: Vec<(&str, Change)> = told
        .iter()
        .filter(|line| line.change != Change::Unchanged)
        .map(|line| (line.name.as_str(), line.change))
        .collect();
    assert_eq!(changed, [("New", Change::Created), ("amina", Change::Updated)]);
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM organisations"), 1);
    assert_eq!(w.user("amina").await.name, "AMINA");
}
