//! The throttle on logins: per account and per address, reserved before the password is looked at, by a clock that does
//! not jump.

use crate::kit::browser::Browser;
use crate::kit::reply::Reply;
use crate::kit::{DAY, World, fields, form_request};
use axum::http::Method;
use rules::limits::{FAILURE_WINDOW_SECONDS, FAILURES_PER_ACCOUNT};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const AMINA: &str = "amina@example.org";
const WRONG: &str = "not-the-password";

fn wait(reply: &Reply) -> i64 {
    assert_eq!(reply.status, 429, "{}", reply.text());
    reply.header("retry-after").expect("a Retry-After").parse().unwrap()
}

async fn locks_amina(w: &World) {
    for _ in 0..FAILURES_PER_ACCOUNT {
        assert_eq!(Browser::new(w).signs_in(AMINA, WRONG).await.status, 401);
    }
}

async fn amina_from(w: &World, address: IpAddr, password: &str) -> Reply {
    Browser { address, ..Browser::new(w) }.signs_in(AMINA, password).await
}

/// A world in which three failures of an address are enough.
async fn three_per_address() -> World {
    World::embedded_with(|settings| settings.throttle.per_address = 3).await
}

/// Twenty thousand token requests with invented client ids, from as many networks, move nothing among the people.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn a_flood_of_invented_client_ids_frees_no_locked_account_and_locks_no_free_one() {
    let w = World::embedded().await;
    locks_amina(&w).await;
    for number in 0..20_000_u32 {
        let name = format!("invented-{number}");
        let body = fields([("grant_type", "client_credentials"), ("client_id", &name), ("client_secret", "guess")]);
        let address = IpAddr::V4(Ipv4Addr::from_bits(0x0A00_0000 + number));
        let status = w.answers_to(address, form_request("/apiToken.action", &body)).await.status();
        assert_eq!(status.as_u16(), 400, "{number}");
    }
    wait(&Browser::new(&w).signs_in(AMINA, w.amina().account.password).await);
    w.ben().signs_in().await;
    w.client("Lab Link").client_credentials().await.granted();
}

/// An invented name seems to lock as a real one does, so that locking tells nobody who has an account here.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn an_invented_name_seems_to_lock_as_a_real_one_does() {
    let w = World::embedded().await;
    let mut heard = Vec::new();
    for name in [AMINA, "nobody@example.org"] {
        let mut answers = Vec::new();
        for _ in 0..=FAILURES_PER_ACCOUNT {
            let reply = Browser::new(&w).signs_in(name, WRONG).await;
            answers.push((reply.status, reply.header("retry-after").map(String::from)));
        }
        heard.push(answers);
    }
    assert_eq!(heard[0], heard[1]);
    assert_eq!(heard[0].last().unwrap().0, 429);
}

/// Forty guesses at one moment: as many passwords are looked at as may fail, and not one more.
// gaps: The two APIs > Throttling
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_forty_guesses_at_once_no_more_are_looked_at_than_may_fail() {
    let w = World::embedded().await;
    let sealed = w.get("/sign-in").await.page().form("/sign-in").sealed;
    let guess = |number| {
        let filled = fields([("form", &sealed), ("username", AMINA), ("password", &format!("guess-{number}"))]);
        Browser::new(&w).request(Method::POST, "/sign-in", &filled)
    };
    let replies = w.shoots((0..40).map(guess).collect()).await;
    let looked_at = replies.iter().filter(|reply| reply.status == 401).count();
    assert_eq!(looked_at, FAILURES_PER_ACCOUNT as usize);
    assert!(replies.iter().all(|reply| [401, 429].contains(&reply.status)));
    let after = Browser::new(&w).signs_in(AMINA, w.amina().account.password).await;
    assert_eq!(wait(&after), FAILURE_WINDOW_SECONDS);
}

/// Forty right passwords at one moment lock nobody out: whoever is turned away may come back in a second.
// gaps: The two APIs > Throttling
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn right_passwords_at_one_moment_are_let_in_or_asked_to_come_back_at_once() {
    let w = World::embedded().await;
    let (sealed, password) = (w.get("/sign-in").await.page().form("/sign-in").sealed, w.amina().account.password);
    let filled = fields([("form", &sealed), ("username", AMINA), ("password", password)]);
    let replies = w.shoots((0..40).map(|_| form_request("/sign-in", &filled)).collect()).await;
    for reply in replies.iter().filter(|reply| reply.status != 303) {
        assert_eq!(wait(reply), 1);
    }
    assert!(replies.iter().any(|reply| reply.status == 303));
    w.amina().signs_in().await;
}

