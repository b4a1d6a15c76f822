//! Failed sign-ins and client authentications in the log: who, from about where and why, and never what was typed.

use crate::kit::browser::Browser;
use crate::kit::log::Log;
use crate::kit::{World, fields, form_request};
use rules::limits::{FAILURES_PER_ACCOUNT, STRANGERS_LINES};
use serde_json::Value;
use std::net::IpAddr;

const FROM: &str = "192.0.2.77";

/// What a line tells, but for what every line has.
fn told(line: &Value, who: &str) -> (String, String, String) {
    let text = |name: &str| match &line[name] {
        Value::Null => "-".to_owned(),
        Value::Number(number) => number.to_string(),
        other => other.as_str().unwrap().to_owned(),
    };
    assert!(line["request"].is_string(), "{line}");
    (text(who), text("from"), text("why"))
}

fn expected(all: &[(&str, &str)]) -> Vec<(String, String, String)> {
    all.iter().map(|(who, why)| ((*who).into(), "192.0.2.0/24".into(), (*why).into())).collect()
}

// gaps: Operation > Failed authentications
#[tokio::test]
async fn a_failed_sign_in_is_logged_with_the_number_of_a_known_user_and_no_name() {
    let w = World::new().await;
    let address: IpAddr = FROM.parse().unwrap();
    let amina = w.amina().account;
    w.amina().is_frozen().await;
    let (log, _listening) = Log::listen();
    let known = amina.username;
    let number = store::people::find(&w.app.store, known).await.unwrap().unwrap().id.0.to_string();
    for (username, password) in [(known, "not-her-password"), ("password-typed-here", known), (known, amina.password)] {
        let mut browser = Browser { address, ..Browser::new(&w) };
        assert_eq!(browser.signs_in(username, password).await.status, 401);
    }
    let lines = log.lines_that_say("a sign-in failed");
    let found: Vec<_> = lines.iter().map(|line| told(line, "user")).collect();
    assert_eq!(found, expected(&[(&number, "wrong-proof"), ("-", "unknown"), (&number, "shut-out")]));
    assert!(!format!("{lines:?}").contains("password") && !format!("{lines:?}").contains(known), "{lines:?}");
}

#[tokio::test]
async fn a_failed_client_authentication_is_logged_with_a_known_client_id_only() {
    let w = World::new().await;
    let address: IpAddr = FROM.parse().unwrap();
    let (log, _listening) = Log::listen();
    let attempt = async |client_id: &str| {
        let sent =
            [("grant_type", "client_credentials"), ("client_id", client_id), ("client_secret", "not-the-secret")];
        w.send_from(address, form_request("/apiToken.action", &fields(sent))).await.status
    };
    assert_eq!(attempt("lab-link").await, 400);
    assert_eq!(attempt("a-secret-typed-here").await, 400);
    for _ in 1..FAILURES_PER_ACCOUNT {
        attempt("lab-link").await;
    }
    assert_eq!(attempt("lab-link").await, 429);
    let lines = log.lines_that_say("a client authentication failed");
    let found: Vec<_> = lines.iter().map(|line| told(line, "client")).collect();
    assert_eq!(found[..2], expected(&[("lab-link", "wrong-proof"), ("-", "unknown")]));
    assert_eq!(found.last(), expected(&[("lab-link", "throttled")]).first());
    assert!(!format!("{lines:?}").contains("typed-here") && !format!("{lines:?}").contains("not-the-secret"));
}

#[tokio::test]
async fn whoever_guesses_does_not_fill_the_log() {
    let w = World::new().await;
    let (log, _listening) = Log::listen();
    let guess = async |number: u64| {
        let id = format!("guess-{number}");
        let sent = [("grant_type", "client_credentials"), ("client_id", &id), ("client_secret", "guess-guess-guess")];
        w.send(form_request("/apiToken.action", &fields(sent))).await;
    };
    let flood = 2 * STRANGERS_LINES as u64;
    for number in 0..flood {
        guess(number).await;
    }
    assert_eq!(log.lines_that_say("a client authentication failed").len() as f64, STRANGERS_LINES);
    w.after(1);
    guess(flood).await;
    let [line] = &log.lines_that_say("a client authentication failed")[..] else { panic!("one more line") };
    assert_eq!(line["left_out"], flood - STRANGERS_LINES as u64);
}
