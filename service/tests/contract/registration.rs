//! Clients that register themselves (RFC 7591) and look after their registration (RFC 7592): with a token of an operator's, for what people
//! can grant, and marked until an operator has checked them.

use crate::kit::client_app::ClientApp;
use crate::kit::clients::Registration;
use crate::kit::reply::Reply;
use crate::kit::token_reply::TokenReply;
use crate::kit::{BASE, DAY, World, encoded, fields, request, with};
use crate::smart_apps::{asks, filled};
use axum::body::Body;
use axum::http::{Method, header};
use rules::clients::ClientKind;
use rules::scope::ScopeEcho;
use serde_json::{Value, json};
use service::operator::{ClientInviter, NewClientInvitation, Reply as Told, Request, execute};
use std::sync::Arc;

const PATH: &str = "/apiRegister.action";
const SCOPE: &str = "launch/patient openid offline_access patient/Observation.rs patient/Patient.rs";

async fn open_world() -> World {
    World::with(|settings| settings.client_registration = true).await
}

async fn operator(w: &World, request: Request) -> Told {
    let unheard: service::operator::Progress = Arc::new(|_, _| ());
    execute(&w.app, request, &unheard).await
}

/// An initial access token for so many clients.
async fn invites(w: &World, uses: i64) -> NewClientInvitation {
    let wanted =
        ClientInviter { owner: "Nightjar Health".into(), user_types: vec!["PATIENT".into()], uses, seconds: 7 * DAY };
    match operator(w, Request::InviteClients(wanted)).await {
        Told::ClientInvitation(new) => new,
        other => panic!("{other:?}"),
    }
}

async fn sends(w: &World, (method, path): (Method, &str), token: Option<&str>, body: Option<&Value>) -> Reply {
    let mut asked = request(method, path);
    if let Some(token) = token {
        asked = asked.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let body = match body {
        Some(body) => {
            asked = asked.header(header::CONTENT_TYPE, "application/json");
            Body::from(body.to_string())
        }
        None => Body::empty(),
    };
    w.send(asked.body(body).unwrap()).await
}

async fn registers(w: &World, token: &str, metadata: &Value) -> Reply {
    sends(w, (Method::POST, PATH), Some(token), Some(metadata)).await
}

/// A public client, for a page of the web.
fn metadata() -> Value {
    json!({
        "client_name": "Tide Chart",
        "redirect_uris": ["https://tide.example/back"],
        "token_endpoint_auth_method": "none",
        "scope": SCOPE,
        "contacts": ["ops@tide.example"],
        "software_statement": "not.looked.at",
    })
}

/// What a client is that was registered just now.
async fn registered(w: &World, metadata: &Value) -> Value {
    let token = invites(w, 1).await.token;
    let reply = registers(w, token.reveal(), metadata).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    reply.json()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

/// The path and the token by which a client looks after its registration.
fn managed(client: &Value) -> (String, &str) {
    let path = text(client, "registration_client_uri").strip_prefix(BASE).unwrap().to_owned();
    (path, text(client, "registration_access_token"))
}

/// The client at work.
fn app<'w>(w: &'w World, client: &Value) -> ClientApp<'w> {
    let leaked = |name: &str| -> &'static str { String::leak(text(client, name).to_owned()) };
    let redirect_uri: &'static str = String::leak(client["redirect_uris"][0].as_str().unwrap().to_owned());
    let registration = Registration {
        product: leaked("client_name"),
        client_id: leaked("client_id"),
        kind: ClientKind::User,
        secret: client.get("client_secret").map(|_| leaked("client_secret")),
        redirect_uris: Vec::leak(vec![redirect_uri]),
        scopes: &[],
        session_seconds: Some(90 * DAY),
        require_pkce: true,
        retry_seconds: 0,
        scope_echo: ScopeEcho::Lower,
    };
    ClientApp { world: w, registration: Box::leak(Box::new(registration)) }
}

