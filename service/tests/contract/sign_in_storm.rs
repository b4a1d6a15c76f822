//! A storm of sign-ins: whoever comes from elsewhere, or with a browser that is known, gets in meanwhile.

use crate::kit::browser::Browser;
use crate::kit::{World, fields};
use axum::http::{Method, StatusCode};
use std::net::{IpAddr, Ipv4Addr};
use tokio::task::JoinSet;

const STORM: usize = 160;
const HONEST: u8 = 8;
const AMINA: &str = "amina@example.org";

fn address(last: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(203, 0, 113, last))
}

/// Where the storm comes from.
fn noisy() -> IpAddr {
    address(0)
}

/// A world in which guessing is not throttled, so that nothing but the queue holds the storm up.
async fn unthrottled() -> World {
    World::embedded_with(|settings| settings.throttle.per_address = 1_000_000).await
}

/// So many connections try invented names from one address at once, until so many wait that one is turned away.
async fn storm(w: &World) -> JoinSet<StatusCode> {
    let sealed = w.get("/sign-in").await.page().form("/sign-in").sealed;
    let mut storm = JoinSet::new();
    for number in 0..STORM {
        let name = format!("invented-{number}");
        let filled = fields([("form", &sealed), ("username", &name), ("password", "guess")]);
        let answer = w.answers_to(noisy(), Browser::new(w).request(Method::POST, "/sign-in", &filled));
        storm.spawn(async { answer.await.status() });
    }
    while let Some(heard) = storm.join_next().await {
        if heard.unwrap() != StatusCode::UNAUTHORIZED {
            return storm;
        }
    }
    panic!("all {STORM} passwords were looked at")
}

// gaps: The two APIs > Sign-ins at once
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_signs_in_elsewhere_gets_in_while_an_address_tries_invented_names() {
    let w = unthrottled().await;
    let storm = storm(&w).await;
    for number in 1..=HONEST {
        let mut browser = Browser { address: address(number), ..Browser::new(&w) };
        let entered = browser.signs_in(AMINA, w.amina().account.password).await;
        assert_eq!(entered.status, 303, "{}", entered.text());
    }
    drop(storm);
}

/// Behind one proxy that is not trusted, everybody is one address: who was here before gets in all the same.
// gaps: The two APIs > Sign-ins at once
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_browser_that_is_known_gets_in_though_its_own_address_storms() {
    let w = unthrottled().await;
    let mut browser = Browser { address: noisy(), ..w.amina().signs_in().await };
    browser.cookies.retain(|name, _| name == "recordgate-known");
    let storm = storm(&w).await;
    let entered = browser.signs_in(AMINA, w.amina().account.password).await;
    assert_eq!(entered.status, 303, "{}", entered.text());
    drop(storm);
}

/// Who is turned away because of a long line hears so as 429, and no guess of theirs was counted.
// gaps: The two APIs > Sign-ins at once
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_finds_a_long_line_hears_429_and_when_to_come_back() {
    let w = unthrottled().await;
    let heard = storm(&w).await.join_all().await;
    assert!(heard.iter().all(|status| [401, 429].contains(&status.as_u16())), "{heard:?}");
    let one_more = Browser { address: noisy(), ..Browser::new(&w) }.signs_in(AMINA, w.amina().account.password).await;
    assert_eq!(one_more.status, 303, "when the line is gone");
}
