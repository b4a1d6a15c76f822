//! Each client kind of the sandbox obtains its tokens in its own way, and reaches what it should.

use crate::sandbox::browser::SocketBrowser;
use crate::sandbox::house::{House, LARKFIELD, MARSH_LANE};
use crate::terminal::answer::Answer;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const JSON: &str = "application/fhir+json";

async fn token(house: &House, fields: &[(&str, &str)]) -> Answer {
    SocketBrowser::default().post(&format!("{}/apiToken.action", house.base_url), fields).await
}

async fn fhir(house: &House, access: &str, organisation: Option<&str>, path: &str) -> Answer {
    let mut browser = SocketBrowser::default();
    browser.with("authorization", &format!("Bearer {access}")).with("accept", JSON);
    if let Some(organisation) = organisation {
        browser.with("x-org-public-id", organisation);
    }
    browser.get(&format!("{}/fhir/{path}", house.base_url)).await
}

async fn approved(house: &House, client: &str, redirect_uri: &str, username: &str) -> Answer {
    let mut browser = SocketBrowser::default();
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("response_type", "code"), ("client_id", client), ("redirect_uri", redirect_uri)])
        .finish();
    let url = format!("{}/apiAuthorize.action", house.base_url);
    let page = browser.get(&format!("{url}?{query}")).await;
    let password = format!("sandbox-{username}-1");
    browser.press(&page, &url, &[("username", username), ("password", &password), ("decision", "approve")]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confidential_user_client_reads_the_patients_of_the_clinicians_team() {
    let house = House::new().await;
    let redirect_uri = "http://127.0.0.1:8082/callback";
    let code = approved(&house, "round-book", redirect_uri, "imogen").await.parameter("code").unwrap();
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("client_id", "round-book"),
        ("redirect_uri", redirect_uri),
        ("code", &code),
    ];
    assert_eq!(token(&house, &fields).await.text("/error"), "invalid_client", "its secret is required");
    fields.push(("client_secret", "sandbox-round-book-secret-9f2c61d0b7"));
    let granted = token(&house, &fields).await;
    assert_eq!(granted.text("/scope"), "clinician");
    let access = granted.text("/access_token");
    assert_eq!(fhir(&house, &access, None, "Patient/dorota-finch").await.status, 200);
    assert_eq!(fhir(&house, &access, None, "Patient/chen-alderton").await.status, 404);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_public_user_client_is_for_patients_only() {
    let house = House::new().await;
    let redirect_uri = "http://127.0.0.1:4242/callback";
    assert!(approved(&house, "sleep-diary", redirect_uri, "dorota").await.parameter("code").is_some());
    let refused = approved(&house, "sleep-diary", redirect_uri, "imogen").await;
    assert_eq!(refused.parameter("error").as_deref(), Some("access_denied"));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_system_client_reaches_the_organisation_that_has_granted_it() {
    let house = House::new().await;
    let basic = STANDARD.encode("letter-post:sandbox-letter-post-secret-4e8a17c3d5");
    let mut browser = SocketBrowser::default();
    browser.with("authorization", &format!("Basic {basic}"));
    let url = format!("{}/apiToken.action", house.base_url);
    let granted = browser.post(&url, &[("grant_type", "client_credentials")]).await;
    assert!(granted.json().get("refresh_token").is_none(), "System Clients get none");
    let access = granted.text("/access_token");
    assert_eq!(fhir(&house, &access, Some(LARKFIELD), "Patient/amina-okafor").await.status, 200);
    assert_eq!(fhir(&house, &access, Some(LARKFIELD), "Patient/chen-alderton").await.status, 404);
    assert_eq!(fhir(&house, &access, Some(MARSH_LANE), "Patient/chen-alderton").await.status, 403);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coordinator_grants_the_tethered_token_client_access_to_the_team() {
    let house = House::new().await;
    let mut browser = SocketBrowser::default();
    let sign_in = format!("{}/sign-in", house.base_url);
    let page = browser.get(&sign_in).await;
    browser.press(&page, &sign_in, &[("username", "colin"), ("password", "sandbox-colin-1")]).await;
    let url = format!("{}/coordinator/api-access", house.base_url);
    let page = browser.get(&format!("{url}/check?client_id=clinic-board")).await;
    let (_, grant_form) = page.body.split_once("action=\"/coordinator/api-access\"").unwrap();
    let grant_form = Answer { status: page.status, headers: page.headers.clone(), body: grant_form.to_owned() };
    let check = grant_form.hidden("check");
    let granted = browser.press(&grant_form, &url, &[("check", &check)]).await;
    assert_eq!(granted.location(), "/coordinator/api-access");
    let shown = browser.get(&url).await;
    let (_, after) = shown.body.split_once("<output id=\"refresh-token\"").unwrap();
    let refresh = after.split_once('>').unwrap().1.split('<').next().unwrap().trim();

    let fields =
        [("grant_type", "refresh_token"), ("client_id", "clinic-board"), ("scope", "SITE"), ("refresh_token", refresh)];
    let access = token(&house, &fields).await.text("/access_token");
    assert_eq!(fhir(&house, &access, None, "Patient/amina-okafor").await.status, 200);
    assert_eq!(fhir(&house, &access, None, "Patient/elias-thornby").await.status, 404);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_clock_ends_an_access_token_and_later_the_session() {
    let house = House::new().await;
    let redirect_uri = "http://127.0.0.1:8081/callback";
    let code = approved(&house, "sleep-diary", redirect_uri, "amina").await.parameter("code").unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", "sleep-diary"),
        ("redirect_uri", redirect_uri),
        ("code", &code),
    ];
    let access = token(&house, &fields).await.text("/access_token");
    let read = |seconds: i64| {
        let (house, access) = (&house, &access);
        async move {
            let mut browser = SocketBrowser::default();
            let moved = format!("{}/sandbox/clock", house.base_url);
            let body = format!("{{\"advance_seconds\": {seconds}}}");
            assert_eq!(browser.post_as(&moved, "application/json", &body).await.status, 200);
            fhir(house, access, None, "Patient/amina-okafor").await
        }
    };
    assert_eq!(read(0).await.status, 200);
    assert_eq!(read(600).await.text("/issue/0/details/coding/0/code"), "ACC_TOKEN_EXPIRED");
    assert_eq!(read(90 * 86_400).await.text("/issue/0/details/coding/0/code"), "API_SESSION_EXPIRED");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_is_read_once_its_patient_opened_it() {
    let house = House::new().await;
    let redirect_uri = "http://127.0.0.1:8081/callback";
    let code = approved(&house, "sleep-diary", redirect_uri, "amina").await.parameter("code").unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", "sleep-diary"),
        ("redirect_uri", redirect_uri),
        ("code", &code),
    ];
    let access = token(&house, &fields).await.text("/access_token");
    let letter = fhir(&house, &access, None, "DocumentReference/amina-sleep-study").await;
    let content = letter.text("/content/0/attachment/url");
    let (_, binary) = content.split_once("Binary/").unwrap();
    let opened = fhir(&house, &access, None, &format!("Binary/{binary}")).await;
    assert_eq!(opened.status, 200);

    let basic = STANDARD.encode("letter-post:sandbox-letter-post-secret-4e8a17c3d5");
    let mut browser = SocketBrowser::default();
    browser.with("authorization", &format!("Basic {basic}"));
    let url = format!("{}/apiToken.action", house.base_url);
    let access = browser.post(&url, &[("grant_type", "client_credentials")]).await.text("/access_token");
    browser.with("authorization", &format!("Bearer {access}")).with("x-org-public-id", LARKFIELD);
    let identifier = letter.text("/identifier/0/value");
    let query = format!(
        r#"{{"resourceType":"Parameters","parameter":[{{"name":"documentIdentifier","valueString":"{identifier}"}}]}}"#
    );
    let url = format!("{}/fhir/DocumentReference/$read-receipt-query", house.base_url);
    let receipt = browser.post_json(&url, &query).await;
    assert!(receipt.body.contains(r#""name":"read","valueBoolean":true"#), "{}", receipt.body);
    house.close().await;
}