// gaps: Clients > Registration by themselves
#[tokio::test]
async fn a_client_that_was_invited_registers_itself_and_is_used_as_any_other() {
    let w = open_world().await;
    for method in ["none", "client_secret_basic"] {
        let client = registered(&w, &json_with(&metadata(), "token_endpoint_auth_method", method.into())).await;
        assert_eq!(text(&client, "token_endpoint_auth_method"), method);
        assert_eq!(client["grant_types"], json!(["authorization_code", "refresh_token"]));
        assert_eq!((text(&client, "scope"), text(&client, "client_name")), (SCOPE, "Tide Chart"));
        assert_eq!(client.get("contacts"), None, "what is not known is passed over");
        assert_eq!(client["client_secret"].is_string(), method != "none");
        let app = app(&w, &client);
        let page = app.sends_to_page(&asks(&app, SCOPE)).await;
        assert!(page.html.contains("Not checked by the operator") && page.html.contains("Nightjar Health"));
        let code = w.post_form(page.action(), &filled(&page, w.amina(), &[])).await.redirect().code();
        let tokens = app.redeem(&code).await.granted();
        assert_eq!(tokens.scope, SCOPE);
        w.calls_fhir_with(&tokens.access).await.opened();
        app.refresh(&tokens).await.granted();
    }
}

// gaps: Clients > Registration by themselves
#[tokio::test]
async fn what_an_operator_approved_is_unchecked_again_once_it_says_something_else() {
    let w = open_world().await;
    let client = registered(&w, &metadata()).await;
    let client_id = text(&client, "client_id").to_owned();
    let is_marked = async || {
        let app = app(&w, &client);
        app.sends_to_page(&asks(&app, SCOPE)).await.html.contains("Not checked by the operator")
    };
    assert!(is_marked().await);
    for changed in [true, false] {
        let approved = operator(&w, Request::ApproveClient { client_id: client_id.clone() }).await;
        assert!(matches!(approved, Told::Changed(was) if was == changed), "{approved:?}");
        assert!(!is_marked().await);
    }
    let (path, token) = managed(&client);
    let same = json_with(&metadata(), "client_id", client_id.clone().into());
    assert_eq!(sends(&w, (Method::PUT, &path), Some(token), Some(&same)).await.status, 200);
    assert!(!is_marked().await, "nothing is new");
    let other = json_with(&same, "redirect_uris", json!(["https://tide.example/back", "https://evil.example/"]));
    assert_eq!(sends(&w, (Method::PUT, &path), Some(token), Some(&other)).await.status, 200);
    assert!(is_marked().await);
}

// gaps: Clients > Initial access tokens
#[tokio::test]
async fn an_initial_access_token_is_good_for_so_many_clients_and_for_so_long() {
    let w = open_world().await;
    let twice = invites(&w, 2).await;
    for status in [201, 201, 401, 401] {
        assert_eq!(registers(&w, twice.token.reveal(), &metadata()).await.status, status);
    }
    let (late, revoked) = (invites(&w, 1).await, invites(&w, 1).await);
    let Told::ClientInvitations(listed) = operator(&w, Request::ClientInvitations).await else { panic!() };
    assert_eq!(listed.iter().map(|one| (one.id, one.uses_left)).collect::<Vec<_>>(), [(late.id, 1), (revoked.id, 1)]);
    for _ in 0..2 {
        operator(&w, Request::RevokeClientInvitation { id: revoked.id }).await;
    }
    assert_eq!(registers(&w, revoked.token.reveal(), &metadata()).await.status, 401);
    w.after(7 * DAY);
    assert_eq!(registers(&w, late.token.reveal(), &metadata()).await.status, 401);
}

