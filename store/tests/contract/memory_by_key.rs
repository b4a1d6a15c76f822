//! Whose memory a change ends: what the change concerns is forgotten, and what anybody else has read stays.
//!
//! What is remembered is told from what is read by a change behind the store's back, which only a new read shows.

use crate::grant::Grant;
use crate::home;
use crate::shelf::{Shelf, letter, of_teams, resource};
use crate::world::{ELSEWHERE, NORTH, NOW, SOUTH, World, user};
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::UserType;
use store::revocation::{self, SystemToken};
use store::world::WantedGrant;
use store::{clients, organisations, people, read, world};

fn change_behind_the_stores_back(w: &World, sql: &str) {
    home::beside(w.home.path()).execute_batch(sql).unwrap();
}

/// Of each session, whether it is still answered from memory.
async fn remembered<const N: usize>(sessions: &[&Grant; N]) -> [bool; N] {
    let mut remembered = [false; N];
    for (known, session) in remembered.iter_mut().zip(sessions) {
        *known = session.bearer().await.session.generation < 100;
    }
    remembered
}

/// Amina's and Clara's sessions of Sleep Diary and a team's of Ward Board, each in memory and changed since.
async fn three_sessions(w: &World) -> [Grant; 3] {
    let sessions = [
        w.opened(w.approval("amina").await).await,
        w.opened(w.approval("clara").await).await,
        w.opened(w.team_grant().await).await,
    ];
    assert_eq!(remembered(&sessions.each_ref()).await, [true; 3]);
    change_behind_the_stores_back(w, "UPDATE sessions SET generation = generation + 100");
    assert_eq!(remembered(&sessions.each_ref()).await, [true; 3]);
    sessions
}

#[tokio::test]
async fn editing_a_user_forgets_that_users_sessions_and_nobody_elses() {
    let w = World::new().await;
    let sessions = three_sessions(&w).await;
    people::change(&w.store, "cora".into(), |user| user.name.push('!'), NOW).await.unwrap();
    assert_eq!(remembered(&sessions.each_ref()).await, [true, true, true], "Cora has none");
    people::change(&w.store, "clara".into(), |user| user.name.push('!'), NOW).await.unwrap();
    assert_eq!(remembered(&sessions.each_ref()).await, [true, false, true]);
}

#[tokio::test]
async fn another_team_for_a_user_forgets_that_users_sessions_and_nobody_elses() {
    let w = World::new().await;
    let sessions = three_sessions(&w).await;
    let users = vec![user("clara", UserType::Clinician, None, &[])];
    world::apply(&w.store, world::World { users, ..Default::default() }, NOW).await.unwrap();
    assert_eq!(remembered(&sessions.each_ref()).await, [true, false, true]);
}

#[tokio::test]
async fn editing_a_client_forgets_its_sessions_and_no_other_clients() {
    let w = World::new().await;
    let sessions = three_sessions(&w).await;
    clients::change(&w.store, "letters".into(), |client| client.product.push('!'), NOW).await.unwrap();
    assert_eq!(remembered(&sessions.each_ref()).await, [true, true, true], "a System Client has none");
    clients::change(&w.store, "ward-board".into(), |client| client.product.push('!'), NOW).await.unwrap();
    assert_eq!(remembered(&sessions.each_ref()).await, [true, true, false]);
    clients::change(&w.store, "sleep-diary".into(), |client| client.product.push('!'), NOW).await.unwrap();
    assert_eq!(remembered(&sessions.each_ref()).await, [false, false, false]);
}

#[tokio::test]
async fn revoking_a_session_forgets_that_one_alone() {
    let w = World::new().await;
    let sessions = three_sessions(&w).await;
    assert!(sessions[0].revoke().await);
    assert_eq!(remembered(&sessions.each_ref()).await, [false, true, true]);
}

#[tokio::test]
async fn editing_a_client_or_a_user_forgets_no_other_client() {
    let w = World::new().await;
    let names = ["letters", "sleep-diary"];
    for name in names {
        w.client(name).await;
    }
    change_behind_the_stores_back(&w, "UPDATE clients SET owner = 'another'");
    people::change(&w.store, "amina".into(), |user| user.name.push('!'), NOW).await.unwrap();
    clients::change(&w.store, "letters".into(), |client| client.product.push('!'), NOW).await.unwrap();
    let mut owners = Vec::new();
    for name in names {
        owners.push(w.client(name).await.owner);
    }
    assert_eq!(owners, ["another", "Acme Health"]);
}

