//! Concurrency as a shot: 64 callers with one code or one refresh token, and refreshing against revoking.

use crate::kit::caller::fhir_path;
use crate::kit::reply::Reply;
use crate::kit::token_reply::{TokenReply, Tokens};
use crate::kit::{World, fields, form_request, request};
use axum::body::Body;
use axum::http::{Method, Request};
use std::collections::BTreeSet;
use store::grants::{self, Whose};

const CALLERS: usize = 64;
const ROUNDS: usize = 40;

fn volley(body: &[(String, String)]) -> Vec<Request<Body>> {
    (0..CALLERS).map(|_| form_request("/apiToken.action", body)).collect()
}

/// The tokens of those who won; everybody else must have heard `invalid_grant`.
fn winners(replies: Vec<Reply>) -> Vec<Tokens> {
    let mut won = Vec::new();
    for reply in replies.into_iter().map(TokenReply::of) {
        if reply.0.status == 200 {
            won.push(reply.granted());
        } else {
            reply.refused("invalid_grant");
        }
    }
    won
}

/// How often the only session was renewed, its code being the first time.
async fn generation(w: &World) -> i64 {
    let all = grants::list(&w.app.store, &Whose::Anyone, w.now()).await.unwrap();
    assert_eq!(all.len(), 1);
    store::bearer::find(&w.app.store, all[0].id).await.unwrap().unwrap().session.generation
}

async fn revoked_why(w: &World) -> Option<String> {
    grants::list(&w.app.store, &Whose::Anyone, w.now()).await.unwrap()[0].revoked_why.clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_callers_with_one_code_exactly_one_wins_and_its_session_is_revoked() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let won = winners(w.shoots(volley(&app.redemption(&code))).await);
    assert_eq!(won.len(), 1);
    w.calls_fhir_with(&won[0].access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&won[0]).await.refused("invalid_grant");
    assert_eq!(generation(&w).await, 1);
    assert_eq!(revoked_why(&w).await.as_deref(), Some("code-replayed"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_callers_with_one_refresh_token_exactly_one_wins_and_no_branch_lives() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let won = winners(w.shoots(volley(&app.refreshment(first.refresh()))).await);
    assert_eq!(won.len(), 1);
    for tokens in [&first, &won[0]] {
        w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
        app.refresh(tokens).await.refused("invalid_grant");
    }
    assert_eq!(generation(&w).await, 2);
    assert_eq!(revoked_why(&w).await.as_deref(), Some("refresh-token-replayed"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn within_a_retry_window_64_callers_get_the_byte_same_successor_of_one_generation() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Spotty Signal").await;
    let won = winners(w.shoots(volley(&app.refreshment(first.refresh()))).await);
    assert_eq!(won.len(), CALLERS);
    let different: BTreeSet<String> = won.iter().map(|tokens| tokens.body.to_string()).collect();
    assert_eq!(different.len(), 1, "one answer for all");
    assert_eq!(generation(&w).await, 2);
    assert_eq!(revoked_why(&w).await, None);
    w.calls_fhir_with(&won[0].access).await.opened();
    app.refresh(&won[0]).await.granted();
}

/// One refresh against one revocation, many times: whichever comes first, nothing of the session lives afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_refresh_that_races_a_revocation_never_survives_it() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    for _ in 0..ROUNDS {
        let (app, first) = w.amina().approves("Sleep Diary").await;
        let form = amina.revocation("/connected-apps").await;
        let revoke = amina.request(Method::POST, &form.action, &fields([("form", &form.sealed)]));
        let refresh = form_request("/apiToken.action", &app.refreshment(first.refresh()));
        let mut replies = w.shoots(vec![refresh, revoke]).await;
        assert_eq!(replies.pop().unwrap().status, 303);
        for tokens in winners(replies).iter().chain([&first]) {
            w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
            w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has been revoked;");
            app.refresh(tokens).await.refused("invalid_grant");
        }
    }
}

/// Callers of the API while a session is revoked: once the revocation is answered, none is let in any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn once_a_revocation_is_answered_no_call_gets_in() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    for _ in 0..ROUNDS / 4 {
        let (_, tokens) = w.amina().approves("Sleep Diary").await;
        let form = amina.revocation("/connected-apps").await;
        let call = || {
            let path = fhir_path();
            let bearer = format!("Bearer {}", tokens.access);
            request(Method::GET, &path).header("authorization", bearer).body(Body::empty()).unwrap()
        };
        let revoke = amina.request(Method::POST, &form.action, &fields([("form", &form.sealed)]));
        let shots = std::iter::once(revoke).chain((0..16).map(|_| call())).collect();
        assert_eq!(w.shoots(shots).await[0].status, 303);
        for reply in w.shoots((0..16).map(|_| call()).collect()).await {
            assert_eq!(reply.status, 401, "{}", reply.text());
        }
    }
}

/// One authorization page, approved 16 times at once, opens one session.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_page_approved_many_times_at_once_opens_one_session() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let filled = fields([
        ("form", page.hidden_form()),
        ("username", "amina@example.org"),
        ("password", "river-otter-violin-42"),
        ("decision", "approve"),
    ]);
    let replies = w.shoots((0..16).map(|_| form_request(page.action(), &filled)).collect()).await;
    let codes: Vec<String> = replies.iter().filter(|r| r.status == 303).map(|r| r.redirect().code()).collect();
    assert_eq!(codes.len(), 1);
    assert_eq!(grants::list(&w.app.store, &Whose::Anyone, w.now()).await.unwrap().len(), 1);
}