/// What is refused uses nothing up.
#[tokio::test]
async fn what_is_wrong_with_metadata_is_told_and_the_token_stays_good() {
    let w = open_world().await;
    let token = invites(&w, 1).await.token;
    let good = metadata();
    let but = |name: &str, value: Value| json_with(&good, name, value);
    let many: Vec<String> = (0..21).map(|at| format!("https://tide.example/{at}")).collect();
    let private = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "x" }] });
    let signs =
        |name: &str, value: Value| json_with(&but("token_endpoint_auth_method", "private_key_jwt".into()), name, value);
    for (sent, error, words) in [
        (but("redirect_uris", json!([])), "invalid_redirect_uri", "redirect_uris is missing"),
        (but("redirect_uris", "https://tide.example".into()), "invalid_redirect_uri", "array of texts"),
        (but("redirect_uris", json!(["http://tide.example/"])), "invalid_redirect_uri", "must use https"),
        (but("redirect_uris", json!(["https://tide.example/#x"])), "invalid_redirect_uri", "fragment"),
        (but("redirect_uris", json!(many)), "invalid_redirect_uri", "20 addresses"),
        (but("scope", "PATIENT".into()), "invalid_client_metadata", "clients that an operator registers"),
        (but("scope", "system/*.rs email".into()), "invalid_client_metadata", "scope is missing"),
        (but("scope", 7.into()), "invalid_client_metadata", "scope must be a text"),
        (but("client_name", "a\nb".into()), "invalid_client_metadata", "client_name ="),
        (
            but("token_endpoint_auth_method", "tls_client_auth".into()),
            "invalid_client_metadata",
            "must be none, client_secret_basic, private_key_jwt",
        ),
        (but("grant_types", json!(["client_credentials"])), "invalid_client_metadata", "grant_types must be"),
        (but("response_types", json!(["token"])), "invalid_client_metadata", "response_types must be code"),
        (but("id_token_signed_response_alg", "HS256".into()), "invalid_client_metadata", "RS256 or ES256"),
        (but("post_logout_redirect_uris", json!(["data:bye"])), "invalid_client_metadata", "post_logout_redirect_uris"),
        (
            but("token_endpoint_auth_method", "private_key_jwt".into()),
            "invalid_client_metadata",
            "needs jwks or jwks_uri",
        ),
        (signs("jwks", private), "invalid_client_metadata", "private or shared key material"),
        (signs("jwks_uri", "http://tide.example/keys".into()), "invalid_client_metadata", "jwks_uri"),
        (json!([]), "invalid_client_metadata", "send an object"),
        (json_with(&good, "logo", "x".repeat(64 * 1024).into()), "invalid_client_metadata", "at most 65536 bytes"),
    ] {
        let reply = registers(&w, token.reveal(), &sent).await;
        let said = reply.json();
        assert_eq!((reply.status, text(&said, "error")), (400, error), "{said}");
        let description = text(&said, "error_description");
        assert!(description.contains(words), "{words} in {description}");
        assert!(description.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')));
    }
    assert_eq!(registers(&w, token.reveal(), &good).await.status, 201);
}

// gaps: Clients > Managing a registration
#[tokio::test]
async fn a_client_reads_its_registration_and_says_something_else_of_itself() {
    let w = open_world().await;
    let client =
        registered(&w, &json_with(&metadata(), "token_endpoint_auth_method", "client_secret_basic".into())).await;
    let (path, token) = managed(&client);
    let read = sends(&w, (Method::GET, &path), Some(token), None).await.json();
    assert_eq!(read.get("client_secret"), None, "only its fingerprint is kept");
    for (name, value) in read.as_object().unwrap() {
        assert_eq!(*value, client[name], "{name}");
    }
    let now = json!({
        "client_id": client["client_id"], "client_secret": client["client_secret"],
        "client_name": "Tide Table", "redirect_uris": ["https://tide.example/new"],
        "token_endpoint_auth_method": "client_secret_basic", "grant_types": ["authorization_code"], "scope": "patient/Observation.rs openid",
    });
    let wrong = json_with(&now, "client_secret", "rgs_chosen-by-the-client-itself-0000".into());
    assert_eq!(sends(&w, (Method::PUT, &path), Some(token), Some(&wrong)).await.status, 400);
    let other = json_with(&now, "client_id", "sleep-diary".into());
    assert_eq!(sends(&w, (Method::PUT, &path), Some(token), Some(&other)).await.status, 400);
    let changed = sends(&w, (Method::PUT, &path), Some(token), Some(&now)).await.json();
    assert_eq!(
        (text(&changed, "client_name"), &changed["grant_types"]),
        ("Tide Table", &json!(["authorization_code"]))
    );
    assert_eq!(changed.get("client_secret"), None, "the secret stays");
    let renamed = json_with(&changed, "client_secret", client["client_secret"].clone());
    let app = app(&w, &renamed);
    let page = app.sends_to_page(&asks(&app, "patient/Observation.rs openid")).await;
    let code = w.post_form(page.action(), &filled(&page, w.amina(), &[])).await.redirect().code();
    app.redeem(&code).await.granted();
    let public = json_with(&json_without(&now, "client_secret"), "token_endpoint_auth_method", "none".into());
    let changed = sends(&w, (Method::PUT, &path), Some(token), Some(&public)).await.json();
    assert_eq!(text(&changed, "token_endpoint_auth_method"), "none");
}

