//! Introspection: a client of the operator's choosing is told of an active token what it is, and of any other nothing.

use crate::kit::client_app::ClientApp;
use crate::kit::token_reply::TokenReply;
use crate::kit::{BASE, DAY, HOUR, MINUTE, RIVERSIDE, World, fields, form_request, with};
use serde_json::{Value, json};

const PATH: &str = "/apiIntrospect.action";

/// The System Client that the operator has chosen.
async fn chosen(w: &World) -> ClientApp<'_> {
    w.change("Post Room", |client| client.may_introspect = true).await;
    w.client("Post Room")
}

async fn told(asking: &ClientApp<'_>, token: &str) -> Value {
    let reply = asking.asks_about(PATH, token).await;
    assert_eq!(reply.0.status, 200, "{}", reply.0.text());
    reply.0.json()
}

async fn is_inactive(asking: &ClientApp<'_>, token: &str, why: &str) {
    let reply = asking.asks_about(PATH, token).await;
    assert_eq!((reply.0.status, reply.0.text().as_str()), (200, "{\"active\":false}"), "{why}");
}

// gaps: Introspection > What is told
#[tokio::test]
async fn an_active_token_is_told_of_with_its_client_scope_and_end() {
    let w = World::new().await;
    let asking = chosen(&w).await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let born = w.now().0 / 1000;
    let access = told(&asking, &first.access).await;
    let sub = access["sub"].as_str().expect("a text").to_owned();
    assert!(sub.bytes().all(|byte| byte.is_ascii_digit()), "{sub} means nothing");
    let expected = json!({
        "active": true, "scope": "patient", "client_id": "sleep-diary", "token_type": "Bearer",
        "exp": born + 10 * MINUTE, "iat": born, "sub": sub, "iss": BASE, "patient": "amina",
    });
    assert_eq!(access, expected);
    let refresh = told(&asking, first.refresh()).await;
    let expected = json!({
        "active": true, "scope": "patient", "client_id": "sleep-diary",
        "exp": born + 90 * DAY, "iat": born, "sub": sub, "iss": BASE, "patient": "amina",
    });
    assert_eq!(refresh, expected);
    w.after(MINUTE);
    app.refresh(&first).await.granted();
    assert_eq!(told(&asking, &first.access).await.get("iat"), None, "which is not known of an older one");
    let (_, again) = w.amina().approves("Sleep Diary").await;
    assert_eq!(told(&asking, &again.access).await["sub"], *sub, "the same person");
    let (_, ben) = w.ben().approves("Sleep Diary").await;
    assert_ne!(told(&asking, &ben.access).await["sub"], *sub);
}

/// Neither a System Client's token nor a team's is about a person.
// gaps: Introspection > What is told
#[tokio::test]
async fn a_token_without_a_person_has_no_subject() {
    let w = World::new().await;
    let asking = chosen(&w).await;
    let exp = w.now().0 / 1000 + HOUR;
    let system = w.system().await;
    let expected = json!({
        "active": true, "client_id": "lab-link", "token_type": "Bearer", "exp": exp, "iss": BASE,
    });
    assert_eq!(told(&asking, &system.access).await, expected);
    let site = told(&asking, &w.site().await.access).await;
    assert_eq!((&site["scope"], &site["client_id"], site.get("sub")), (&json!("site"), &json!("old-bridge"), None));
}

// gaps: Introspection > What is not active
#[tokio::test]
async fn a_token_that_opens_nothing_is_not_active_and_nothing_more_is_said() {
    let w = World::new().await;
    let asking = chosen(&w).await;
    let (_, code) = w.amina().gives_code("Sleep Diary").await;
    for unknown in ["x", "rga_000000_unknown", "eyJhbGciOiJub25lIn0.e30.", &code] {
        is_inactive(&asking, unknown, "unknown").await;
    }
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let damaged = format!("{}AAAAAAAA{}", &first.access[..20], &first.access[28..]);
    is_inactive(&asking, &damaged, "damaged").await;
    let second = app.refresh(&first).await.granted();
    is_inactive(&asking, first.refresh(), "used").await;
    w.after(10 * MINUTE);
    is_inactive(&asking, &second.access, "expired").await;
    assert_eq!(told(&asking, second.refresh()).await["active"], true);
    let third = app.refresh(&second).await.granted();
    app.refresh(&second).await.refused("invalid_grant");
    is_inactive(&asking, &third.access, "revoked").await;
    is_inactive(&asking, third.refresh(), "revoked").await;
    let system = w.system().await;
    w.client("Lab Link").asks_about("/apiRevoke.action", &system.access).await;
    is_inactive(&asking, &system.access, "given up").await;
    let (_, ended) = w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY);
    is_inactive(&asking, ended.refresh(), "the session has expired").await;
}

