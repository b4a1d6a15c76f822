//! Calling the two APIs: the bearer header, the organisation header, and every cell of the errors table.

use crate::kit::caller::{REST_PATH, fhir_path};
use crate::kit::{DAY, HILLSIDE, HOUR, MINUTE, RIVERSIDE, World, request};
use axum::body::Body;
use axum::http::{Method, Request, header};

/// `Authorization: Bearer <token>`: the word, one space, the token; on every call of either API, for every client kind.
// contract: 3. Calling the APIs > Every call to either API carries the header
#[tokio::test]
async fn every_client_kind_calls_with_the_word_bearer_one_space_and_the_token() {
    let w = World::new().await;
    let (_, user) = w.amina().approves("Sleep Diary").await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let tethered = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    let system = w.client("Lab Link").client_credentials().await.granted();
    for access in [&user.access, &tethered.access] {
        w.calls_fhir_with(access).await.opened();
        w.calls_rest_with(access).await.opened();
    }
    w.calls_fhir_for(RIVERSIDE, &system.access).await.opened();
}

/// Missing, malformed or unknown: 401, in each API's voice.
// gaps: The two APIs > Missing, malformed, unknown token
// contract: Custom REST API error body > A JSON object with a string field errorMessage
#[tokio::test]
async fn a_missing_malformed_or_unknown_token_is_401_in_either_voice() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let good = &tokens.access;
    let damaged = format!("{}{}{}", &good[..30], if good.as_bytes()[30] == b'A' { 'B' } else { 'A' }, &good[31..]);
    let wrong = [
        format!("Bearer  {good}"),
        format!("Bearer\t{good}"),
        format!("Bearer{good}"),
        format!("Bearer {good} "),
        format!("Bearer {good}, Bearer {good}"),
        format!("Basic {good}"),
        good.clone(),
        "Bearer".into(),
        "Bearer ".into(),
        "Bearer rga_made_up".into(),
        format!("Bearer {damaged}"),
        "Bearer ü".into(),
    ];
    for header in wrong {
        for path in [fhir_path(), REST_PATH.to_owned()] {
            let call = request(Method::GET, &path).header(header::AUTHORIZATION, header.as_bytes());
            let reply = w.send(call.body(Body::empty()).unwrap()).await;
            match path.starts_with("/fhir") {
                true => reply.says(401, "BAD_AUTHENTICATION"),
                false => reply.says_in_rest(401, "the "),
            }
        }
    }
    w.get(&fhir_path()).await.says(401, "BAD_AUTHENTICATION");
    w.get(REST_PATH).await.says_in_rest(401, "send the header");
}

/// Tokens in the query or the body are not read.
// gaps: The two APIs > Missing, malformed, unknown token
#[tokio::test]
async fn a_token_in_the_query_or_the_body_is_not_read() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let in_query = format!("{REST_PATH}?access_token={}", tokens.access);
    w.get(&in_query).await.says_in_rest(401, "send the header");
    let form = request(Method::POST, "/fhir/DocumentReference")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(format!("access_token={}", tokens.access)));
    w.send(form.unwrap()).await.says(401, "BAD_AUTHENTICATION");
}

/// Two `Authorization` headers are none.
// gaps: The two APIs > Missing, malformed, unknown token
#[tokio::test]
async fn two_authorization_headers_are_refused() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let mut call = Request::builder().uri(fhir_path());
    for _ in 0..2 {
        call = call.header(header::AUTHORIZATION, format!("Bearer {}", tokens.access));
    }
    w.send(call.body(Body::empty()).unwrap()).await.says(401, "BAD_AUTHENTICATION");
}

/// Row "User Client" of the errors table, all four cells.
// contract: Expired access token or session on API calls > User Client | errorMessage in the returned JSON begins
// contract: Expired access token or session on API calls > The HTTP status code that accompanies
// gaps: The two APIs > Expired access token, custom REST
// gaps: The two APIs > Expired session, custom REST
#[tokio::test]
async fn a_user_clients_expired_token_and_session_are_told_apart_in_both_apis() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    w.after(10 * MINUTE);
    let reply = w.calls_rest_with(&tokens.access).await;
    reply.says_in_rest(401, "access token has expired;");
    assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer error=\"invalid_token\""));
    w.calls_fhir_with(&tokens.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.after(90 * DAY);
    w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has expired;");
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_EXPIRED");
}

