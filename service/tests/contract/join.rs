//! The page on which somebody who was invited makes their account.

use crate::kit::browser::Browser;
use crate::kit::log::Log;
use crate::kit::organisations::{HILLSIDE_TEAM, RIVERSIDE_TEAM};
use crate::kit::page::Page;
use crate::kit::records::{NHS_NUMBER, import};
use crate::kit::reply::Reply;
use crate::kit::{DAY, HILLSIDE, RIVERSIDE, World, fields};
use crate::records::invitations::{CARLA_NHS, INVITE, Invited, carla, invites, registers, with_carla};
use axum::http::Method;
use rules::limits::{FAILURE_WINDOW_SECONDS, FAILURES_PER_ACCOUNT, FORM_SECONDS, INVITATION_TRIES};
use serde_json::json;
use service::app::config::RequestLog;
use store::people;

pub const EMAIL: &str = "carla@mail.example";
pub const PASSWORD: &str = "lantern-otter-quilt-90";
const BORN: [&str; 3] = ["1", "2", "1985"];
const NOT_OPEN: &str = "open no invitation";

pub async fn carlas(w: &World) -> Invited {
    invites(&w.system().await, &[(NHS_NUMBER, CARLA_NHS)]).await.remove(0)
}

/// Fills the first page in and sends it.
async fn opens(browser: &mut Browser<'_>, code: &str, token: &str, [day, month, year]: [&str; 3]) -> Reply {
    let sealed = browser.sees("/join").await.form("/join").sealed;
    let filled =
        [("form", sealed.as_str()), ("t1", code), ("t2", token), ("day", day), ("month", month), ("year", year)];
    browser.post("/join", &fields(filled)).await
}

/// The second page of somebody to whom the first one opened.
pub async fn opened(browser: &mut Browser<'_>, one: &Invited) -> Page {
    let reply = opens(browser, &one.code, &one.token, BORN).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.page()
}

/// Fills the second page in and sends it.
async fn chooses(browser: &mut Browser<'_>, page: &Page, email: &str, password: &str, repeated: &str) -> Reply {
    let sealed = page.form("/join").sealed;
    let filled = [("form", sealed.as_str()), ("e", email), ("password", password), ("repeated", repeated)];
    browser.post("/join", &fields(filled)).await
}

/// A refusal of the first page, in the words that are always the same.
fn opens_nothing(reply: &Reply) -> String {
    assert_eq!(reply.status, 400, "{}", reply.text());
    let html = reply.text();
    assert!(html.contains(NOT_OPEN), "{html}");
    let (_, told) = html.split_once("<p id=\"problem\">").unwrap();
    told.split("</p>").next().unwrap().to_owned()
}

async fn has_account(w: &World, email: &str) -> bool {
    people::find(&w.app.store, email).await.unwrap().is_some()
}

// gaps: Pages > Making an account by invitation
#[tokio::test]
async fn somebody_who_was_invited_makes_an_account_and_signs_in_to_their_own_record() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    let link = format!("?t1={}&t2={}&e=carla%40mail.example", one.code, one.token);
    for path in ["/join", "/join/riverside"] {
        let first = browser.sees(&format!("{path}{link}")).await;
        for filled in [&one.code, &one.token, &EMAIL.to_owned()] {
            assert!(first.html.contains(&format!("value=\"{filled}\"")), "{}", first.html);
        }
    }
    let second = opened(&mut browser, &one).await;
    assert!(second.html.contains("Riverside") && !second.html.contains(&one.token), "{}", second.html);
    let made = chooses(&mut browser, &second, "Carla@Mail.example", PASSWORD, PASSWORD).await;
    assert_eq!((made.redirect().to.as_str(), made.redirect().get("why")), ("/sign-in", Some("account-made")));
    assert!(browser.sees("/sign-in?why=account-made").await.html.contains("Your account is made."));
    assert_eq!(browser.signs_in(EMAIL, PASSWORD).await.status, 303);
    let home = browser.sees("/").await.html;
    assert!(home.contains("Carla Maria New"), "{home}");
    assert!(home.contains("made by the invitation of <strong>Riverside</strong>"), "{home}");
    let log = browser.sees("/access-log").await.html;
    let used = "The invitation to make an account was used, which came from Riverside";
    for told in ["You were invited by Riverside", used, "Your account was made"] {
        assert!(log.contains(told), "{told} in {log}");
    }
    opens_nothing(&opens(&mut Browser::new(&w), &one.code, &one.token, BORN).await);
    let again = w.system().await.post(INVITE, &crate::records::invitations::about(&[(NHS_NUMBER, CARLA_NHS)])).await;
    assert_eq!(again.opened().json(), json!({ "resourceType": "Parameters" }));
}