// gaps: Clients > Managing a registration
#[tokio::test]
async fn a_client_that_ends_its_registration_takes_its_sessions_along() {
    let w = open_world().await;
    let client = registered(&w, &metadata()).await;
    let app = app(&w, &client);
    let tokens = crate::smart_apps::approves(w.amina(), &app, SCOPE, &[]).await;
    let (path, token) = managed(&client);
    let reply = sends(&w, (Method::DELETE, &path), Some(token), None).await;
    assert_eq!((reply.status, reply.body.len()), (204, 0));
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&tokens).await.refused("invalid_client");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&asks(&app, SCOPE)))).await.error_page(400);
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(sends(&w, (method, &path), Some(token), None).await.status, 401);
    }
    operator(&w, Request::EnableClient { client_id: text(&client, "client_id").into() }).await;
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&tokens).await.refused("invalid_grant");
    assert_eq!(sends(&w, (Method::GET, &path), Some(token), None).await.status, 401, "it is the operator's now");
}

#[tokio::test]
async fn a_registration_opens_to_its_own_token_alone() {
    let w = open_world().await;
    let (invitation, client, other) =
        (invites(&w, 1).await, registered(&w, &metadata()).await, registered(&w, &metadata()).await);
    let (path, own) = managed(&client);
    let cut = &own[..own.len() - 1];
    for token in [None, Some(managed(&other).1), Some(invitation.token.reveal()), Some(cut), Some("")] {
        for method in [Method::GET, Method::PUT, Method::DELETE] {
            let reply = sends(&w, (method, &path), token, Some(&metadata())).await;
            TokenReply::of(reply.clone()).refused_as(401, "invalid_token");
            assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer"), "{reply:?}");
        }
    }
    // A client that an operator registered has no such token, and neither has one that is not there.
    for named in ["sleep-diary", "nobody", "%FF"] {
        assert_eq!(sends(&w, (Method::GET, &format!("{PATH}/{named}")), Some(own), None).await.status, 401);
    }
    assert_eq!(sends(&w, (Method::GET, &path), Some(own), None).await.status, 200);
}

/// As everywhere: who guesses waits, and the right token is never throttled.
#[tokio::test]
async fn who_guesses_at_tokens_waits_and_who_knows_one_does_not() {
    let w = open_world().await;
    let invitation = invites(&w, 1).await;
    let mut last = 0;
    for _ in 0..200 {
        last = registers(&w, "rgi_guessed", &metadata()).await.status;
        if last == 429 {
            break;
        }
        assert_eq!(last, 401);
    }
    assert_eq!(last, 429);
    assert_eq!(registers(&w, invitation.token.reveal(), &metadata()).await.status, 201);
}

// gaps: Clients > Registration by themselves
#[tokio::test]
async fn where_it_is_off_nobody_registers_and_discovery_says_nothing_of_it() {
    let documents = [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/fhir/.well-known/smart-configuration",
    ];
    for is_on in [false, true] {
        let w = World::with(|settings| settings.client_registration = is_on).await;
        let token = invites(&w, 1).await.token;
        for document in documents {
            let told = w.get(document).await.json();
            let expected = is_on.then(|| Value::from(format!("{BASE}{PATH}")));
            assert_eq!(told.get("registration_endpoint"), expected.as_ref(), "{document}");
        }
        assert_eq!(registers(&w, token.reveal(), &metadata()).await.status, if is_on { 201 } else { 404 });
        let read = sends(&w, (Method::GET, &format!("{PATH}/sleep-diary")), Some(token.reveal()), None).await;
        assert_eq!(read.status, if is_on { 401 } else { 404 });
    }
}

/// An operator's client is known by `--smart`'s rules: nothing that a dynamic client says makes it more.
#[tokio::test]
async fn a_dynamic_client_is_asked_for_pkce_and_opens_nothing_by_a_word_of_the_contract() {
    let w = open_world().await;
    let app = app(&w, &registered(&w, &metadata()).await);
    let asked = asks(&app, SCOPE);
    let bare: Vec<_> = asked.iter().filter(|(name, _)| !name.starts_with("code_challenge")).cloned().collect();
    for (asked, words) in
        [(bare, "code_challenge is missing"), (with(&asked, "scope", "PATIENT"), "not registered for the scope")]
    {
        let said = w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
        assert!(said.contains(words), "{words} in {said}");
    }
    let nobody = fields([("grant_type", "client_credentials"), ("client_id", app.registration.client_id)]);
    TokenReply::of(w.post_form("/apiToken.action", &nobody).await).refused("unauthorized_client");
}

fn json_with(object: &Value, name: &str, value: Value) -> Value {
    let mut changed = object.clone();
    changed[name] = value;
    changed
}

fn json_without(object: &Value, name: &str) -> Value {
    let mut changed = object.clone();
    changed.as_object_mut().unwrap().remove(name);
    changed
}
