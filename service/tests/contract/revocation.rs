//! Revocation: a client gives a token up, and what it opened is shut, at once and for good.

use crate::kit::client_app::{ClientApp, basic};
use crate::kit::reply::Reply;
use crate::kit::token_reply::{TokenReply, Tokens};
use crate::kit::{DAY, HOUR, MINUTE, RIVERSIDE, World, fields, form_request, with};
use axum::http::header;
use store::grants::{self, Whose};

const PATH: &str = "/apiRevoke.action";

async fn revoked_why(w: &World) -> Vec<Option<String>> {
    let all = grants::list(&w.app.store, &Whose::Anyone, w.now()).await.unwrap();
    all.into_iter().map(|grant| grant.revoked_why).collect()
}

fn done(reply: &TokenReply) {
    assert_eq!((reply.0.status, reply.0.text().as_str()), (200, "{}"));
}

async fn is_over(app: &ClientApp<'_>, tokens: &Tokens) {
    app.world.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.world.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has been revoked;");
    app.refresh(tokens).await.refused("invalid_grant");
}

/// Whichever token of a session is given up, the session is over; others of the same user go on.
// gaps: Revocation > What it ends
#[tokio::test]
async fn a_refresh_or_access_token_that_is_given_up_ends_its_session_and_no_other() {
    let w = World::new().await;
    let (_, other) = w.amina().approves("Sleep Diary").await;
    for of in [|tokens: &Tokens| tokens.access.clone(), |tokens: &Tokens| tokens.refresh().to_owned()] {
        let (app, tokens) = w.amina().approves("Sleep Diary").await;
        w.calls_fhir_with(&tokens.access).await.opened();
        done(&app.asks_about(PATH, &of(&tokens)).await);
        is_over(&app, &tokens).await;
        done(&app.asks_about(PATH, &of(&tokens)).await);
    }
    w.calls_fhir_with(&other.access).await.opened();
    let ended: Vec<_> = revoked_why(&w).await.into_iter().flatten().collect();
    assert_eq!(ended, ["by-client", "by-client"]);
}

/// A used refresh token and an expired access token are still proof of whose session it is: both end it.
// gaps: Revocation > Old tokens
#[tokio::test]
async fn a_token_of_any_age_ends_its_session() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let second = app.refresh(&first).await.granted();
    done(&app.asks_about(PATH, first.refresh()).await);
    is_over(&app, &second).await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    w.after(11 * MINUTE);
    done(&app.asks_about(PATH, &first.access).await);
    is_over(&app, &first).await;
    assert_eq!(revoked_why(&w).await, [Some("by-client".to_owned()), Some("by-client".to_owned())]);
}

/// A session that has expired stays expired: its tokens go on saying why they no longer work.
#[tokio::test]
async fn a_session_that_is_over_stays_as_it_ended() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY);
    done(&app.asks_about(PATH, tokens.refresh()).await);
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_EXPIRED");
    assert_eq!(revoked_why(&w).await, [None]);
}

/// A System Client's token has no session: it ends alone, and its client can have others.
// gaps: Revocation > A System Client's token
#[tokio::test]
async fn a_system_clients_token_ends_alone_until_it_would_have_expired() {
    let w = World::new().await;
    let lab = w.client("Lab Link");
    let [given_up, kept] =
        [lab.client_credentials().await.granted().access, lab.client_credentials().await.granted().access];
    w.calls_fhir_for(RIVERSIDE, &given_up).await.opened();
    done(&lab.asks_about(PATH, &given_up).await);
    done(&lab.asks_about(PATH, &given_up).await);
    w.calls_fhir_for(RIVERSIDE, &kept).await.opened();
    w.calls_fhir_for(RIVERSIDE, &given_up).await.says(401, "BAD_AUTHENTICATION");
    w.after(59 * MINUTE);
    store::sweep::sweep(&w.app.store, w.now()).await.unwrap();
    w.calls_fhir_for(RIVERSIDE, &given_up).await.says(401, "BAD_AUTHENTICATION");
    w.calls_fhir_for(RIVERSIDE, &kept).await.opened();
    w.after(2 * MINUTE);
    w.calls_fhir_for(RIVERSIDE, &kept).await.says(401, "ACC_TOKEN_EXPIRED");
    done(&lab.asks_about(PATH, &kept).await);
    w.calls_fhir_for(RIVERSIDE, &kept).await.says(401, "ACC_TOKEN_EXPIRED");
}