#[tokio::test]
async fn code_and_token_are_read_however_they_are_typed() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let (code, token) = (one.code.to_lowercase().replace('-', " "), one.token.to_lowercase().replace('-', ""));
    let reply = opens(&mut Browser::new(&w), &code, &token, ["01", "02", "1985"]).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
}

/// Whatever was wrong, the words are the same, and nothing is different afterwards.
#[tokio::test]
async fn every_failure_is_told_in_the_same_words() {
    let w = with_carla().await;
    let (first, one) = (carlas(&w).await, carlas(&w).await);
    let mut browser = Browser::new(&w);
    let wrong_token = format!("{}0000", &one.token[..one.token.len() - 4]);
    let mut told = Vec::new();
    for (code, token, born) in [
        ("0000-0000-0000", one.token.as_str(), BORN),
        (&one.code, &wrong_token, BORN),
        (&one.code, &one.token, ["2", "2", "1985"]),
        (&one.code, &one.token, ["31", "2", "1985"]),
        (&first.code, &first.token, BORN),
        (&one.code, &first.token, BORN),
        (&one.code, "", BORN),
        ("", &one.token, BORN),
    ] {
        told.push(opens_nothing(&opens(&mut browser, code, token, born).await));
    }
    assert!(told.iter().all(|words| *words == told[0]), "{told:?}");
    opened(&mut browser, &one).await;
    w.after(30 * DAY);
    assert_eq!(opens_nothing(&opens(&mut browser, &one.code, &one.token, BORN).await), told[0]);
}

#[tokio::test]
async fn what_is_no_date_is_told_and_costs_no_try() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    for _ in 0..=FAILURES_PER_ACCOUNT {
        let reply = opens(&mut browser, &one.code, &one.token, ["1", "May", "1985"]).await;
        assert_eq!(reply.status, 400);
        assert!(reply.text().contains("must have a day, a month and a year"), "{}", reply.text());
    }
    opened(&mut browser, &one).await;
}

#[tokio::test]
async fn whoever_fails_too_often_must_wait_by_the_invitation_and_by_an_invented_code() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    for code in [one.code.as_str(), "0000-0000-0000"] {
        for _ in 0..FAILURES_PER_ACCOUNT {
            opens_nothing(&opens(&mut browser, code, "wrong", BORN).await);
        }
        opens(&mut browser, code, &one.token, BORN).await.error_page(429);
    }
    w.after(FAILURE_WINDOW_SECONDS);
    opened(&mut browser, &one).await;
}

/// Who has the letter and guesses the date does not have a month for it.
#[tokio::test]
async fn too_many_wrong_dates_of_birth_end_the_invitation() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    for number in 1..INVITATION_TRIES {
        opens_nothing(&opens(&mut browser, &one.code, &one.token, [&number.to_string(), "3", "1985"]).await);
        w.after(FAILURE_WINDOW_SECONDS);
    }
    opened(&mut browser, &one).await;
    for number in 1..=INVITATION_TRIES {
        opens_nothing(&opens(&mut browser, &one.code, &one.token, [&number.to_string(), "3", "1985"]).await);
        w.after(FAILURE_WINDOW_SECONDS);
    }
    opens_nothing(&opens(&mut browser, &one.code, &one.token, BORN).await);
    let next = carlas(&w).await;
    opened(&mut browser, &next).await;
}