/// Row "Tethered-Token System Client" of the errors table: the same as a User Client's.
// contract: Expired access token or session on API calls > Tethered-Token System Client | Same as User Client
#[tokio::test]
async fn a_tethered_clients_expired_token_and_session_are_told_apart_in_both_apis() {
    let w = World::new().await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let tokens = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    w.after(10 * MINUTE);
    w.calls_rest_with(&tokens.access).await.says_in_rest(401, "access token has expired;");
    w.calls_fhir_with(&tokens.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.after(365 * DAY);
    w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has expired;");
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_EXPIRED");
}

/// Row "System Client" of the errors table: HTTP 401 with an OperationOutcome on FHIR; it cannot call custom REST.
// contract: Expired access token or session on API calls > System Client | Not applicable
// gaps: The two APIs > System Client, expired token
#[tokio::test]
async fn a_system_clients_expired_token_is_401_with_an_operation_outcome() {
    let w = World::new().await;
    let tokens = w.client("Lab Link").client_credentials().await.granted();
    w.after(HOUR);
    w.calls_fhir_for(RIVERSIDE, &tokens.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.calls_fhir_with(&tokens.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.calls(REST_PATH, &tokens.access, Some(RIVERSIDE)).await.says_in_rest(403, "a System Client can't");
}

/// FHIR errors are OperationOutcomes with the service's code system, as `application/fhir+json`.
// gaps: The two APIs > FHIR error body
#[tokio::test]
async fn a_fhir_error_is_an_operation_outcome_with_a_coding() {
    let w = World::new().await;
    let reply = w.get("/fhir/Nonsense/1").await;
    reply.says(404, "NOT_FOUND");
    let text = reply.json()["issue"][0]["details"]["text"].as_str().unwrap().to_owned();
    assert!(!text.is_empty());
    assert_eq!(reply.header("cache-control"), Some("no-store"));
}

/// A System Client names an organisation that has chosen to grant access; otherwise 403, one answer for all reasons.
// contract: What the service does > A System Client acts on behalf of an organisation
// contract: Header X-Org-Public-Id > Required from System Clients on the supported endpoints
// contract: Header X-Org-Public-Id > Type: UUID
// contract: Authentication > A System Client must send X-Org-Public-Id on supported calls
// gaps: The two APIs > X-Org-Public-Id
#[tokio::test]
async fn a_system_client_must_name_an_organisation_that_granted_it_access() {
    let w = World::new().await;
    let tokens = w.client("Lab Link").client_credentials().await.granted();
    w.calls_fhir_with(&tokens.access).await.says(400, "BAD_REQUEST");
    for malformed in ["", "riverside", &RIVERSIDE[1..], &RIVERSIDE.replace('-', ""), &format!("{{{RIVERSIDE}}}")] {
        w.calls_fhir_for(malformed, &tokens.access).await.says(400, "BAD_REQUEST");
    }
    let twice = request(Method::GET, &fhir_path())
        .header(header::AUTHORIZATION, format!("Bearer {}", tokens.access))
        .header("X-Org-Public-Id", RIVERSIDE)
        .header("X-Org-Public-Id", RIVERSIDE);
    w.send(twice.body(Body::empty()).unwrap()).await.says(400, "BAD_REQUEST");
    w.calls_fhir_for(&RIVERSIDE.to_uppercase(), &tokens.access).await.opened();
    w.withdraws(RIVERSIDE, "Lab Link").await;
    let mut heard = Vec::new();
    for organisation in ["00000000-0000-4000-8000-000000000000", HILLSIDE, RIVERSIDE] {
        let reply = w.calls_fhir_for(organisation, &tokens.access).await;
        reply.says(403, "ORGANISATION_NOT_GRANTED");
        heard.push(reply.text());
    }
    assert!(
        heard.windows(2).all(|two| two[0] == two[1]),
        "unknown, not granted and withdrawn are told apart: {heard:?}"
    );
}

/// From other client kinds the organisation header is ignored.
// gaps: The two APIs > X-Org-Public-Id
#[tokio::test]
async fn a_session_ignores_the_organisation_header() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    for organisation in [HILLSIDE, "nonsense"] {
        w.calls(&fhir_path(), &tokens.access, Some(organisation)).await.opened();
        w.calls(REST_PATH, &tokens.access, Some(organisation)).await.opened();
    }
}

/// A frozen account's tokens open nothing any more.
#[tokio::test]
async fn a_frozen_account_is_refused_in_both_apis() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&tokens.access).await.opened();
    w.amina().is_frozen().await;
    w.calls_fhir_with(&tokens.access).await.says(403, "ACCESS_FROZEN_OUTWARD");
    w.calls_rest_with(&tokens.access).await.says_in_rest(403, "access of this account is frozen");
}

/// Custom REST is at `/json`, with no version, `/v1` or `/v2` before the operation.
// gaps: The two APIs > Custom REST base and versions
// contract: Versioning > Versioning: not shown
#[tokio::test]
async fn the_custom_rest_api_is_there_in_each_version() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    for path in ["/json/users/self", "/json/v1/users/self", "/json/v2/users/self"] {
        w.calls(path, &tokens.access, None).await.opened();
    }
    w.calls("/json/v3/users/self", &tokens.access, None).await.says_in_rest(404, "there is nothing");
}
