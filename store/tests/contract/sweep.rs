//! Sweeping: bounded, exact at its limits, and careful with what is still needed.

use crate::grant::Grant;
use crate::world::{NOW, TERMS, World, registered};
use rules::limits::{ENDED_TOKEN_KEPT_SECONDS, OVER_KEPT_SECONDS, SIGN_IN_LONGEST_SECONDS, UNREDEEMED_KEPT_SECONDS};
use rules::moment::Moment;
use store::ledger::Event;
use store::opening::{self, Opening, SpentForm};
use store::revocation::{self, SystemToken};
use store::sweep::{BATCH, Swept, sweep};
use store::{sessions, sign_ins};

const NOTHING: Swept = Swept {
    sessions: 0,
    forms: 0,
    assertions: 0,
    proofs: 0,
    sign_ins: 0,
    tokens: 0,
    exports: 0,
    invitations: 0,
    attachments: 0,
    more: false,
};

fn just_before(moment: Moment) -> Moment {
    Moment(moment.0 - 1)
}

async fn swept(w: &World, now: Moment) -> Swept {
    sweep(&w.store, now).await.expect("the store answers")
}

async fn assert_swept_exactly_at(w: &World, limit: Moment) {
    assert_eq!(swept(w, just_before(limit)).await, NOTHING);
    assert_eq!(swept(w, limit).await, Swept { sessions: 1, ..NOTHING });
    assert_eq!(swept(w, limit).await, NOTHING);
}

#[tokio::test]
async fn a_session_whose_code_was_never_redeemed_is_swept_exactly_at_the_limit() {
    let w = World::new().await;
    w.approved().await;
    assert_swept_exactly_at(&w, NOW.plus_seconds(UNREDEEMED_KEPT_SECONDS)).await;
}

#[tokio::test]
async fn an_expired_session_is_swept_exactly_at_the_limit() {
    let w = World::new().await;
    let end = w.connected().await.bearer().await.session.ends_at.expect("an end");
    assert_swept_exactly_at(&w, end.plus_seconds(OVER_KEPT_SECONDS)).await;
}

#[tokio::test]
async fn a_session_that_was_refreshed_and_then_swept_is_unknown_even_to_the_writer_that_refreshed_it() {
    let w = World::new().await;
    let granted = w.connected().await;
    granted.refresh(1).await;
    let end = granted.bearer().await.session.ends_at.expect("an end").plus_seconds(OVER_KEPT_SECONDS);
    assert_eq!(swept(&w, end).await.sessions, 1);
    let refreshed =
        sessions::refresh(&w.store, registered(granted.client, TERMS), granted.refresh_token(2), None, end).await;
    assert!(refreshed.expect("the store answers").is_none());
}

#[tokio::test]
async fn a_revoked_session_is_swept_exactly_at_the_limit() {
    let w = World::new().await;
    w.connected().await.revoke().await;
    assert_swept_exactly_at(&w, NOW.plus_seconds(OVER_KEPT_SECONDS)).await;
}

#[tokio::test]
async fn what_is_alive_is_kept_for_ever() {
    let w = World::new().await;
    let endless = |opening: Opening| Opening { session_seconds: None, ..opening };
    let redeemed: Grant = w.opened(endless(w.approval("amina").await)).await;
    redeemed.redeem().await;
    let tethered = w.opened(endless(w.team_grant().await)).await;
    let a_century_later = NOW.plus_seconds(100 * 365 * 86_400);
    assert_eq!(swept(&w, a_century_later).await, NOTHING);
    for granted in [redeemed, tethered] {
        assert_eq!(granted.bearer().await.session.generation, 1);
    }
}

#[tokio::test]
async fn a_tethered_session_is_kept_though_it_never_had_a_code() {
    let w = World::new().await;
    w.opened(w.team_grant().await).await;
    assert_eq!(swept(&w, NOW.plus_seconds(UNREDEEMED_KEPT_SECONDS)).await, NOTHING);
}

#[tokio::test]
async fn a_used_form_is_forgotten_exactly_when_it_has_expired_anyway() {
    let w = World::new().await;
    let expires_at = NOW.plus_seconds(1800);
    assert!(opening::spend_form(&w.store, SpentForm { id: 9, expires_at }).await.unwrap());
    assert_eq!(swept(&w, just_before(expires_at)).await, NOTHING);
    assert_eq!(swept(&w, expires_at).await, Swept { forms: 1, ..NOTHING });
}