/// A try is counted before the date is looked at.
#[tokio::test]
async fn forty_guesses_at_once_are_no_more_than_the_tries_that_there_are() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let guesses = (0..40).map(|number| {
        let (w, one) = (&w, &one);
        async move {
            opens(&mut Browser::new(w), &one.code, &one.token, [&(number % 28 + 1).to_string(), "3", "1985"]).await
        }
    });
    let answers = futures_util::future::join_all(guesses).await;
    let looked_at = answers.iter().filter(|answer| answer.status == 400).count();
    assert!(looked_at <= FAILURES_PER_ACCOUNT as usize, "{looked_at}");
    assert!(answers.iter().all(|answer| [400, 429].contains(&answer.status)));
}

#[tokio::test]
async fn an_address_that_is_taken_leaves_the_invitation_and_is_told_to_nobody_else() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let taken = w.amina().account.username;
    let mut browser = Browser::new(&w);
    let second = opened(&mut browser, &one).await;
    for _ in 0..FAILURES_PER_ACCOUNT {
        let reply = chooses(&mut browser, &second, &taken.to_uppercase(), PASSWORD, PASSWORD).await;
        assert_eq!(reply.status, 400);
        assert!(reply.text().contains("There is an account with this e-mail address already"), "{}", reply.text());
    }
    chooses(&mut browser, &second, taken, PASSWORD, PASSWORD).await.error_page(429);
    w.after(FAILURE_WINDOW_SECONDS);
    let made = chooses(&mut browser, &second, EMAIL, PASSWORD, PASSWORD).await;
    assert_eq!(made.redirect().to, "/sign-in");
    let stranger = browser.sees("/join").await;
    let reply = chooses(&mut browser, &stranger, taken, PASSWORD, PASSWORD).await;
    assert!(reply.status == 400 && !reply.text().contains("already"), "{}", reply.text());
    assert_eq!(w.amina().signs_in().await.get("/").await.status, 200, "Amina's password is her own still");
}

#[tokio::test]
async fn the_rules_of_passwords_and_addresses_hold_here_too() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    let second = opened(&mut browser, &one).await;
    for (email, password, repeated, told) in [
        ("carla", PASSWORD, PASSWORD, "That is no e-mail address"),
        ("", PASSWORD, PASSWORD, "That is no e-mail address"),
        (EMAIL, "short", "short", "at least 10 characters"),
        (EMAIL, "", "", "at least 10 characters"),
        (EMAIL, "CARLA@mail.example", "CARLA@mail.example", "must not be the username"),
        (EMAIL, "1234567890", "1234567890", "commonest"),
        (EMAIL, PASSWORD, "lantern-otter-quilt-91", "not typed the same way twice"),
    ] {
        let reply = chooses(&mut browser, &second, email, password, repeated).await;
        assert_eq!(reply.status, 400);
        assert!(reply.text().contains(told), "{told} in {}", reply.text());
    }
    assert!(!has_account(&w, EMAIL).await);
    assert_eq!(chooses(&mut browser, &second, EMAIL, PASSWORD, PASSWORD).await.status, 303);
}

/// The second page is as good as what it stands on at that moment.
#[tokio::test]
async fn what_happens_meanwhile_ends_the_second_page_in_the_same_words() {
    for meanwhile in ["died", "deleted", "renewed", "reborn", "younger"] {
        let w = with_carla().await;
        let one = carlas(&w).await;
        let mut browser = Browser::new(&w);
        let second = opened(&mut browser, &one).await;
        let mut changed = carla();
        match meanwhile {
            "died" => changed["deceasedBoolean"] = json!(true),
            "reborn" => changed["birthDate"] = json!("1985-02-03"),
            "younger" => changed["birthDate"] = json!("2020-02-01"),
            "renewed" => drop(carlas(&w).await),
            _ => {
                let deleted = w.system().await.send(Method::DELETE, "/fhir/Patient/carla", &[], String::new()).await;
                assert_eq!(deleted.status, 204, "{}", deleted.text());
            }
        }
        if meanwhile != "deleted" && meanwhile != "renewed" {
            import(&w.app.store, RIVERSIDE, &[changed], w.now()).await;
        }
        opens_nothing(&chooses(&mut browser, &second, EMAIL, PASSWORD, PASSWORD).await);
        assert!(!has_account(&w, EMAIL).await, "{meanwhile}");
    }
}

