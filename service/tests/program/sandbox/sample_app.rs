//! The sample app, walked as a person would in a browser, with a real service beside it.

use crate::sandbox::browser::SocketBrowser;
use crate::sandbox::house::House;
use crate::terminal::answer::Answer;
use service::sandbox::sample_app::SampleApp;
use tokio::net::TcpListener;

/// Connects and decides on the authorization page; gives what the service redirects to.
async fn decided(house: &House, browser: &mut SocketBrowser, decision: &str) -> Answer {
    let away = browser.get(&format!("{}/connect", house.sample_url)).await;
    assert!(away.location().starts_with(&format!("{}/apiAuthorize.action?", house.base_url)));
    let page = browser.get(away.location()).await;
    assert!(page.body.contains("Sleep Diary") && page.body.contains("Night Owl Labs"), "{}", page.body);
    let fields = [("username", "amina"), ("password", "sandbox-amina-1"), ("decision", decision)];
    browser.press(&page, &format!("{}/apiAuthorize.action", house.base_url), &fields).await
}

/// Approves and follows the way back to the trace.
async fn connected(house: &House, browser: &mut SocketBrowser) -> Answer {
    let back = decided(house, browser, "approve").await;
    let trace = browser.get(back.location()).await;
    assert_eq!(trace.location(), "/walk#step-2");
    browser.get(&format!("{}/walk", house.sample_url)).await
}

/// Presses one of the trace's buttons and gives the new trace.
async fn step(house: &House, browser: &mut SocketBrowser, trace: &Answer, action: &str) -> Answer {
    assert!(trace.body.contains(&format!("action=\"{action}\"")), "there is a button for {action}");
    let pressed = browser.press(trace, &format!("{}{action}", house.sample_url), &[]).await;
    assert!(pressed.location().starts_with("/walk#step-"), "{}", pressed.location());
    browser.get(&format!("{}/walk", house.sample_url)).await
}

/// The part of the trace about its last exchange.
fn last(trace: &Answer) -> &str {
    let (_, last) = trace.body.rsplit_once("<li id=\"step-").unwrap();
    last.split("</li>").next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_walk_from_home_to_the_end_of_the_session() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let home = browser.get(&house.sample_url).await;
    assert!(home.body.contains("href=\"/connect\""));

    let trace = connected(&house, &mut browser).await;
    assert!(trace.body.contains("code_challenge_method=S256"), "the request is shown");
    assert!(trace.body.contains("grant_type=authorization_code"), "the exchange is shown");
    assert!(last(&trace).contains("200 OK") && last(&trace).contains("access_token"));
    assert!(!trace.body.contains("action=\"/replay\""), "there is nothing to replay yet");

    let trace = step(&house, &mut browser, &trace, "/call-fhir").await;
    assert!(last(&trace).contains("200 OK") && last(&trace).contains("amina-okafor"), "{}", last(&trace));
    let trace = step(&house, &mut browser, &trace, "/call-rest").await;
    assert!(last(&trace).contains("200 OK") && last(&trace).contains("Amina"), "{}", last(&trace));
    let trace = step(&house, &mut browser, &trace, "/refresh").await;
    assert!(last(&trace).contains("200 OK") && last(&trace).contains("grant_type=refresh_token"));
    let trace = step(&house, &mut browser, &trace, "/call-fhir").await;
    assert!(last(&trace).contains("200 OK"), "the new access token works");

    let trace = step(&house, &mut browser, &trace, "/replay").await;
    assert!(last(&trace).contains("400 Bad Request") && last(&trace).contains("invalid_grant"));
    let trace = step(&house, &mut browser, &trace, "/call-fhir").await;
    assert!(last(&trace).contains("401 Unauthorized") && last(&trace).contains("API_SESSION_INVALID"));
    let trace = step(&house, &mut browser, &trace, "/refresh").await;
    assert!(last(&trace).contains("invalid_grant"), "the session is over for good");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_searches_by_patient_and_code_turns_the_page_and_opens_a_letter() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let trace = connected(&house, &mut browser).await;
    for action in ["/search", "/next-page", "/find-letter", "/open-letter"] {
        assert!(!trace.body.contains(&format!("action=\"{action}\"")), "{action}: the patient is not known yet");
    }
    let letter = format!("{}/letter", house.sample_url);
    assert_eq!(browser.get(&letter).await.location(), "/walk", "no letter was opened yet");

    let trace = step(&house, &mut browser, &trace, "/call-fhir").await;
    let trace = step(&house, &mut browser, &trace, "/search").await;
    assert!(last(&trace).contains("/fhir/Observation?patient=amina-okafor"), "{}", last(&trace));
    assert!(last(&trace).contains("200 OK") && last(&trace).contains("Body weight"), "{}", last(&trace));
    let mut trace = trace;
    let mut seen = ids(last(&trace));
    while trace.body.contains("action=\"/next-page\"") {
        trace = step(&house, &mut browser, &trace, "/next-page").await;
        assert!(last(&trace).contains("_page="), "the link is followed as it was given: {}", last(&trace));
        seen.extend(ids(last(&trace)));
    }
    assert!(seen.len() > 2, "there is more than one page: {seen:?}");
    let different: std::collections::BTreeSet<&String> = seen.iter().collect();
    assert_eq!(different.len(), seen.len(), "no weight is shown twice: {seen:?}");

    let trace = step(&house, &mut browser, &trace, "/find-letter").await;
    assert!(last(&trace).contains("DocumentReference") && last(&trace).contains("Binary/"), "{}", last(&trace));
    let trace = step(&house, &mut browser, &trace, "/open-letter").await;
    assert!(
        last(&trace).contains("Accept: application/pdf") && last(&trace).contains("(a PDF of "),
        "{}",
        last(&trace)
    );
    assert!(trace.body.contains("href=\"/letter\""), "the letter can be kept");
    let kept = browser.get(&letter).await;
    assert_eq!(kept.headers.get("content-type").unwrap(), "application/pdf");
    assert_eq!(kept.headers.get("cache-control").unwrap(), "no-store");
    assert!(kept.body.starts_with("%PDF-"), "{}", kept.body);
    assert_eq!(SocketBrowser::default().get(&letter).await.location(), "/walk", "another browser does not get it");
    house.close().await;
}

