//! Discovery: each document is found where clients look, and everything that it claims is tried.

use crate::kit::client_app::{ClientApp, basic};
use crate::kit::clients::{CHALLENGE, VERIFIER};
use crate::kit::reply::Reply;
use crate::kit::signer::{ASSERTION_TYPE, Signer};
use crate::kit::{BASE, World, fields, form_request, request, with};
use axum::body::Body;
use axum::http::{Method, header};
use rules::smart::word::SmartScope;
use serde_json::Value;
use service::secrets::secret::Secret;

const SERVER: &str = "/.well-known/oauth-authorization-server";
const SMART: &str = "/fhir/.well-known/smart-configuration";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";

async fn document(w: &World, path: &str) -> Value {
    let reply = w.get(path).await;
    assert_eq!(reply.opened().header("content-type"), Some("application/json;charset=UTF-8"), "{path}");
    reply.json()
}

fn words(document: &Value, member: &str) -> Vec<String> {
    let list = document[member].as_array().unwrap_or_else(|| panic!("{member} in {document}"));
    list.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// Where an address leads in this process.
fn path_of(address: &str) -> &str {
    address.strip_prefix(BASE).unwrap_or_else(|| panic!("{address} is not ours"))
}

// gaps: Discovery > Where it is
#[tokio::test]
async fn every_document_names_the_service_as_the_client_knows_it() {
    let w = World::embedded().await;
    assert_eq!(document(&w, SERVER).await["issuer"], BASE);
    for (path, resource) in [("", ""), ("/fhir", "/fhir"), ("/json", "/json")] {
        let said = document(&w, &format!("{RESOURCE}{path}")).await;
        assert_eq!(said["resource"], format!("{BASE}{resource}"));
        assert_eq!(words(&said, "authorization_servers"), [BASE]);
        assert_eq!(words(&said, "bearer_methods_supported"), ["header"]);
    }
    let resources = words(&document(&w, SERVER).await, "protected_resources");
    assert_eq!(resources, [format!("{BASE}/fhir"), format!("{BASE}/json")]);
    assert_eq!(w.get(&format!("{RESOURCE}/sandbox")).await.status, 404);
}

/// RFC 8414 3.1 and RFC 9728 3.1: the path of the base URL comes after the well-known part.
// gaps: Discovery > Where it is
#[tokio::test]
async fn a_base_url_with_a_path_is_discovered_where_the_rfcs_put_it() {
    let base = "https://example.org/north/{records}";
    let w = World::embedded_with(|settings| settings.base_url = base.into()).await;
    for path in [SERVER.to_owned(), format!("{SERVER}/north/{{records}}")] {
        let said = document(&w, &path).await;
        assert_eq!(said["issuer"], base, "at {path}");
        assert_eq!(said["token_endpoint"], format!("{base}/apiToken.action"));
    }
    assert_eq!(document(&w, &format!("{RESOURCE}/north/{{records}}/fhir")).await["resource"], format!("{base}/fhir"));
    assert_eq!(document(&w, &format!("{RESOURCE}/north/{{records}}")).await["resource"], base);
    assert_eq!(w.get(&format!("{SERVER}/south")).await.status, 404);
    let refused = w.get("/fhir/Patient").await;
    let metadata = format!("resource_metadata=\"https://example.org{RESOURCE}/north/{{records}}/fhir\"");
    assert!(refused.header("www-authenticate").unwrap().contains(&metadata), "{:?}", refused.headers);
}

/// A client that knows nothing but one address of an API finds its way to the token endpoint.
// gaps: Discovery > In a refusal
#[tokio::test]
async fn a_refusal_for_want_of_a_token_leads_to_whoever_hands_them_out() {
    let w = World::embedded().await;
    for (path, resource) in [("/fhir/Patient/amina", "/fhir"), ("/json/users/self", "/json")] {
        for token in [None, Some("Bearer rga_unknown")] {
            let call = request(Method::GET, path);
            let call = if let Some(token) = token { call.header(header::AUTHORIZATION, token) } else { call };
            let reply = w.send(call.body(Body::empty()).unwrap()).await;
            reply.refused();
            let challenge = reply.header("www-authenticate").unwrap();
            assert_eq!(challenge.contains("error=\"invalid_token\""), token.is_some(), "{challenge}");
            let (_, after) = challenge.split_once("resource_metadata=\"").expect("where to read on");
            let said = document(&w, path_of(after.split('"').next().unwrap())).await;
            assert_eq!(said["resource"], format!("{BASE}{resource}"));
            assert!(path.starts_with(path_of(said["resource"].as_str().unwrap())));
            let server = words(&said, "authorization_servers").remove(0);
            assert_eq!(document(&w, &format!("{}{SERVER}", path_of(&server))).await["issuer"], server);
        }
    }
}

/// Every endpoint that any document names is there and answers in its own way.
// gaps: Discovery > What it claims
#[tokio::test]
async fn every_endpoint_that_is_claimed_answers() {
    let w = World::embedded().await;
    for path in [SERVER, SMART] {
        let said = document(&w, path).await;
        let endpoints = said.as_object().unwrap().iter().filter(|(name, _)| name.ends_with("_endpoint"));
        for (name, address) in endpoints {
            let path = path_of(address.as_str().unwrap());
            match name.as_str() {
                "authorization_endpoint" => drop(w.get(path).await.error_page(400)),
                "management_endpoint" => assert_eq!(w.get(path).await.redirect().to, "/sign-in"),
                _ => {
                    let reply = w.post_form(path, &fields([("client_id", "nobody"), ("token", "x")])).await;
                    assert!([400, 401].contains(&reply.status), "{name}: {}", reply.text());
                    assert!(reply.json()["error"].is_string(), "{name}");
                }
            }
        }
    }
}

// gaps: Discovery > Documentation
#[tokio::test]
async fn the_documentation_that_is_claimed_is_there() {
    let w = World::embedded().await;
    let resources = ["", "/fhir", "/json"].map(|path| (format!("{RESOURCE}{path}"), "resource_documentation"));
    for (path, member) in resources.into_iter().chain([(SERVER.to_owned(), "service_documentation")]) {
        let said = document(&w, &path).await;
        assert_eq!(w.get(path_of(said[member].as_str().unwrap())).await.status, 200, "{path}");
    }
}

// gaps: Discovery > What it claims
#[tokio::test]
async fn every_grant_type_and_response_type_that_is_claimed_hands_out_tokens() {
    let w = World::embedded().await;
    for path in [SERVER, SMART] {
        let said = document(&w, path).await;
        assert_eq!(words(&said, "response_types_supported"), ["code"]);
        for grant_type in words(&said, "grant_types_supported") {
            let (app, tokens) = w.amina().approves("Sleep Diary").await;
            match grant_type.as_str() {
                "authorization_code" => assert!(!tokens.access.is_empty()),
                "refresh_token" => drop(app.refresh(&tokens).await.granted()),
                "client_credentials" => drop(w.client("Lab Link").client_credentials().await.granted()),
                other => panic!("nothing tries the grant type {other}"),
            }
        }
    }
}

/// A token request of the client by this method of authentication, at this endpoint.
async fn asks_by(app: &ClientApp<'_>, method: &str, path: &str, body: &[(String, String)]) -> Reply {
    let (client_id, secret) = (app.registration.client_id, app.registration.secret);
    let named = with(body, "client_id", client_id);
    let request = match method {
        "none" => form_request(path, &named),
        "client_secret_post" => form_request(path, &with(&named, "client_secret", secret.unwrap())),
        "client_secret_basic" => {
            let mut request = form_request(path, body);
            request.headers_mut().insert(header::AUTHORIZATION, basic(client_id, secret.unwrap()));
            request
        }
        "private_key_jwt" => return asks_signed(app, path, body).await,
        other => panic!("nothing tries the authentication method {other}"),
    };
    app.world.send(request).await
}

/// The same by a signed assertion. The client is registered by its key for this one request, and by its secret again after it.
async fn asks_signed(app: &ClientApp<'_>, path: &str, body: &[(String, String)]) -> Reply {
    let (w, signer) = (app.world, Signer::called("ward"));
    let (key, secret) = (signer.key(), app.registration.secret.unwrap());
    w.change(app.registration.product, move |client| (client.keys, client.secret) = (vec![key], None)).await;
    let assertion = signer.assertion(w, app.registration.client_id);
    let signed = with(&with(body, "client_assertion_type", ASSERTION_TYPE), "client_assertion", &assertion);
    let reply = w.send(form_request(path, &signed)).await;
    let secret = Secret::new(secret.into()).fingerprint();
    w.change(app.registration.product, move |client| (client.keys, client.secret) = (Vec::new(), Some(secret))).await;
    reply
}

// gaps: Discovery > What it claims
#[tokio::test]
async fn every_authentication_method_that_is_claimed_is_accepted() {
    let w = World::embedded().await;
    for path in [SERVER, SMART] {
        for method in words(&document(&w, path).await, "token_endpoint_auth_methods_supported") {
            let product = if method == "none" { "Sleep Diary" } else { "Ward Round" };
            let person = if method == "none" { w.amina() } else { w.dr_okafor() };
            let (app, tokens) = person.approves(product).await;
            let body = fields([("grant_type", "refresh_token"), ("refresh_token", tokens.refresh())]);
            asks_by(&app, &method, "/apiToken.action", &body).await.opened();
        }
    }
    for method in words(&document(&w, SERVER).await, "revocation_endpoint_auth_methods_supported") {
        let product = if method == "none" { "Sleep Diary" } else { "Ward Round" };
        asks_by(&w.client(product), &method, "/apiRevoke.action", &fields([("token", "x")])).await.opened();
    }
    w.change("Ward Round", |client| client.may_introspect = true).await;
    for method in words(&document(&w, SERVER).await, "introspection_endpoint_auth_methods_supported") {
        let asking = w.client("Ward Round");
        asks_by(&asking, &method, "/apiIntrospect.action", &fields([("token", "x")])).await.opened();
    }
}

// gaps: Discovery > What it claims
#[tokio::test]
async fn every_scope_that_is_claimed_is_granted_as_it_is_spelt() {
    let w = World::embedded().await;
    let mut documents = vec![SERVER.to_owned(), SMART.to_owned()];
    documents.extend(["", "/fhir", "/json"].map(|path| format!("{RESOURCE}{path}")));
    for path in documents {
        for scope in words(&document(&w, &path).await, "scopes_supported") {
            let granted = match scope.as_str() {
                "SITE" => {
                    let shown = w.grace().signs_in().await.grants("old-bridge").await;
                    let bridge = w.client("Old Bridge");
                    bridge.asks_for_tokens(&with(&bridge.refreshment(&shown), "scope", &scope)).await.granted()
                }
                // Each is granted in smart_apps.rs or records/backend_services.rs, as it is spelt.
                of_smart if of_smart.contains('/') || SmartScope::read(of_smart).is_some() => {
                    assert!(SmartScope::read(of_smart).is_some(), "{of_smart}");
                    continue;
                }
                of_a_user => {
                    let person = match of_a_user {
                        "PATIENT" => w.amina(),
                        "CLINICIAN" => w.dr_okafor(),
                        "TEAMCOORD" => w.grace(),
                        other => panic!("nothing tries the scope {other}"),
                    };
                    let app = w.client("Many Doors");
                    let code = person.approves_asked(&app, &with(&app.asks(), "scope", &scope)).await;
                    app.redeem(&code).await.granted()
                }
            };
            assert_eq!(granted.scope, scope.to_lowercase());
        }
    }
}

// gaps: Discovery > What it claims
#[tokio::test]
async fn every_challenge_method_that_is_claimed_is_checked() {
    let w = World::embedded().await;
    let app = w.client("Sleep Diary");
    for path in [SERVER, SMART] {
        for method in words(&document(&w, path).await, "code_challenge_methods_supported") {
            assert_eq!(method, "S256", "SMART App Launch forbids plain, and nothing here tries another");
            let asked = with(&with(&app.asks(), "code_challenge", CHALLENGE), "code_challenge_method", &method);
            let code = w.amina().approves_asked(&app, &asked).await;
            app.asks_for_tokens(&app.redemption(&code)).await.refused("invalid_grant");
            app.asks_for_tokens(&with(&app.redemption(&code), "code_verifier", VERIFIER)).await.granted();
        }
    }
}

/// SMART App Launch has many capabilities; only what holds is claimed.
// gaps: Discovery > SMART capabilities
#[tokio::test]
async fn every_smart_capability_that_is_claimed_holds() {
    let w = World::embedded().await;
    let said = document(&w, SMART).await;
    for capability in words(&said, "capabilities") {
        match capability.as_str() {
            "authorize-post" => {
                let app = w.client("Sleep Diary");
                let page = w.post_form("/apiAuthorize.action", &app.asks()).await.page();
                w.amina().decides(&page, "approve").await.redirect().code();
            }
            "client-public" => drop(w.amina().approves("Sleep Diary").await),
            "client-confidential-symmetric" => drop(w.dr_okafor().approves("Ward Round").await),
            "client-confidential-asymmetric" => {
                let body = fields([("grant_type", "client_credentials")]);
                asks_signed(&w.client("Lab Link"), "/apiToken.action", &body).await.opened();
            }
            // Tried in smart_apps.rs, launches.rs, silent.rs and openid.rs.
            "launch-ehr" | "context-ehr-patient" => {}
            "launch-standalone" | "context-standalone-patient" | "context-banner" | "sso-openid-connect" => {}
            "permission-offline" | "permission-online" => {}
            "permission-patient" | "permission-user" | "permission-v1" | "permission-v2" => {}
            other => panic!("nothing tries the capability {other}"),
        }
    }
}

/// What SMART demands of its document, which is JSON whatever its reader would rather have.
#[tokio::test]
async fn smarts_document_has_what_smart_demands_whatever_is_accepted() {
    let w = World::embedded().await;
    let said = document(&w, SMART).await;
    for (member, demanded) in [
        ("grant_types_supported", "authorization_code client_credentials"),
        ("token_endpoint_auth_methods_supported", "private_key_jwt"),
        ("token_endpoint_auth_signing_alg_values_supported", "RS384 ES384"),
        ("capabilities", "launch-ehr launch-standalone sso-openid-connect permission-patient permission-user"),
        ("capabilities", "client-public client-confidential-symmetric client-confidential-asymmetric"),
        ("capabilities", "context-ehr-patient context-standalone-patient"),
    ] {
        let named = words(&said, member);
        for word in demanded.split(' ') {
            assert!(named.iter().any(|one| one == word), "{word} in {member}: {named:?}");
        }
    }
    assert_eq!(words(&said, "code_challenge_methods_supported"), ["S256"]);
    assert!(!words(&said, "scopes_supported").is_empty());
    for member in ["issuer", "jwks_uri", "authorization_endpoint", "token_endpoint"] {
        assert!(said[member].as_str().is_some_and(|address| address.starts_with(BASE)), "{member} in {said}");
    }
    for accepted in ["text/html", "application/fhir+xml", "image/png"] {
        let call = request(Method::GET, SMART).header(header::ACCEPT, accepted);
        let reply = w.send(call.body(Body::empty()).unwrap()).await;
        assert_eq!(reply.opened().header("content-type"), Some("application/json;charset=UTF-8"), "{accepted}");
        assert_eq!(reply.json(), said);
    }
}

#[tokio::test]
async fn a_document_is_read_by_get_alone_and_may_be_kept_for_minutes() {
    let w = World::embedded().await;
    for path in [SERVER, RESOURCE, SMART] {
        assert_eq!(w.get(path).await.header("cache-control"), Some("public, max-age=300"));
        w.post_form(path, &[]).await.says_in_rest(405, "this path does not support");
    }
}