// gaps: Pages > Making an account by invitation
#[tokio::test]
async fn a_patient_whom_no_team_of_the_organisation_has_any_more_makes_no_account_of_its_invitation() {
    let w = World::new().await;
    import(&w.app.store, HILLSIDE, &[carla()], w.now()).await;
    registers(&w, "carla", &[RIVERSIDE_TEAM]).await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    let second = opened(&mut browser, &one).await;
    registers(&w, "carla", &[HILLSIDE_TEAM]).await;
    opens_nothing(&chooses(&mut browser, &second, EMAIL, PASSWORD, PASSWORD).await);
    opens_nothing(&opens(&mut browser, &one.code, &one.token, BORN).await);
    assert!(!has_account(&w, EMAIL).await);
    let theirs = invites(&w.system_for_hillside().await, &[(NHS_NUMBER, CARLA_NHS)]).await.remove(0);
    let page = opened(&mut browser, &theirs).await;
    assert!(page.html.contains("Hillside"), "{}", page.html);
}

#[tokio::test]
async fn of_many_who_redeem_one_invitation_at_once_one_has_an_account() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let second = opened(&mut Browser::new(&w), &one).await;
    let tries = (0..8).map(|number| {
        let (w, second) = (&w, &second);
        async move {
            let email = format!("carla{number}@mail.example");
            chooses(&mut Browser::new(w), second, &email, PASSWORD, PASSWORD).await.status
        }
    });
    let mut answers = futures_util::future::join_all(tries).await;
    answers.sort_unstable();
    assert_eq!(answers, [303, 400, 400, 400, 400, 400, 400, 400]);
}

#[tokio::test]
async fn a_form_of_another_website_and_one_that_was_open_for_too_long_are_refused() {
    let w = with_carla().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    let second = opened(&mut browser, &one).await;
    let mut foreign = browser.clone();
    foreign.fetch_site = Some("cross-site");
    chooses(&mut foreign, &second, EMAIL, PASSWORD, PASSWORD).await.error_page(403);
    w.after(FORM_SECONDS);
    let stale = chooses(&mut browser, &second, EMAIL, PASSWORD, PASSWORD).await;
    assert!(stale.status == 400 && stale.text().contains("open for too long"), "{}", stale.text());
    let sign_in = browser.sees("/sign-in").await.form("/sign-in").sealed;
    let borrowed = [("form", sign_in.as_str()), ("e", EMAIL), ("password", PASSWORD), ("repeated", PASSWORD)];
    assert_eq!(browser.post("/join", &fields(borrowed)).await.status, 400);
    assert!(!has_account(&w, EMAIL).await);
}

#[tokio::test]
async fn no_log_tells_a_token_or_who_was_born_when() {
    let w = World::with(|settings| settings.log_requests = RequestLog::All).await;
    import(&w.app.store, RIVERSIDE, &[carla()], w.now()).await;
    registers(&w, "carla", &[RIVERSIDE_TEAM]).await;
    let one = carlas(&w).await;
    let (log, _guard) = Log::listen();
    let mut browser = Browser::new(&w);
    browser.sees(&format!("/join?t1={}&t2={}", one.code, one.token)).await;
    opens_nothing(&opens(&mut browser, &one.code, &one.token, ["3", "2", "1985"]).await);
    opens_nothing(&opens(&mut browser, "0000-0000-0000", &one.token, BORN).await);
    let second = opened(&mut browser, &one).await;
    chooses(&mut browser, &second, EMAIL, PASSWORD, PASSWORD).await.redirect();
    let lines = log.lines();
    let failures: Vec<_> =
        lines.iter().filter(|line| line.to_string().contains("a try at an invitation failed")).collect();
    assert_eq!(failures.len(), 2, "{lines:?}");
    let told = serde_json::to_string(&lines).unwrap();
    // The year stands by itself: the milliseconds of a request may have the same digits among theirs.
    for secret in [one.token.as_str(), &one.token.replace('-', ""), "1985-", "=1985", "\"1985\"", EMAIL, PASSWORD] {
        assert!(!told.contains(secret), "{secret} in {told}");
    }
}
