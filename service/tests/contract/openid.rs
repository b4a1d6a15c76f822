//! OpenID Connect: discovery, the keys, the id_token and userinfo, each held to the others.

use crate::kit::client_app::ClientApp;
use crate::kit::reply::Reply;
use crate::kit::token_reply::Tokens;
use crate::kit::{BASE, DAY, MINUTE, World, request, with};
use crate::smart_apps::{approves, smart_app};
use axum::body::Body;
use axum::http::Method;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use rules::clients::SigningAlgorithm;
use rules::scope::UserType;
use serde_json::Value;
use sha2::{Digest, Sha256};

const ALL: &str = "launch/patient openid fhirUser profile offline_access patient/Observation.rs";

async fn app(w: &World) -> ClientApp<'_> {
    smart_app(w, ALL, &[UserType::Patient]).await
}

fn decoded(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

/// The keys that are published.
async fn keys(w: &World) -> Vec<Value> {
    let said = w.get("/.well-known/jwks.json").await.json();
    let keys = said["keys"].as_array().unwrap().clone();
    for key in &keys {
        let private = ["d", "p", "q", "dp", "dq", "qi", "k"].into_iter().find(|member| key.get(member).is_some());
        assert_eq!((private, &key["use"]), (None, &"sig".into()));
    }
    keys
}

/// The header and the claims of an id_token, whose signature is good by one of these keys.
fn read(id_token: &str, keys: &[Value]) -> Option<(Value, Value)> {
    let (message, signature) = id_token.rsplit_once('.').unwrap();
    let (header, claims) = message.split_once('.').unwrap();
    let json = |part: &str| serde_json::from_slice::<Value>(&decoded(part)).unwrap();
    let header = json(header);
    let key = keys.iter().find(|key| key["kid"] == header["kid"] && key["alg"] == header["alg"])?;
    let member = |name: &str| decoded(key[name].as_str().unwrap());
    let is_good = match header["alg"].as_str().unwrap() {
        "RS256" => RsaPublicKeyComponents { n: member("n"), e: member("e") }
            .verify(&RSA_PKCS1_2048_8192_SHA256, message.as_bytes(), &decoded(signature))
            .is_ok(),
        "ES256" => UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, [vec![4], member("x"), member("y")].concat())
            .verify(message.as_bytes(), &decoded(signature))
            .is_ok(),
        other => panic!("{other}"),
    };
    is_good.then(|| (header, json(claims)))
}

pub async fn claims(w: &World, tokens: &Tokens) -> Value {
    let id_token = tokens.body["id_token"].as_str().expect("an id_token");
    read(id_token, &keys(w).await).expect("a good signature").1
}

