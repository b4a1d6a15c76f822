//! Logins that were looked at before their user got a new password, or another record: they are worth nothing after it.

use crate::grant::fresh_salt;
use crate::world::{NOW, World};
use store::endings;
use store::opening::{self, Opening};
use store::people::{self, PasswordHash, User};
use store::sign_ins;

/// Amina as a login found her; since then she has a new password.
async fn amina_as_she_was(w: &World) -> User {
    let before = w.user("amina").await;
    let new = PasswordHash("new".into());
    assert!(endings::renew(&w.store, "amina".into(), None, new, None, NOW).await.unwrap().is_some());
    before
}

#[tokio::test]
async fn a_login_by_the_password_of_before_signs_nobody_in() {
    let w = World::new().await;
    let before = amina_as_she_was(&w).await;
    assert_eq!(
        sign_ins::open(
            &w.store,
            &before,
            fresh_salt(),
            ("Firefox on Linux".into(), sign_ins::Entrance::default()),
            NOW
        )
        .await
        .unwrap(),
        None
    );
    let now = w.user("amina").await;
    assert!(
        sign_ins::open(&w.store, &now, fresh_salt(), ("Firefox on Linux".into(), sign_ins::Entrance::default()), NOW)
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(w.count("SELECT count(*) FROM sign_ins"), 1);
}

#[tokio::test]
async fn a_login_by_the_password_of_before_opens_no_session() {
    let w = World::new().await;
    let before = amina_as_she_was(&w).await;
    let by = |user: &User| Opening { login: Some(user.clone()), ..w.bare_approval() };
    assert_eq!(opening::open(&w.store, by(&before), NOW).await.unwrap(), None);
    assert!(opening::open(&w.store, by(&w.user("amina").await), NOW).await.unwrap().is_some());
    assert_eq!(w.count("SELECT count(*) FROM sessions"), 1);
}

/// Amina's account is given another record while she is logging in: nobody granted that one.
#[tokio::test]
async fn a_login_to_the_record_of_before_opens_nothing() {
    let w = World::new().await;
    let before = w.user("amina").await;
    people::change(&w.store, "amina".into(), |user| user.patient_id = Some("ben".into()), NOW).await.unwrap();
    assert_eq!(
        sign_ins::open(
            &w.store,
            &before,
            fresh_salt(),
            ("Firefox on Linux".into(), sign_ins::Entrance::default()),
            NOW
        )
        .await
        .unwrap(),
        None
    );
    let opening = Opening { login: Some(before), ..w.bare_approval() };
    assert_eq!(opening::open(&w.store, opening, NOW).await.unwrap(), None);
}

#[tokio::test]
async fn whoever_knew_the_password_of_before_cannot_set_another() {
    let w = World::new().await;
    let before = amina_as_she_was(&w).await;
    let theirs = PasswordHash("a thief's".into());
    let known = Some(before.password_hash);
    assert!(endings::renew(&w.store, "amina".into(), known, theirs, None, NOW).await.unwrap().is_none());
    assert_eq!(w.user("amina").await.password_hash, PasswordHash("new".into()));
}

/// Thirty logins and a new password at once: whatever signed in before it is signed out by it, and nothing signs in after.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_login_slips_past_a_new_password() {
    let w = World::new().await;
    let before = w.user("amina").await;
    let logins: Vec<_> = (0..30)
        .map(|_| {
            let (store, before) = (w.store.clone(), before.clone());
            tokio::spawn(async move {
                sign_ins::open(
                    &store,
                    &before,
                    fresh_salt(),
                    ("Firefox on Linux".into(), sign_ins::Entrance::default()),
                    NOW,
                )
                .await
                .unwrap()
            })
        })
        .collect();
    let new = PasswordHash("new".into());
    endings::renew(&w.store, "amina".into(), None, new, None, NOW).await.unwrap();
    for login in logins {
        login.await.unwrap();
    }
    assert_eq!(w.count("SELECT count(*) FROM sign_ins WHERE ended_at IS NULL"), 0);
}