/// What opens nothing is as the client wants it.
// gaps: Revocation > Unknown tokens
#[tokio::test]
async fn what_is_no_token_of_ours_is_given_up_without_a_word() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let (_, code) = w.amina().gives_code("Sleep Diary").await;
    let damaged = format!("{}AAAAAAAA{}", &tokens.access[..20], &tokens.access[28..]);
    for unknown in ["x", "rga_000000_unknown", "eyJhbGciOiJub25lIn0.e30.", "rgr_", "ü %00", &damaged, &code] {
        done(&app.asks_about(PATH, unknown).await);
    }
    w.calls_fhir_with(&tokens.access).await.opened();
    app.redeem(&code).await.granted();
    let missing = app.posts(PATH, &fields([("token_type_hint", "refresh_token")])).await;
    missing.refused("invalid_request");
}

// gaps: Revocation > Another client's token
#[tokio::test]
async fn another_clients_token_is_refused_and_unharmed() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let system = w.system().await;
    for stranger in ["Pill Box", "Ward Round", "Post Room"] {
        let stranger = w.client(stranger);
        for token in [tokens.refresh(), &tokens.access, &system.access] {
            stranger.asks_about(PATH, token).await.refused("invalid_grant");
        }
    }
    w.calls_fhir_with(&tokens.access).await.opened();
    app.refresh(&tokens).await.granted();
    w.calls_fhir_for(RIVERSIDE, &system.access).await.opened();
}

/// The client says who it is as at the token endpoint; whoever cannot ends nothing.
// gaps: Revocation > Who may
#[tokio::test]
async fn a_client_that_is_not_who_it_says_ends_nothing() {
    let w = World::new().await;
    let (app, tokens) = w.dr_okafor().approves("Ward Round").await;
    let body = fields([("token", tokens.refresh())]);
    let mut tried = form_request(PATH, &body);
    tried.headers_mut().insert(header::AUTHORIZATION, basic("ward-round", "not-the-secret-of-ward-round"));
    let tried = TokenReply::of(w.send(tried).await);
    tried.refused_as(401, "invalid_client");
    assert!(tried.0.header("www-authenticate").unwrap().starts_with("Basic"));
    let named = with(&body, "client_id", "ward-round");
    TokenReply::of(w.post_form(PATH, &named).await).refused("invalid_client");
    TokenReply::of(w.post_form(PATH, &body).await).refused("invalid_request");
    TokenReply::of(w.post_form(&format!("{PATH}?client_id=ward-round"), &named).await).refused("invalid_request");
    let in_body = with(&named, "client_secret", app.registration.secret.unwrap());
    w.calls_fhir_with(&tokens.access).await.opened();
    done(&TokenReply::of(w.post_form(PATH, &in_body).await));
    is_over(&app, &tokens).await;
}

/// The hint is bounded like any parameter, and otherwise makes no difference.
#[tokio::test]
async fn a_hint_is_only_a_hint() {
    let w = World::new().await;
    for hint in ["access_token", "refresh_token", "saml2_token", "ü"] {
        let (app, tokens) = w.amina().approves("Sleep Diary").await;
        let body = fields([("token", tokens.refresh()), ("token_type_hint", hint)]);
        done(&app.posts(PATH, &body).await);
        is_over(&app, &tokens).await;
    }
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let long = "x".repeat(rules::limits::PARAMETER_BYTES + 1);
    let body = fields([("token", tokens.refresh()), ("token_type_hint", &long)]);
    app.posts(PATH, &body).await.refused("invalid_request");
    w.calls_fhir_with(&tokens.access).await.opened();
}

/// A team's grant ends like any other when its client gives it up.
#[tokio::test]
async fn a_tethered_client_gives_up_its_teams_grant() {
    let w = World::new().await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let tokens = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    done(&bridge.asks_about(PATH, &tokens.access).await);
    w.after(HOUR);
    is_over(&bridge, &tokens).await;
}

/// Forty at once, half of them refreshes: every revocation is acknowledged, and nothing of the session lives afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_refresh_that_races_a_revocation_by_the_client_never_survives_it() {
    let w = World::new().await;
    for _ in 0..8 {
        let (app, first) = w.amina().approves("Spotty Signal").await;
        let refresh = || form_request("/apiToken.action", &app.refreshment(first.refresh()));
        let body = fields([("token", first.refresh()), ("client_id", "spotty-signal")]);
        let shots = (0..20).flat_map(|_| [refresh(), form_request(PATH, &body)]).collect();
        let replies = w.shoots(shots).await;
        let (refreshes, endings): (Vec<Reply>, Vec<Reply>) =
            replies.into_iter().partition(|reply| reply.path == "/apiToken.action");
        assert!(endings.iter().all(|reply| reply.status == 200));
        for reply in refreshes.into_iter().filter(|reply| reply.status == 200) {
            is_over(&app, &TokenReply::of(reply).granted()).await;
        }
        is_over(&app, &first).await;
    }
}