#[tokio::test]
async fn a_sign_in_is_swept_exactly_when_it_would_be_over_in_any_case() {
    let w = World::new().await;
    let id = sign_ins::open(
        &w.store,
        &w.user("amina").await,
        crate::grant::fresh_salt(),
        ("Firefox on Linux".into(), sign_ins::Entrance::default()),
        NOW,
    )
    .await
    .unwrap();
    let id = id.expect("her password is what it was");
    let limit = NOW.plus_seconds(SIGN_IN_LONGEST_SECONDS);
    assert_eq!(swept(&w, just_before(limit)).await, NOTHING);
    assert!(sign_ins::find(&w.store, id).await.unwrap().is_some());
    assert_eq!(swept(&w, limit).await, Swept { sign_ins: 1, ..NOTHING });
    assert!(sign_ins::find(&w.store, id).await.unwrap().is_none());
}

#[tokio::test]
async fn one_sweep_takes_one_batch_and_says_whether_there_is_more() {
    let w = World::new().await;
    let batch = u64::try_from(BATCH).unwrap();
    let openings = (0..2 * batch + 1).map(|_| w.bare_approval()).collect();
    opening::open_many(&w.store, openings, NOW).await.unwrap();
    let later = NOW.plus_seconds(UNREDEEMED_KEPT_SECONDS);
    for (sessions, more) in [(batch, true), (batch, true), (1, false), (0, false)] {
        assert_eq!(swept(&w, later).await, Swept { sessions, more, ..NOTHING });
    }
}

#[tokio::test]
async fn a_full_batch_of_forms_alone_means_that_there_is_more() {
    let w = World::new().await;
    let openings = (0..BATCH + 3).map(|id| {
        let form = Some(SpentForm { id, expires_at: NOW });
        Opening { session_seconds: None, code: None, form, ..w.bare_approval() }
    });
    opening::open_many(&w.store, openings.collect(), NOW).await.unwrap();
    let batch = u64::try_from(BATCH).unwrap();
    assert_eq!(swept(&w, NOW).await, Swept { forms: batch, more: true, ..NOTHING });
    assert_eq!(swept(&w, NOW).await, Swept { forms: 3, ..NOTHING });
}

#[tokio::test]
async fn the_oldest_go_first_and_the_ledger_stays() {
    let w = World::new().await;
    let young = opening::open(&w.store, w.bare_approval(), NOW.plus_seconds(1)).await.unwrap().unwrap();
    let openings = (0..BATCH).map(|_| w.bare_approval()).collect();
    opening::open_many(&w.store, openings, NOW).await.unwrap();
    let granted = w.noted(Event::Granted).await;
    let later = NOW.plus_seconds(UNREDEEMED_KEPT_SECONDS + 1);
    assert!(swept(&w, later).await.more);
    assert!(store::bearer::find(&w.store, young).await.unwrap().is_some());
    assert_eq!(w.noted(Event::Granted).await, granted);
}

#[tokio::test]
async fn an_ended_token_is_void_until_no_clock_can_take_it_for_valid_and_then_forgotten() {
    let w = World::new().await;
    let client = w.client("letters").await.id;
    let ended = async |number| {
        let standing = store::organisations::standing(&w.store, client, "", number).await.unwrap();
        standing.expect("the client").ended
    };
    let token = SystemToken { client, number: 7, expires_at: NOW.plus_seconds(3600) };
    assert!(!ended(7).await);
    assert!(revocation::end_token(&w.store, token, NOW).await.unwrap());
    assert!(!revocation::end_token(&w.store, token, NOW).await.unwrap(), "it was ended before");
    assert!(ended(7).await && !ended(8).await);
    let limit = token.expires_at.plus_seconds(ENDED_TOKEN_KEPT_SECONDS);
    assert_eq!(swept(&w, just_before(limit)).await, NOTHING);
    assert!(ended(7).await);
    assert_eq!(swept(&w, limit).await, Swept { tokens: 1, ..NOTHING });
    assert!(!ended(7).await);
}