async fn userinfo(w: &World, access: &str) -> Reply {
    let call = request(Method::GET, "/apiUserinfo.action").header("authorization", format!("Bearer {access}"));
    w.send(call.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn an_id_token_says_to_its_client_alone_who_granted_the_session() {
    let w = World::new().await;
    let app = app(&w).await;
    let tokens = approves(w.amina(), &app, ALL, &[]).await;
    let said = claims(&w, &tokens).await;
    let now = w.now().0 / 1000;
    assert_eq!((&said["iss"], &said["aud"]), (&BASE.into(), &"pill-box".into()));
    assert_eq!(
        (&said["iat"], &said["auth_time"], &said["exp"]),
        (&now.into(), &now.into(), &(now + 10 * MINUTE).into())
    );
    assert_eq!((&said["nonce"], &said["acr"]), (&"n-0S6_WzA2Mj".into(), &"urn:recordgate:1".into()));
    assert_eq!(said["amr"], serde_json::json!(["pwd"]));
    assert_eq!(said["fhirUser"], format!("{BASE}/fhir/Patient/amina"));
    let half = URL_SAFE_NO_PAD.encode(&Sha256::digest(tokens.access.as_bytes())[..16]);
    assert_eq!(said["at_hash"], half);
    assert!(said["sub"].as_str().is_some_and(|sub| !sub.contains("amina") && sub.len() >= 43), "{said}");
}

#[tokio::test]
async fn a_person_has_another_id_in_each_app_and_the_same_in_apps_of_one_sector() {
    let w = World::new().await;
    let app = app(&w).await;
    let sub = async |product: &str, scope: &str| {
        let app = w.client(product);
        claims(&w, &approves(w.amina(), &app, scope, &[]).await).await["sub"].clone()
    };
    let first = sub("Pill Box", ALL).await;
    assert_eq!(sub("Pill Box", ALL).await, first, "always the same");
    let ben = claims(&w, &approves(w.ben(), &app, ALL, &[]).await).await["sub"].clone();
    assert_ne!(ben, first);
    let scopes = rules::smart::request::SmartScopes::kept("openid").scopes;
    w.change("Sleep Diary", move |client| {
        (client.smart_scopes, client.require_pkce) = (scopes, false);
    })
    .await;
    let of_mixed = async || {
        let app = w.client("Sleep Diary");
        claims(&w, &approves_mixed(&w, &app).await).await["sub"].clone()
    };
    assert_ne!(of_mixed().await, first);
    for product in ["Pill Box", "Sleep Diary"] {
        w.change(product, |client| client.sector = Some("dream".into())).await;
    }
    let shared = sub("Pill Box", ALL).await;
    assert_ne!(shared, first, "another sector");
    assert_eq!(of_mixed().await, shared);
}

/// Approves a request with a word of the contract beside openid.
async fn approves_mixed(w: &World, app: &ClientApp<'_>) -> Tokens {
    let page = app.sends_to_page(&with(&app.asks(), "scope", "PATIENT openid")).await;
    let ticked = with(&crate::kit::fields([("form", page.hidden_form()), ("decision", "approve")]), "keep-0", "openid");
    let account = w.amina().account;
    let filled = with(&with(&ticked, "username", account.username), "password", account.password);
    let code = w.post_form(page.action(), &filled).await.redirect().code();
    app.redeem(&code).await.granted()
}

#[tokio::test]
async fn a_client_that_is_registered_for_es256_gets_it() {
    let w = World::new().await;
    let app = app(&w).await;
    let header = async || {
        let tokens = approves(w.amina(), &app, ALL, &[]).await;
        read(tokens.body["id_token"].as_str().unwrap(), &keys(&w).await).unwrap().0
    };
    assert_eq!(header().await["alg"], "RS256");
    w.change("Pill Box", |client| client.id_token_algorithm = Some(SigningAlgorithm::Es256)).await;
    assert_eq!(header().await["alg"], "ES256");
}

/// What was signed before a rotation is good until it would be valid no more, and then its key is gone.
#[tokio::test]
async fn keys_are_published_until_nothing_that_they_signed_is_valid() {
    let w = World::new().await;
    let app = app(&w).await;
    w.change("Pill Box", |client| client.id_token_algorithm = Some(SigningAlgorithm::Es256)).await;
    let signed = approves(w.amina(), &app, ALL, &[]).await.body["id_token"].as_str().unwrap().to_owned();
    let before = keys(&w).await;
    service::app::signing::rotate(&w.app, &w.app.store).await.unwrap();
    let after = keys(&w).await;
    assert_eq!((before.len(), after.len()), (2, 4));
    assert!(read(&signed, &after).is_some(), "the old one is still published");
    let anew = approves(w.amina(), &app, ALL, &[]).await.body["id_token"].as_str().unwrap().to_owned();
    assert!(read(&anew, &after).is_some() && read(&anew, &before).is_none(), "the new one signs");
    w.after(12 * MINUTE);
    let later = keys(&w).await;
    assert_eq!(later.len(), 2);
    assert!(read(&signed, &later).is_none());
}

/// Whoever has stolen the ring and the database could sign; a key of the ring that is retired takes what it sealed with it.
#[tokio::test]
async fn a_key_that_signs_goes_with_the_key_that_sealed_it() {
    let w = World::new().await;
    let (first, now) = (keys(&w).await, w.now());
    let old = w.app.keys.ids().remove(0);
    service::app::key_ring::rotate(&w.app.store, &w.app.keys, now).await.unwrap();
    assert_eq!(keys(&w).await, first, "a rotation of the ring changes nothing");
    service::app::key_ring::retire(&w.app.store, &w.app.keys, &old, now).await.unwrap();
    assert_eq!(keys(&w).await.len(), 4, "new ones sign, the old ones are published for a while");
    let kept = store::signing_keys::published(&w.app.store, now).await.unwrap();
    for key in kept {
        assert_eq!(
            key.replaced_at.is_some(),
            key.sealed.is_empty(),
            "what signs no more has no private part: {}",
            key.id
        );
    }
}

#[tokio::test]
async fn userinfo_says_what_the_id_token_says_and_no_more_than_was_granted() {
    let w = World::new().await;
    let app = app(&w).await;
    let tokens = approves(w.amina(), &app, ALL, &[]).await;
    let told = userinfo(&w, &tokens.access).await.opened().json();
    let said = claims(&w, &tokens).await;
    assert_eq!(
        (&told["sub"], &told["fhirUser"], &told["name"]),
        (&said["sub"], &said["fhirUser"], &"Amina Rahman".into())
    );
    let tokens = approves(w.amina(), &app, ALL, &["profile", "fhirUser"]).await;
    let told = userinfo(&w, &tokens.access).await.opened().json();
    assert_eq!(told.as_object().unwrap().keys().collect::<Vec<_>>(), ["sub"]);
    let tokens = approves(w.amina(), &app, ALL, &["openid"]).await;
    userinfo(&w, &tokens.access).await.says_in_rest(403, "the session was not granted the scope openid");
    let (_, of_contract) = w.amina().approves("Sleep Diary").await;
    userinfo(&w, &of_contract.access).await.says_in_rest(403, "the session was not granted the scope openid");
    w.after(DAY);
    assert_eq!(userinfo(&w, &tokens.access).await.status, 401);
    assert_eq!(userinfo(&w, "rga_unknown").await.status, 401);
    assert_eq!(w.get("/apiUserinfo.action").await.status, 401);
}

#[tokio::test]
async fn what_openid_discovery_claims_is_there() {
    let w = World::embedded().await;
    let said = w.get("/.well-known/openid-configuration").await.json();
    assert_eq!(said["issuer"], BASE);
    let smart = w.get("/fhir/.well-known/smart-configuration").await.json();
    for member in ["issuer", "jwks_uri", "authorization_endpoint", "token_endpoint"] {
        assert_eq!(said[member], smart[member], "{member}");
    }
    let path = said["jwks_uri"].as_str().unwrap().strip_prefix(BASE).unwrap();
    let published: Vec<Value> = w.get(path).await.json()["keys"].as_array().unwrap().clone();
    for algorithm in said["id_token_signing_alg_values_supported"].as_array().unwrap() {
        assert!(published.iter().any(|key| key["alg"] == *algorithm), "{algorithm}");
    }
}