#[tokio::test]
async fn a_new_version_forgets_that_resource_alone_and_an_edited_user_none() {
    let shelf = Shelf::new().await;
    let active = |id: &str, active: bool| resource(ResourceType::Patient, id, &format!(r#","active":{active}"#));
    let version = async |patient, id: &str| {
        let found = read::read(&shelf.w.store, &Reach::of_patient(patient), ResourceType::Patient, id, NOW).await;
        found.unwrap().expect("their own").version
    };
    for (id, patient) in [("amina", shelf.amina), ("eva", shelf.eva)] {
        shelf.put_new(active(id, true), shelf.by_elsewhere()).await;
        assert_eq!(version(patient, id).await, 1);
    }
    change_behind_the_stores_back(&shelf.w, "UPDATE resources SET version = 100");
    people::change(&shelf.w.store, "eva".into(), |user| user.name.push('!'), NOW).await.unwrap();
    shelf.register_amina(&[]).await;
    assert_eq!((version(shelf.amina, "amina").await, version(shelf.eva, "eva").await), (1, 1));
    shelf.put(active("amina", false), shelf.by_elsewhere()).await;
    assert_eq!((version(shelf.amina, "amina").await, version(shelf.eva, "eva").await), (101, 1));
}

#[tokio::test]
async fn what_a_team_sees_is_known_until_sight_of_that_patient_changes_and_never_after_it_ends() {
    let shelf = Shelf::new().await;
    let (north, end) = (of_teams(&[shelf.w.north]), Moment(NOW.0 + 1000));
    let version = async |reach: &Reach, id: &str, now: Moment| {
        let found = read::read(&shelf.w.store, reach, ResourceType::DocumentReference, id, now).await.unwrap();
        found.map(|found| found.version)
    };
    shelf.register_amina(&[NORTH]).await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.by_elsewhere()).await;
    change_behind_the_stores_back(&shelf.w, &format!("UPDATE sight SET ends_at = {} WHERE labels > 0", end.0));
    assert_eq!(version(&north, "letter", NOW).await, Some(1));
    // Whoever reads the row itself now is told that it is not as it was written.
    change_behind_the_stores_back(&shelf.w, "UPDATE resources SET version = 100");
    assert_eq!(version(&north, "letter", Moment(end.0 - 1)).await, Some(1), "from memory");
    assert_eq!(version(&north, "letter", end).await, None, "at the very millisecond");
    change_behind_the_stores_back(&shelf.w, "UPDATE resources SET version = 1");
    let own = Reach::of_patient(shelf.amina);
    assert_eq!((version(&own, "letter", NOW).await, version(&north, "letter", NOW).await), (Some(1), Some(1)));
    shelf.register_amina(&[SOUTH]).await;
    assert_eq!(version(&north, "letter", NOW).await, None, "at the very next read");
}

#[tokio::test]
async fn what_is_known_of_a_system_client_ends_with_its_token_its_grant_and_itself_and_with_nobody_elses() {
    let w = World::new().await;
    let client = w.client("letters").await.id;
    let standing = async |organisation: &str, number: i64| {
        let standing = organisations::standing(&w.store, client, organisation, number).await.unwrap();
        let standing = standing.expect("the client");
        (standing.granted_by.is_some(), standing.ended, standing.disabled)
    };
    for number in [7, 8] {
        assert_eq!(standing(ELSEWHERE, number).await, (true, false, false));
        assert_eq!(standing("another", number).await, (false, false, false), "whatever was asked before");
    }
    change_behind_the_stores_back(&w, "UPDATE clients SET disabled_at = 1 WHERE client_id = 'letters'");
    assert_eq!(standing(ELSEWHERE, 7).await, (true, false, false), "from memory");
    change_behind_the_stores_back(&w, "UPDATE clients SET disabled_at = NULL WHERE client_id = 'letters'");
    let token = SystemToken { client, number: 7, expires_at: NOW.plus_seconds(3600) };
    assert!(revocation::end_token(&w.store, token, NOW).await.unwrap());
    assert_eq!(
        (standing(ELSEWHERE, 7).await, standing(ELSEWHERE, 8).await),
        ((true, true, false), (true, false, false))
    );
    assert!(organisations::withdraw(&w.store, w.elsewhere, client, NOW).await.unwrap());
    assert_eq!(standing(ELSEWHERE, 8).await, (false, false, false));
    let again = world::World { organisation_grants: vec![WantedGrant::of(ELSEWHERE, "letters")], ..Default::default() };
    world::apply(&w.store, again, NOW).await.unwrap();
    assert_eq!(standing(ELSEWHERE, 8).await, (true, false, false));
    clients::change(&w.store, "letters".into(), |client| client.disabled_at = Some(NOW), NOW).await.unwrap();
    assert_eq!(standing(ELSEWHERE, 8).await, (true, false, true));
}
