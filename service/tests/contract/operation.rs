//! The service's data and a sandbox's are kept apart, and the sandbox's clock is moved by whom it should be.
//! No clock is believed at once by the sweeper.

use crate::kit::{BASE, DAY, HOUR, NOW, World, request};
use axum::body::Body;
use axum::http::Method;
use service::app::purpose::{self, Purpose, WrongPurpose};
use service::app::sweeper::Sweeper;

// gaps: Operation > Sandbox and real data
#[tokio::test]
async fn the_first_to_open_a_database_marks_it_and_the_other_is_refused() {
    for (first, other) in [(Purpose::Service, Purpose::Sandbox), (Purpose::Sandbox, Purpose::Service)] {
        let w = World::new().await;
        let claim = async |purpose, knowingly| purpose::claim(&w.app.store, purpose, knowingly).await;
        claim(first, false).await.expect("what was only applied and imported is free");
        for _ in 0..2 {
            let refused = claim(other, false).await.expect_err("it is the other's");
            assert!(matches!(refused, WrongPurpose::Sandbox) == (other == Purpose::Service), "{refused}");
            claim(other, true).await.expect("it is done knowingly");
            claim(first, false).await.expect("the mark stays");
        }
    }
}

#[tokio::test]
async fn a_database_without_a_mark_that_has_sessions_is_no_sandbox() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    let refused = purpose::claim(&w.app.store, Purpose::Sandbox, false).await.expect_err("it was served");
    assert!(matches!(refused, WrongPurpose::Service), "{refused}");
    purpose::claim(&w.app.store, Purpose::Service, false).await.expect("which it is for");
}

// gaps: Operation > The sandbox's clock
#[tokio::test]
async fn the_clock_is_moved_and_set_back_by_json_that_no_foreign_page_sent() {
    let w = World::new().await;
    let send = async |headers: &[(&str, &str)], body: &str| {
        let mut sent = request(Method::POST, "/sandbox/clock");
        for (name, value) in headers {
            sent = sent.header(*name, *value);
        }
        w.send(sent.body(Body::from(body.to_owned())).unwrap()).await
    };
    let (json, step) = (("content-type", "application/json"), r#"{"advance_seconds": 3600}"#);
    for foreign in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        send(&[json, foreign], step).await.says_in_rest(403, "this may not be called from a page of another website");
    }
    for other in ["text/plain", "application/x-www-form-urlencoded", "application/fhir+json"] {
        send(&[("content-type", other)], step).await.says_in_rest(415, "send the body with Content-Type");
    }
    send(&[], step).await.says_in_rest(415, "send the body with Content-Type");
    for wrong in [r#"{"reset": false}"#, r#"{"reset": true, "advance_seconds": 1}"#, "{}", "[]", "null"] {
        send(&[json], wrong).await.says_in_rest(400, "send {\"advance_seconds\": N}");
    }
    let start = w.now();
    let own = [json, ("origin", BASE), ("sec-fetch-site", "same-origin")];
    assert_eq!(send(&own, step).await.status, 200);
    assert_eq!(w.now(), start.plus_seconds(HOUR));
    assert_eq!(send(&[json], r#"{"reset": true}"#).await.json()["now"], NOW);
    assert_eq!(w.now(), start);
}

/// How many sessions a sweep of a service removes that starts now.
async fn swept_at_start(w: &World) -> u64 {
    Sweeper::begin(w.app.clone()).await.sweep().await.unwrap().sessions
}

// gaps: Operation > Clocks that leap
#[tokio::test]
async fn a_start_with_a_clock_far_ahead_deletes_nothing_until_the_clock_has_held_for_an_hour() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    let far = 400 * DAY;
    w.app.clock.jump_seconds(far);
    assert_eq!(swept_at_start(&w).await, 0);
    w.app.clock.jump_seconds(-far);
    assert_eq!(swept_at_start(&w).await, 0, "and back it is as if nothing had been");

    w.app.clock.jump_seconds(far);
    let mut sweeper = Sweeper::begin(w.app.clone()).await;
    assert_eq!(sweeper.sweep().await.unwrap().sessions, 0);
    w.after(HOUR - 1);
    assert_eq!(sweeper.sweep().await.unwrap().sessions, 0);
    w.after(1);
    assert_eq!(sweeper.sweep().await.unwrap().sessions, 1);
}

#[tokio::test]
async fn what_a_service_notes_by_a_clock_far_ahead_is_no_reason_to_believe_that_clock() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    w.app.clock.jump_seconds(400 * DAY);
    let mut sweeper = Sweeper::begin(w.app.clone()).await;
    w.amina().approves("Evergreen").await;
    assert_eq!(sweeper.sweep().await.unwrap().sessions, 0);
}

#[tokio::test]
async fn time_that_passes_and_a_sandboxs_moved_clock_are_believed_at_once() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    let mut sweeper = Sweeper::begin(w.app.clone()).await;
    assert_eq!(sweeper.sweep().await.unwrap().sessions, 0);
    w.after(400 * DAY);
    assert_eq!(sweeper.sweep().await.unwrap().sessions, 1);
}
