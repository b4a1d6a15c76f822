//! The movable clock of a sandbox, which `serve` does not have.

use crate::sandbox::browser::SocketBrowser;
use crate::sandbox::house::House;
use jiff::{SignedDuration, Timestamp};
use std::process::Command;

/// Asks or moves the clock with curl, as the guide says, and gives the status and what the clock shows.
async fn clock(house: &House, body: Option<&str>) -> (String, Option<Timestamp>) {
    let mut curl = Command::new("curl");
    curl.args(["-s", "-w", "\n%{http_code}", &format!("{}/sandbox/clock", house.base_url)]);
    curl.args(body.iter().flat_map(|body| ["-H", "Content-Type: application/json", "-d", body]));
    let ran = tokio::task::spawn_blocking(move || curl.output()).await.unwrap();
    let output = ran.expect("curl must be installed: apt-get install curl");
    let text = String::from_utf8(output.stdout).unwrap();
    let (body, status) = text.rsplit_once('\n').unwrap();
    let now = serde_json::from_str::<serde_json::Value>(body).ok().and_then(|json| json["now"].as_str()?.parse().ok());
    (status.into(), now)
}

fn step(before: Option<Timestamp>, after: Option<Timestamp>) -> SignedDuration {
    after.unwrap().duration_since(before.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_moves_by_what_it_is_told() {
    let house = House::new().await;
    let (status, before) = clock(&house, None).await;
    assert_eq!(status, "200");
    let (status, after) = clock(&house, Some(r#"{"advance_seconds": 86400}"#)).await;
    assert_eq!(status, "200");
    let moved = step(before, after);
    assert!((86_400..86_460).contains(&moved.as_secs()), "moved by {moved:#}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_clock_stays_moved_across_a_restart() {
    let house = House::new().await;
    let (_, before) = clock(&house, None).await;
    clock(&house, Some(r#"{"advance_seconds": 600}"#)).await;
    clock(&house, Some(r#"{"advance_seconds": 600}"#)).await;
    let house = House::on(house.close().await, true).await;
    let (_, after) = clock(&house, None).await;
    let moved = step(before, after);
    assert!((1200..1260).contains(&moved.as_secs()), "moved by {moved:#}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_refuses_what_is_no_step_forward() {
    let house = House::new().await;
    let (_, before) = clock(&house, None).await;
    for wrong in [r#"{"advance_seconds": -1}"#, r#"{"advance_seconds": "soon"}"#, r#"{"set": 1}"#, "noon", "{}"] {
        assert_eq!(clock(&house, Some(wrong)).await.0, "400", "{wrong}");
    }
    let (_, after) = clock(&house, None).await;
    assert!(step(before, after).as_secs() < 60, "it was not moved");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_is_set_back_for_good() {
    let house = House::new().await;
    let (_, before) = clock(&house, None).await;
    clock(&house, Some(r#"{"advance_seconds": 86400}"#)).await;
    for wrong in [r#"{"reset": false}"#, r#"{"reset": true, "advance_seconds": 1}"#] {
        assert_eq!(clock(&house, Some(wrong)).await.0, "400", "{wrong}");
    }
    let (status, after) = clock(&house, Some(r#"{"reset": true}"#)).await;
    assert_eq!(status, "200");
    assert!(step(before, after).as_secs() < 60);
    let house = House::on(house.close().await, true).await;
    let (_, after) = clock(&house, None).await;
    assert!(step(before, after).as_secs() < 60, "and after a restart");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_another_website_moves_the_clock() {
    let house = House::new().await;
    let url = format!("{}/sandbox/clock", house.base_url);
    let (body, json) = (r#"{"advance_seconds": 600}"#, "application/json");
    let mut browser = SocketBrowser::default();
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        assert_eq!(browser.with(name, value).post_as(&url, json, body).await.status, 403, "{name}: {value}");
    }
    for media_type in ["application/x-www-form-urlencoded", "text/plain", "application/fhir+json", ""] {
        assert_eq!(browser.post_as(&url, media_type, body).await.status, 415, "{media_type}");
    }
    let own = house.base_url.clone();
    assert_eq!(browser.with("origin", &own).post_as(&url, "application/json; charset=utf-8", body).await.status, 200);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_has_no_such_clock_and_no_banner() {
    let house = House::new().await;
    let house = House::on(house.close().await, false).await;
    assert_eq!(clock(&house, None).await.0, "404");
    assert_eq!(clock(&house, Some(r#"{"advance_seconds": 600}"#)).await.0, "404");
    let page = SocketBrowser::default().get(&format!("{}/sign-in", house.base_url)).await;
    assert_eq!(page.status, 200);
    assert!(!page.body.contains("This is a sandbox"));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_a_sandbox_says_that_it_is_one() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    for url in [
        format!("{}/sign-in", house.base_url),
        format!("{}/no-such-page", house.base_url),
        format!("{}/apiAuthorize.action", house.base_url),
        format!("{}/apiAuthorize.action?response_type=code&client_id=sleep-diary", house.base_url),
        house.sample_url.clone(),
        format!("{}/callback", house.sample_url),
    ] {
        assert!(browser.get(&url).await.body.contains("This is a sandbox"), "{url}");
    }
    house.close().await;
}