/// The ids of the resources that an exchange of the trace shows.
fn ids(exchange: &str) -> Vec<String> {
    let parts = exchange.split("&#34;fullUrl&#34;: &#34;").skip(1);
    parts.filter_map(|part| Some(part.split("&#34;").next()?.rsplit('/').next()?.to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn deny_brings_the_person_back_without_access() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let back = decided(&house, &mut browser, "deny").await;
    let page = browser.get(back.location()).await;
    assert!(page.body.contains("error=access_denied"), "{}", page.body);
    let trace = browser.get(&format!("{}/walk", house.sample_url)).await;
    assert_eq!(trace.location(), "/", "there is no trace of tokens");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_another_state_is_not_used() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let back = decided(&house, &mut browser, "approve").await;
    let state = back.parameter("state").unwrap();
    let page = browser.get(&back.location().replace(&state, "somebody-elses")).await;
    assert_eq!(page.status, 400);
    assert!(page.body.contains("This answer is not ours"));

    let elsewhere = SocketBrowser::default().get(back.location()).await;
    assert_eq!(elsewhere.status, 400, "another browser cannot use the answer");

    let accepted = browser.get(back.location()).await;
    assert_eq!(accepted.location(), "/walk#step-2", "the right one still can");
    let again = browser.get(back.location()).await;
    assert_eq!(again.status, 400, "but once only");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_of_another_page_does_nothing() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let before = connected(&house, &mut browser).await;
    let url = format!("{}/refresh", house.sample_url);
    for form in [&[("form", "guessed")][..], &[]] {
        assert_eq!(browser.post(&url, form).await.status, 403);
    }
    let mut stranger = SocketBrowser::default();
    assert_eq!(stranger.press(&before, &url, &[]).await.status, 403);
    let after = browser.get(&format!("{}/walk", house.sample_url)).await;
    assert_eq!(before.body, after.body, "the trace is as it was");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_does_not_answer_is_said_so_and_the_refresh_token_kept() {
    let mut house = House::new().await;
    let mut browser = SocketBrowser::default();
    let trace = connected(&house, &mut browser).await;
    house.stop_the_service().await;
    let page = browser.press(&trace, &format!("{}/refresh", house.sample_url), &[]).await;
    assert_eq!(page.status, 502);
    assert!(page.body.contains("Recordgate does not answer"));
    let trace = browser.get(&format!("{}/walk", house.sample_url)).await;
    assert!(trace.body.contains("action=\"/refresh\""), "it can be tried again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_app_is_reached_by_its_own_address_only() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let port = house.sample_url.rsplit(':').next().unwrap();
    let page = browser.with("host", &format!("localhost:{port}")).get(&format!("{}/connect", house.sample_url)).await;
    assert_eq!(page.location(), format!("{}/connect", house.sample_url));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_pages_are_protected_like_the_services_own() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let trace = connected(&house, &mut browser).await;
    for page in [browser.get(&house.sample_url).await, browser.get(&format!("{}/none", house.sample_url)).await, trace]
    {
        let header = |name: &str| page.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        assert!(header("content-security-policy").unwrap().starts_with("default-src 'none'"));
        assert!(header("content-security-policy").unwrap().contains("frame-ancestors 'none'"));
        assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"));
        assert_eq!(header("cache-control").as_deref(), Some("no-store"));
        assert!(!page.body.contains("<script"));
    }
    let away = browser.get(&format!("{}/connect", house.sample_url)).await;
    let cookie = away.headers.get("set-cookie").unwrap().to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    for asset in ["sample-app.css", "sample-owl.svg"] {
        assert_eq!(browser.get(&format!("{}/assets/{asset}", house.sample_url)).await.status, 200);
    }
    house.close().await;
}

#[tokio::test]
async fn a_taken_port_is_said_so() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut service = taken.local_addr().unwrap();
    let port = service.port();
    service.set_port(port - 1);
    let error = SampleApp::bind(service, "http://127.0.0.1:1").await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("goes on without"), "{error}");
    service.set_port(u16::MAX);
    let error = SampleApp::bind(service, "http://127.0.0.1:1").await.unwrap_err().to_string();
    assert!(error.contains("no port after 65535"), "{error}");
}
