//! The throttle: failed logins and client authentications, per account and per address. Only failures count.

use crate::kit::browser::Browser;
use crate::kit::client_app::{ClientApp, basic};
use crate::kit::reply::Reply;
use crate::kit::token_reply::TokenReply;
use crate::kit::{World, fields, form_request};
use rules::limits::{FAILURE_WINDOW_SECONDS, FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const WRONG: &str = "rgs_not-the-secret-of-this-client";

/// 429 with `Retry-After`, in seconds that the caller can count on.
fn must_wait(reply: &Reply, most: i64) {
    assert_eq!(reply.status, 429, "{}", reply.text());
    let seconds: i64 = reply.header("retry-after").expect("a Retry-After").parse().unwrap();
    assert!((1..=most).contains(&seconds), "{seconds}");
}

async fn from(address: IpAddr, app: &ClientApp<'_>, client_id: &str, secret: &str) -> TokenReply {
    let mut post = form_request("/apiToken.action", &fields([("grant_type", "client_credentials")]));
    post.headers_mut().insert("authorization", basic(client_id, secret));
    TokenReply::of(app.world.send_from(address, post).await)
}

/// A client that fails too often must wait; until then each failure is `invalid_client`.
// gaps: The two APIs > Limits
#[tokio::test]
async fn a_client_account_with_too_many_failures_hears_429_with_retry_after() {
    let w = World::embedded().await;
    let app = w.client("Lab Link");
    let body = fields([("grant_type", "client_credentials")]);
    for _ in 0..FAILURES_PER_ACCOUNT {
        app.asks_as("lab-link", WRONG, &body).await.refused_as(401, "invalid_client");
    }
    must_wait(&app.asks_as("lab-link", WRONG, &body).await.0, FAILURE_WINDOW_SECONDS);
    app.client_credentials().await.granted();
}

/// The window passes with the clock, and the count starts afresh.
// gaps: The two APIs > Limits
#[tokio::test]
async fn when_the_window_has_passed_failures_are_failures_again() {
    let w = World::embedded().await;
    let app = w.client("Lab Link");
    let body = fields([("grant_type", "client_credentials")]);
    for _ in 0..=FAILURES_PER_ACCOUNT {
        app.asks_as("lab-link", WRONG, &body).await;
    }
    w.after(FAILURE_WINDOW_SECONDS - 1);
    must_wait(&app.asks_as("lab-link", WRONG, &body).await.0, 1);
    w.after(1);
    app.asks_as("lab-link", WRONG, &body).await.refused_as(401, "invalid_client");
}

/// An address with too many failures waits for its further failures; an innocent client of it still gets through.
// gaps: The two APIs > Limits
#[tokio::test]
async fn an_innocent_client_behind_a_busy_address_gets_through() {
    let w = World::embedded().await;
    let app = w.client("Lab Link");
    let busy = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));
    for number in 0..FAILURES_PER_ADDRESS {
        from(busy, &app, &format!("guess-{number}"), WRONG).await.refused_as(401, "invalid_client");
    }
    must_wait(&from(busy, &app, "guess-again", WRONG).await.0, FAILURE_WINDOW_SECONDS);
    from(busy, &app, "lab-link", app.registration.secret.unwrap()).await.granted();
    let elsewhere = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 8));
    from(elsewhere, &app, "guess-elsewhere", WRONG).await.refused_as(401, "invalid_client");
}

/// One subscriber's /64 counts as one address; a neighbour's does not.
#[tokio::test]
async fn an_ipv6_network_counts_as_one_address() {
    let w = World::embedded().await;
    let app = w.client("Lab Link");
    let host = |network: u16, host: u16| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, network, 0, 0, 0, host));
    for number in 0..100_u16 {
        from(host(1, number), &app, &format!("guess-{number}"), WRONG).await.refused_as(401, "invalid_client");
    }
    must_wait(&from(host(1, 4711), &app, "guess-again", WRONG).await.0, FAILURE_WINDOW_SECONDS);
    from(host(2, 1), &app, "guess-again", WRONG).await.refused_as(401, "invalid_client");
}

/// `X-Forwarded-For` is believed only where the operator says that a proxy stands in front.
#[tokio::test]
async fn a_client_cannot_escape_the_count_by_a_header_of_its_own() {
    for trusted in [false, true] {
        let w = World::embedded_with(|settings| settings.trust_forwarded_for = trusted).await;
        let mut last = None;
        for number in 0..=FAILURES_PER_ADDRESS {
            let body = fields([("grant_type", "client_credentials"), ("client_id", &format!("guess-{number}"))]);
            let mut post = form_request("/apiToken.action", &body);
            post.headers_mut().insert("x-forwarded-for", format!("198.51.100.{number}").parse().unwrap());
            last = Some(w.send(post).await.status);
        }
        assert_eq!(last, Some(if trusted { 400 } else { 429 }));
    }
}

/// Ten wrong passwords on either page, then 429 on both, even for the right one, until the window has passed.
// gaps: The two APIs > Limits
#[tokio::test]
async fn a_user_account_with_too_many_failures_must_wait_on_both_pages() {
    let w = World::embedded().await;
    let app = w.client("Sleep Diary");
    let mut browser = Browser::new(&w);
    for number in 0..FAILURES_PER_ACCOUNT {
        if number % 2 == 0 {
            assert_eq!(browser.signs_in("amina@example.org", "not-the-password").await.status, 401);
        } else {
            let page = app.sends_to_page(&app.asks()).await;
            let reply = w.amina().decides_with(&page, "approve", "not-the-password").await;
            assert_eq!(reply.redirect().error(), "access_denied");
        }
    }
    must_wait(&browser.signs_in("AMINA@example.org", "river-otter-violin-42").await, FAILURE_WINDOW_SECONDS);
    let page = app.sends_to_page(&app.asks()).await;
    let reply = w.amina().decides(&page, "approve").await;
    reply.error_page(429);
    must_wait(&reply, FAILURE_WINDOW_SECONDS);
    w.ben().approves("Sleep Diary").await;
    w.after(FAILURE_WINDOW_SECONDS);
    w.amina().approves("Sleep Diary").await;
}

/// Success is never counted: signing in right, however often, brings nobody nearer to a wait.
// gaps: The two APIs > Limits
#[tokio::test]
async fn only_failures_are_counted() {
    let w = World::embedded().await;
    for _ in 0..=FAILURES_PER_ACCOUNT {
        w.amina().signs_in().await;
        w.client("Lab Link").client_credentials().await.granted();
    }
    assert_eq!(Browser::new(&w).signs_in("amina@example.org", "not-the-password").await.status, 401);
}

/// Bad codes and refresh tokens are no failed authentications: a public client's mistakes lock nobody out.
#[tokio::test]
async fn a_refused_grant_is_not_a_failed_authentication() {
    let w = World::embedded().await;
    let app = w.client("Sleep Diary");
    for _ in 0..=FAILURES_PER_ACCOUNT {
        app.redeem("rgc_made_up").await.refused("invalid_grant");
    }
}