/// A token is active exactly when a call with it is not turned away at the gate.
// gaps: Introspection > What is not active
#[tokio::test]
async fn what_a_session_stands_on_is_asked_as_for_a_call() {
    let w = World::new().await;
    let asking = chosen(&w).await;
    let (_, ben) = w.ben().approves("Sleep Diary").await;
    w.ben().is_frozen().await;
    assert_eq!(w.calls_fhir_with(&ben.access).await.status, 403);
    let (_, amina) = w.amina().approves("Pill Box").await;
    w.change("Pill Box", |client| client.disabled_at = Some(rules::moment::Moment(1))).await;
    w.calls_fhir_with(&amina.access).await.refused();
    let system = w.system().await;
    assert_eq!(told(&asking, &system.access).await["active"], true);
    w.change("Lab Link", |client| client.disabled_at = Some(rules::moment::Moment(1))).await;
    w.calls_fhir_for(RIVERSIDE, &system.access).await.refused();
    for token in [&ben.access, ben.refresh(), &amina.access, amina.refresh(), &system.access] {
        is_inactive(&asking, token, "it opens nothing").await;
    }
}

/// Asking changes nothing, however often it is done.
#[tokio::test]
async fn introspection_uses_nothing_up_and_extends_nothing() {
    let w = World::new().await;
    let asking = chosen(&w).await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let before = (told(&asking, tokens.refresh()).await, told(&asking, &tokens.access).await);
    for _ in 0..20 {
        w.after(20);
        let now = (told(&asking, tokens.refresh()).await, told(&asking, &tokens.access).await);
        assert_eq!(now, before);
    }
    app.refresh(&tokens).await.granted();
}

// gaps: Introspection > Who may
#[tokio::test]
async fn only_a_confidential_client_of_the_operators_choosing_may_ask() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    for stranger in [w.client("Post Room"), w.client("Ward Round"), app] {
        stranger.asks_about(PATH, &tokens.access).await.refused_as(403, "unauthorized_client");
    }
    w.change("Sleep Diary", |client| client.may_introspect = true).await;
    app.asks_about(PATH, &tokens.access).await.refused_as(403, "unauthorized_client");
    w.change("Ward Round", |client| client.may_introspect = true).await;
    assert_eq!(told(&w.client("Ward Round"), &tokens.access).await["active"], true);
    let nameless = with(&fields([("token", &tokens.access)]), "client_id", "ward-round");
    let reply = TokenReply::of(w.send(form_request(PATH, &nameless)).await);
    reply.refused_as(401, "invalid_client");
    assert!(reply.0.header("www-authenticate").unwrap().starts_with("Basic"));
    w.client("Ward Round").posts(PATH, &fields([])).await.refused("invalid_request");
    w.calls_fhir_with(&tokens.access).await.opened();
}

/// SMART App Launch 2.2 asks for it; the token says whose it is, and the client must be the operator's choice as ever.
// gaps: Introspection > Who may
#[tokio::test]
async fn an_access_token_of_the_asking_client_is_proof_of_it_too() {
    let w = World::new().await;
    let asking = chosen(&w).await;
    let own = asking.client_credentials().await.granted();
    let (_, first) = w.amina().approves("Sleep Diary").await;
    let asks = async |bearer: &str, further: &[(&str, &str)]| {
        let mut body = fields([("token", first.access.as_str())]);
        body.extend(further.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let mut request = form_request(PATH, &body);
        request.headers_mut().insert("authorization", format!("Bearer {bearer}").parse().unwrap());
        TokenReply::of(w.send(request).await)
    };
    let reply = asks(&own.access, &[]).await.0;
    assert_eq!((reply.status, &reply.json()["client_id"]), (200, &"sleep-diary".into()), "{}", reply.text());
    assert_eq!(asks(&own.access, &[("client_id", "post-room")]).await.0.status, 200);
    asks(&own.access, &[("client_id", "sleep-diary")]).await.refused("invalid_request");
    asks(&own.access, &[("client_secret", "and-a-secret-beside-it")]).await.refused("invalid_request");
    for of_nobody in ["rga_forged", first.refresh()] {
        assert_eq!(asks(of_nobody, &[]).await.0.status, 401);
    }
    // A token of a client that may not ask, though it is good.
    assert_eq!(asks(&first.access, &[]).await.0.status, 403);
    // Where nothing but secrets and signatures proves who a client is, a token is no proof.
    let mut request = form_request("/apiRevoke.action", &fields([("token", first.access.as_str())]));
    request.headers_mut().insert("authorization", format!("Bearer {}", own.access).parse().unwrap());
    assert_ne!(w.send(request).await.status, 200);
    w.after(HOUR);
    let ended = asks(&own.access, &[]).await.0;
    assert_eq!((ended.status, &ended.json()["error"]), (401, &"invalid_client".into()));
}
