//! The guide: what it tells is true, and what it says to type works as printed.

use crate::sandbox::browser::SocketBrowser;
use crate::sandbox::house::{House, LARKFIELD, MARSH_LANE};
use serde_json::Value;
use service::sandbox::{self, Preparation};
use std::process::Command;

fn list<'g>(guide: &'g Value, name: &str) -> &'g Vec<Value> {
    guide[name].as_array().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_login_of_the_guide_works() {
    let house = House::new().await;
    let guide = house.guide();
    let mut types = Vec::new();
    for login in list(&guide, "logins") {
        let text = |name: &str| login[name].as_str().unwrap();
        let mut browser = SocketBrowser::default();
        let url = format!("{}/sign-in", house.base_url);
        let page = browser.get(&url).await;
        let fields = [("username", text("username")), ("password", text("password"))];
        let signed_in = browser.press(&page, &url, &fields).await;
        assert_eq!(signed_in.status, 303, "{} can sign in", text("username"));
        let fault = rules::passwords::fault(text("password"), text("username"));
        assert_eq!(fault, None, "{} has a password that may be chosen", text("username"));
        types.push(text("type").to_owned());
    }
    for needed in ["PATIENT", "CLINICIAN", "TEAMCOORD", "ADMIN", "PRIVACY_OFFICER"] {
        assert!(types.iter().any(|one| one == needed), "there is a {needed}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_are_too_many_to_be_listed_sign_in_with_the_one_password_that_the_guide_says() {
    let house = House::new().await;
    let guide = sandbox::guide(Preparation::Loaded, &house.base_url, None).unwrap().text(false);
    let line = guide.lines().find(|line| line.contains("36 more patients")).unwrap();
    let (_, said) = line.split_once("all with the password ").unwrap();
    let (password, others) = said.split_once(": ").unwrap();
    let mut browser = SocketBrowser::default();
    let url = format!("{}/sign-in", house.base_url);
    let page = browser.get(&url).await;
    let fields = [("username", others.split(',').next().unwrap()), ("password", password)];
    assert_eq!(browser.press(&page, &url, &fields).await.status, 303, "{line}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_addresses_of_the_guide_answer() {
    let house = House::new().await;
    let guide = house.guide();
    for (name, status) in [("sign_in", 200), ("sample_app", 200), ("clock", 200)] {
        let url = guide["addresses"][name].as_str().unwrap();
        assert_eq!(SocketBrowser::default().get(url).await.status, status, "{name}");
    }
    assert_eq!(list(&guide, "organisations").len(), 2);
    assert_eq!(guide["organisations"][0]["public_id"], LARKFIELD);
    assert_eq!(guide["organisations"][0]["has_granted"][0], "letter-post");
    assert_eq!(guide["organisations"][1]["public_id"], MARSH_LANE);
    assert!(list(&guide["organisations"][1], "has_granted").is_empty());
    house.close().await;
}

/// Runs lines of the guide in a shell, as somebody would who copied them, and gives what they print.
async fn copied(lines: Vec<String>) -> String {
    let ran = tokio::task::spawn_blocking(move || Command::new("sh").args(["-ec", &lines.join("\necho\n")]).output());
    let output = ran.await.unwrap().expect("a shell must be there");
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "is curl installed (apt-get install curl)? {out}{err}");
    out
}

/// The lines of the example whose description begins with `about`.
fn example(guide: &Value, about: &str) -> Vec<String> {
    let examples = list(guide, "examples");
    let found = examples.iter().find(|example| example["about"].as_str().unwrap().starts_with(about));
    let lines = found.unwrap_or_else(|| panic!("no example of {about}"))["do"].as_array().unwrap();
    lines.iter().map(|line| line.as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_system_client_lines_find_the_patient_and_the_unread_letter() {
    let house = House::new().await;
    let said = copied(example(&house.guide(), "A System Client")).await;
    assert!(said.contains(r#""id":"amina-okafor""#), "the patient is found: {said}");
    assert!(said.contains(r#""name":"read","valueBoolean":false"#), "the letter is unread: {said}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_lines_move_the_clock() {
    let house = House::new().await;
    let said = copied(example(&house.guide(), "Move the clock")).await;
    assert_eq!(said.matches(r#"{"now":""#).count(), 3, "asked, moved, and set back: {said}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_by_hand_walk_the_authorization_code_flow() {
    let house = House::new().await;
    let guide = house.guide();
    let mut browser = SocketBrowser::default();
    let page = browser.get(&example(&guide, "A User Client by hand")[0]).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let fields = [("username", "amina"), ("password", "sandbox-amina-1"), ("decision", "approve")];
    let back = browser.press(&page, &format!("{}/apiAuthorize.action", house.base_url), &fields).await;
    let code = back.parameter("code").unwrap();
    let landed = browser.get(back.location()).await;
    assert!(landed.body.contains(&code), "the sample app shows the code to copy");

    let lines = example(&guide, "Exchange the code");
    let tokens: Value = serde_json::from_str(&copied(vec![lines[0].replace("CODE", &code)]).await).unwrap();
    let calls = lines[1..].iter().map(|line| line.replace("ACCESS_TOKEN", tokens["access_token"].as_str().unwrap()));
    let said = copied(calls.collect()).await;
    assert!(said.contains(r#""id":"amina-okafor""#), "FHIR answers: {said}");
    assert!(said.contains(r#""firstName":"Amina""#), "the custom REST API answers: {said}");

    let refresh = example(&guide, "Refresh")[0].replace("REFRESH_TOKEN", tokens["refresh_token"].as_str().unwrap());
    assert!(copied(vec![refresh.clone()]).await.contains("access_token"));
    assert!(copied(vec![refresh]).await.contains("invalid_grant"), "each refresh token works once");
    house.close().await;
}

#[test]
fn the_guide_is_plain_text_unless_told_to_be_coloured() {
    let guide =
        sandbox::guide(Preparation::ThereAlready, "http://127.0.0.1:8080", Some("http://127.0.0.1:8081")).unwrap();
    let text = guide.text(false);
    assert!(!text.contains('\u{1b}'));
    assert!(guide.text(true).contains('\u{1b}'));
    for told in
        ["amina", "sandbox-amina-1", "letter-post", "sandbox-letter-post-secret", LARKFIELD, "http://127.0.0.1:8081"]
    {
        assert!(text.contains(told), "{told}");
    }
    assert!(!format!("{guide:?}").contains("sandbox-amina-1"), "no password in Debug");
}

#[test]
fn a_guide_without_sample_app_does_not_send_anyone_there() {
    let guide = sandbox::guide(Preparation::ThereAlready, "http://127.0.0.1:9000", None).unwrap();
    assert!(guide.json()["addresses"].get("sample_app").is_none());
    assert!(!guide.text(false).contains("sample app"));
}

#[test]
fn a_guide_to_somebodys_own_data_tells_no_logins_that_are_not_there() {
    let guide = sandbox::guide(Preparation::OwnData, "http://127.0.0.1:9000", None).unwrap();
    assert!(guide.json().get("logins").is_none());
    let text = guide.text(false);
    assert!(!text.contains("amina") && text.contains("/sandbox/clock"), "{text}");
}