/// An address over its limit is asked to wait before any password is looked at: its right guess is not let in either.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn an_address_over_its_limit_gets_no_password_looked_at() {
    let w = three_per_address().await;
    let busy = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));
    for number in 0..3 {
        let guess = Browser { address: busy, ..Browser::new(&w) }.signs_in(&format!("guess-{number}"), WRONG).await;
        assert_eq!(guess.status, 401);
    }
    assert_eq!(wait(&amina_from(&w, busy, w.amina().account.password).await), FAILURE_WINDOW_SECONDS);
    let elsewhere = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 8));
    assert_eq!(amina_from(&w, elsewhere, w.amina().account.password).await.status, 303);
}

/// A client with a wrong secret does not lock the people behind the same address out.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn failing_clients_of_an_address_do_not_lock_its_people_out() {
    let w = three_per_address().await;
    let body = fields([("grant_type", "client_credentials"), ("client_id", "lab-link"), ("client_secret", "guess")]);
    let failures = [400, 400, 400, 429];
    for status in failures {
        assert_eq!(w.post_form("/apiToken.action", &body).await.status, status);
    }
    w.amina().signs_in().await;
}

/// One subscriber's /64 is one address, for logins too.
#[tokio::test]
async fn an_ipv6_network_is_one_address_for_logins() {
    let w = three_per_address().await;
    let host = |network: u16, host: u16| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, network, 0, 0, 0, host));
    for number in 0..3 {
        assert_eq!(amina_from(&w, host(1, number), WRONG).await.status, 401);
    }
    wait(&amina_from(&w, host(1, 4711), WRONG).await);
    assert_eq!(amina_from(&w, host(2, 1), WRONG).await.status, 401);
}

/// Behind a proxy that is trusted, the address is the client's; behind none, the header is not believed.
#[tokio::test]
async fn behind_a_trusted_proxy_each_client_is_an_address_of_its_own() {
    for trusted in [false, true] {
        let w = World::embedded_with(|settings| {
            settings.throttle.per_address = 3;
            settings.trust_forwarded_for = trusted;
        })
        .await;
        let sealed = w.get("/sign-in").await.page().form("/sign-in").sealed;
        let mut last = 0;
        for number in 0..4 {
            let filled = fields([("form", &sealed), ("username", AMINA), ("password", WRONG)]);
            let mut post = form_request("/sign-in", &filled);
            post.headers_mut().insert("x-forwarded-for", format!("198.51.100.{number}").parse().unwrap());
            last = w.send(post).await.status;
        }
        assert_eq!(last, if trusted { 401 } else { 429 });
    }
}

/// The machine's clock may be set forth or back: a lock lasts as long as it lasts.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn a_clock_that_jumps_neither_frees_nor_prolongs_a_lock() {
    let w = World::embedded().await;
    locks_amina(&w).await;
    let password = w.amina().account.password;
    for jump in [31 * DAY, -62 * DAY] {
        w.app.clock.jump_seconds(jump);
        assert_eq!(wait(&Browser::new(&w).signs_in(AMINA, password).await), FAILURE_WINDOW_SECONDS);
    }
    w.after(FAILURE_WINDOW_SECONDS - 1);
    assert_eq!(wait(&Browser::new(&w).signs_in(AMINA, password).await), 1);
    w.after(1);
    assert_eq!(Browser::new(&w).signs_in(AMINA, password).await.status, 303);
}

/// The numbers are the operator's.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn the_operator_sets_how_many_failures_are_allowed_within_how_long() {
    let w = World::embedded_with(|settings| {
        settings.throttle.per_account = 2;
        settings.throttle.window = std::time::Duration::from_secs(60);
    })
    .await;
    for status in [401, 401, 429] {
        assert_eq!(Browser::new(&w).signs_in(AMINA, WRONG).await.status, status);
    }
    w.after(60);
    assert_eq!(Browser::new(&w).signs_in(AMINA, WRONG).await.status, 401);
}
