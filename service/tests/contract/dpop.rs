//! Tokens that are bound to a key (DPoP, RFC 9449): what a proof must say, what follows from it, and that nothing is spent by a wrong
//! one. FAPI 2's negatives are each a test here.

use crate::kit::caller::{REST_PATH, fhir_path};
use crate::kit::client_app::ClientApp;
use crate::kit::page::Page;
use crate::kit::prover::{Prover, TOKEN, asks_with, gets_with, posts_with};
use crate::kit::reply::Reply;
use crate::kit::signer::base64url;
use crate::kit::token_reply::{TokenReply, Tokens};
use crate::kit::{BASE, MINUTE, RIVERSIDE, World, encoded, fields, with};
use serde_json::{Value, json};

const DIARY: &str = "Sleep Diary";
const WARD: &str = "Ward Round";
const USERINFO: &str = "/apiUserinfo.action";
const INTROSPECT: &str = "/apiIntrospect.action";
const ALGS: &str = "algs=\"ES256 ES384 EdDSA\"";

/// A session of Amina's with a key of its own.
async fn bound<'w>(w: &'w World, prover: &Prover<'_>) -> (ClientApp<'w>, Tokens) {
    let (app, code) = w.amina().gives_code(DIARY).await;
    let tokens = prover.asks(&app, &app.redemption(&code)).await.granted_as("DPoP");
    (app, tokens)
}

/// Refused by an API, with this error for whoever proves a key.
fn is_challenged(reply: &Reply, error: &str) {
    assert_eq!(reply.status, 401, "{}", reply.text());
    let challenge = reply.header("www-authenticate").unwrap();
    let begins = format!("DPoP error=\"{error}\", {ALGS}, resource_metadata=\"{BASE}/");
    assert!(challenge.starts_with(&begins), "{challenge}");
}

fn says(reply: &TokenReply, words: &str) {
    let said = reply.0.json()["error_description"].as_str().unwrap().to_owned();
    assert!(said.contains(words), "{words} in {said}");
}

/// What `change` makes of a proof is refused by the token endpoint and by an API with these words, and has spent nothing.
async fn is_refused(words: &str, change: impl Fn(&mut Value, &mut Value)) {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let changed = |method: &str, path: &str, access: Option<&str>| {
        let (mut head, mut claims) = (prover.head(), prover.claims(method, path, access));
        change(&mut head, &mut claims);
        prover.signer.sign(&head, &claims)
    };
    let (app, code) = w.amina().gives_code(DIARY).await;
    let redemption = app.redemption(&code);
    let refused = asks_with(&app, &redemption, &[&changed("POST", TOKEN, None)]).await;
    refused.refused("invalid_dpop_proof");
    says(&refused, words);
    let tokens = prover.asks(&app, &redemption).await.granted_as("DPoP");
    calls_are_refused(&w, &tokens.access, &changed("GET", REST_PATH, Some(&tokens.access)), words).await;
    assert_eq!(prover.gets(REST_PATH, &tokens.access).await.status, 200);
}

async fn calls_are_refused(w: &World, access: &str, proof: &str, words: &str) {
    let reply = gets_with(w, REST_PATH, &format!("DPoP {access}"), &[proof]).await;
    is_challenged(&reply, "invalid_dpop_proof");
    assert!(reply.text().contains(words), "{words} in {}", reply.text());
}

#[tokio::test]
async fn a_session_that_begins_with_a_proof_is_bound_to_its_key_for_good() {
    for algorithm in ["ES256", "ES384", "EdDSA"] {
        let w = World::new().await;
        let prover = Prover::by(&w, algorithm);
        let (app, first) = bound(&w, &prover).await;
        let second = prover.asks(&app, &app.refreshment(first.refresh())).await.granted_as("DPoP");
        for tokens in [&first, &second] {
            assert_eq!(prover.gets(REST_PATH, &tokens.access).await.status, 200, "{algorithm}");
            prover.gets(&fhir_path(), &tokens.access).await.opened();
        }
    }
}

/// The word of the scheme may be spelt in any case, as of every scheme.
#[tokio::test]
async fn the_scheme_is_known_however_its_word_is_spelt() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    for word in ["DPoP", "dpop", "DPOP"] {
        let proof = prover.proof("GET", REST_PATH, Some(&tokens.access));
        let reply = gets_with(&w, REST_PATH, &format!("{word} {}", tokens.access), &[&proof]).await;
        assert_eq!(reply.status, 200, "{word}: {}", reply.text());
    }
}

#[tokio::test]
async fn introspection_tells_the_key_of_a_bound_token() {
    let w = World::new().await;
    w.change("Post Room", |client| client.may_introspect = true).await;
    let (prover, asking) = (Prover::new(&w), w.client("Post Room"));
    let (_, tokens) = bound(&w, &prover).await;
    let told = asking.asks_about(INTROSPECT, &tokens.access).await.0.json();
    assert_eq!((&told["token_type"], &told["cnf"]), (&json!("DPoP"), &json!({"jkt": prover.jkt()})));
    let (_, plain) = w.amina().approves(DIARY).await;
    let told = asking.asks_about(INTROSPECT, &plain.access).await.0.json();
    assert_eq!((&told["token_type"], told.get("cnf")), (&json!("Bearer"), None));
}

#[tokio::test]
async fn who_asks_by_a_bound_token_of_its_own_shows_its_key() {
    let w = World::new().await;
    w.change("Lab Link", |client| client.may_introspect = true).await;
    let (prover, lab) = (Prover::new(&w), w.client("Lab Link"));
    let own = prover.asks(&lab, &fields([("grant_type", "client_credentials")])).await.granted_as("DPoP");
    let asks = async |scheme: &str, proofs: &[&str]| {
        let request = crate::kit::request(axum::http::Method::POST, INTROSPECT)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("authorization", format!("{scheme} {}", own.access));
        let request = proofs.iter().fold(request, |request, proof| request.header("DPoP", *proof));
        let body = encoded(&fields([("token", &own.access)]));
        TokenReply::of(w.send(request.body(body.into()).unwrap()).await)
    };
    let proof = prover.proof("POST", INTROSPECT, Some(&own.access));
    assert_eq!(asks("DPoP", &[&proof]).await.0.json()["active"], true);
    asks("DPoP", &[&proof]).await.refused("invalid_dpop_proof");
    asks("DPoP", &[]).await.refused("invalid_dpop_proof");
    asks("Bearer", &[]).await.refused_as(401, "invalid_client");
}

// FAPI 2: downgrade
#[tokio::test]
async fn a_bound_token_is_no_bearer_token() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    for path in [REST_PATH, &fhir_path(), USERINFO] {
        let proof = prover.proof("GET", path.split('?').next().unwrap(), Some(&tokens.access));
        for proofs in [&[] as &[&str], &[&proof]] {
            let reply = gets_with(&w, path, &format!("Bearer {}", tokens.access), proofs).await;
            is_challenged(&reply, "invalid_token");
        }
    }
    assert_eq!(prover.gets(REST_PATH, &tokens.access).await.status, 200);
}

// FAPI 2: no proof
#[tokio::test]
async fn a_bound_token_without_a_proof_opens_nothing() {
    let w = World::new().await;
    let (_, tokens) = bound(&w, &Prover::new(&w)).await;
    for path in [REST_PATH, &fhir_path(), USERINFO] {
        let reply = gets_with(&w, path, &format!("DPoP {}", tokens.access), &[]).await;
        is_challenged(&reply, "invalid_dpop_proof");
    }
}

// FAPI 2: other key
#[tokio::test]
async fn a_bound_token_opens_nothing_with_another_key() {
    let w = World::new().await;
    let (_, tokens) = bound(&w, &Prover::new(&w)).await;
    let thief = Prover::new(&w);
    for path in [REST_PATH, &fhir_path(), USERINFO] {
        is_challenged(&thief.gets(path, &tokens.access).await, "invalid_token");
    }
}

#[tokio::test]
async fn a_token_that_is_bound_to_no_key_is_a_bearer_token_and_no_other() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, plain) = w.amina().approves(DIARY).await;
    is_challenged(&prover.gets(REST_PATH, &plain.access).await, "invalid_token");
    let beside = prover.proof("GET", REST_PATH, Some(&plain.access));
    let reply = gets_with(&w, REST_PATH, &format!("Bearer {}", plain.access), &[&beside, "and nonsense"]).await;
    assert_eq!(reply.status, 200, "a header that goes with no bound token is passed over");
}

#[tokio::test]
async fn who_proves_a_key_hears_of_an_expired_token_in_the_same_scheme() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    w.after(10 * MINUTE);
    let reply = prover.gets(REST_PATH, &tokens.access).await;
    is_challenged(&reply, "invalid_token");
    assert_eq!(reply.json()["errorCode"], "ACC_TOKEN_EXPIRED");
}

#[tokio::test]
async fn a_damaged_bound_token_is_no_token() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    let mut damaged = tokens.access;
    damaged.pop();
    is_challenged(&prover.gets(REST_PATH, &damaged).await, "invalid_token");
}

#[tokio::test]
async fn userinfo_is_told_to_the_holder_of_the_key() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    let reply = prover.gets(USERINFO, &tokens.access).await;
    assert_eq!(reply.status, 403, "{}", reply.text());
    assert!(reply.text().contains("the session was not granted the scope openid"), "{}", reply.text());
    let challenge = reply.header("www-authenticate").unwrap();
    assert!(challenge.starts_with("DPoP error=\"insufficient_scope\", "), "{challenge}");
}

// FAPI 2: two headers
#[tokio::test]
async fn two_proofs_are_none() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (app, code) = w.amina().gives_code(DIARY).await;
    let redemption = app.redemption(&code);
    let two = [prover.token_proof(), prover.token_proof()];
    asks_with(&app, &redemption, &[&two[0], &two[1]]).await.refused("invalid_dpop_proof");
    asks_with(&app, &redemption, &[&two[0], &two[0]]).await.refused("invalid_dpop_proof");
    let tokens = prover.asks(&app, &redemption).await.granted_as("DPoP");
    let proofs = [0, 1].map(|_| prover.proof("GET", REST_PATH, Some(&tokens.access)));
    let reply = gets_with(&w, REST_PATH, &format!("DPoP {}", tokens.access), &[&proofs[0], &proofs[1]]).await;
    is_challenged(&reply, "invalid_dpop_proof");
}

// FAPI 2: missing or wrong typ
#[tokio::test]
async fn a_jwt_of_another_type_is_no_proof() {
    for typ in [json!(null), json!("JWT"), json!("dpop+jws"), json!("")] {
        is_refused("typ of the DPoP proof", |head, _| head["typ"] = typ.clone()).await;
    }
}

// FAPI 2: alg
#[tokio::test]
async fn a_proof_is_signed_by_one_of_three_algorithms() {
    for alg in [json!(null), json!("none"), json!("HS256"), json!("RS256"), json!("PS256"), json!("ES512")] {
        is_refused("must be signed with ES256, ES384 or EdDSA", |head, _| head["alg"] = alg.clone()).await;
    }
}

/// Neither without a signature nor with one that anybody can make who knows the public key.
#[tokio::test]
async fn an_algorithm_that_the_proof_names_itself_opens_nothing() {
    let w = World::new().await;
    let prover = Prover::by(&w, "RS256");
    let (app, code) = w.amina().gives_code(DIARY).await;
    asks_with(&app, &app.redemption(&code), &[&prover.token_proof()]).await.refused("invalid_dpop_proof");
    let (_, tokens) = bound(&w, &Prover::new(&w)).await;
    let head = json!({"typ": "dpop+jwt", "alg": "none", "jwk": prover.signer.jwk()});
    let claims = prover.claims("GET", REST_PATH, Some(&tokens.access));
    let unsigned = format!("{}.{}.", base64url(head.to_string()), base64url(claims.to_string()));
    calls_are_refused(&w, &tokens.access, &unsigned, "must be signed").await;
}

// FAPI 2: missing jwk
#[tokio::test]
async fn a_proof_brings_its_key() {
    is_refused("has no jwk", |head, _| drop(head.as_object_mut().unwrap().remove("jwk"))).await;
}

// FAPI 2: private key in jwk
#[tokio::test]
async fn a_proof_with_a_private_key_is_refused() {
    is_refused("holds private key material", |head, _| head["jwk"]["d"] = json!("AAAA")).await;
}

#[tokio::test]
async fn a_proof_is_by_the_key_that_it_brings() {
    let w = World::new().await;
    let (prover, other) = (Prover::new(&w), Prover::new(&w));
    let (app, code) = w.amina().gives_code(DIARY).await;
    let swapped = prover.signer.sign(&other.head(), &prover.claims("POST", TOKEN, None));
    let reply = asks_with(&app, &app.redemption(&code), &[&swapped]).await;
    reply.refused("invalid_dpop_proof");
    says(&reply, "not signed by its jwk");
    for jwk in [json!("a text"), json!({}), json!({"kty": "oct"}), Prover::by(&w, "ES384").signer.jwk()] {
        is_refused("no public key that its alg fits", |head, _| head["jwk"] = jwk.clone()).await;
    }
}

// FAPI 2: missing jti
#[tokio::test]
async fn a_proof_has_an_id() {
    for id in [json!(null), json!("")] {
        is_refused("has no jti", |_, claims| claims["jti"] = id.clone()).await;
    }
}

// FAPI 2: replay
#[tokio::test]
async fn a_proof_is_used_once() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (app, tokens) = bound(&w, &prover).await;
    let proof = prover.proof("GET", REST_PATH, Some(&tokens.access));
    let scheme = format!("DPoP {}", tokens.access);
    assert_eq!(gets_with(&w, REST_PATH, &scheme, &[&proof]).await.status, 200);
    calls_are_refused(&w, &tokens.access, &proof, "was used before").await;
    let (_, code) = w.amina().gives_code(DIARY).await;
    let proof = prover.token_proof();
    asks_with(&app, &app.refreshment(tokens.refresh()), &[&proof]).await.granted_as("DPoP");
    let reply = asks_with(&app, &app.redemption(&code), &[&proof]).await;
    reply.refused("invalid_dpop_proof");
    says(&reply, "was used before");
    let head = prover.head();
    let mut claims = prover.claims("POST", TOKEN, None);
    asks_with(&app, &app.redemption(&code), &[&prover.signer.sign(&head, &claims)]).await.granted_as("DPoP");
    (claims["htm"], claims["htu"]) = ("GET".into(), format!("{BASE}{REST_PATH}").into());
    claims["ath"] = prover.claims("GET", REST_PATH, Some(&tokens.access))["ath"].take();
    calls_are_refused(&w, &tokens.access, &prover.signer.sign(&head, &claims), "was used before").await;
}

/// Another client may give its proofs the same names.
#[tokio::test]
async fn the_id_of_a_proof_is_its_keys_own() {
    let w = World::new().await;
    for _ in 0..2 {
        let prover = Prover::new(&w);
        let (app, code) = w.amina().gives_code(DIARY).await;
        let mut claims = prover.claims("POST", TOKEN, None);
        claims["jti"] = "one".into();
        let proof = prover.signer.sign(&prover.head(), &claims);
        asks_with(&app, &app.redemption(&code), &[&proof]).await.granted_as("DPoP");
    }
}

#[tokio::test]
async fn of_many_uses_of_one_proof_at_once_one_counts() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    let proof = prover.proof("GET", REST_PATH, Some(&tokens.access));
    let call = || {
        crate::kit::request(axum::http::Method::GET, REST_PATH)
            .header("authorization", format!("DPoP {}", tokens.access))
            .header("DPoP", &proof)
            .body(axum::body::Body::empty())
            .unwrap()
    };
    let replies = w.shoots((0..16).map(|_| call()).collect()).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    assert_eq!(replies.iter().filter(|reply| reply.status == 401).count(), 15);
}

// FAPI 2: htm
#[tokio::test]
async fn a_proof_is_for_one_method() {
    for method in [json!(null), json!("PUT"), json!("post"), json!("")] {
        is_refused("htm of the DPoP proof", |_, claims| claims["htm"] = method.clone()).await;
    }
}

// FAPI 2: htu
#[tokio::test]
async fn a_proof_is_for_one_url() {
    let elsewhere =
        ["https://evil.example/apiToken.action", BASE, "/apiToken.action", "nonsense", ""].map(|url| json!(url));
    for url in elsewhere.into_iter().chain([json!(null)]) {
        is_refused("htu of the DPoP proof", |_, claims| claims["htu"] = url.clone()).await;
    }
}

#[tokio::test]
async fn the_url_of_a_proof_may_have_a_query_and_be_spelt_otherwise() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    for url in [
        format!("{BASE}{REST_PATH}?x=1#y"),
        format!("{}{REST_PATH}", BASE.to_uppercase()),
        format!("{BASE}/./json/%75sers/self"),
    ] {
        let mut claims = prover.claims("GET", REST_PATH, Some(&tokens.access));
        claims["htu"] = url.clone().into();
        let proof = prover.signer.sign(&prover.head(), &claims);
        let reply = gets_with(&w, REST_PATH, &format!("DPoP {}", tokens.access), &[&proof]).await;
        assert_eq!(reply.status, 200, "{url}: {}", reply.text());
    }
}

// FAPI 2: iat
#[tokio::test]
async fn a_proof_is_of_this_minute() {
    for apart in [-61, -3600, 62, 3600] {
        let moved = |_: &mut Value, claims: &mut Value| claims["iat"] = json!(claims["iat"].as_i64().unwrap() + apart);
        is_refused("more than 60 seconds from now", moved).await;
    }
    is_refused("has no iat", |_, claims| drop(claims.as_object_mut().unwrap().remove("iat"))).await;
    is_refused("must be a JWT", |_, claims| claims["iat"] = json!("now")).await;
    is_refused("more than 60 seconds", |_, claims| claims["iat"] = json!(1e300)).await;
}

#[tokio::test]
async fn a_clock_that_is_less_than_a_minute_off_is_forgiven() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    for apart in [-58, 0, 58] {
        let mut claims = prover.claims("GET", REST_PATH, Some(&tokens.access));
        claims["iat"] = json!(claims["iat"].as_i64().unwrap() + apart);
        let proof = prover.signer.sign(&prover.head(), &claims);
        let reply = gets_with(&w, REST_PATH, &format!("DPoP {}", tokens.access), &[&proof]).await;
        assert_eq!(reply.status, 200, "{apart}: {}", reply.text());
    }
}

// FAPI 2: ath
#[tokio::test]
async fn a_proof_beside_an_access_token_is_for_that_token() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (_, tokens) = bound(&w, &prover).await;
    let (_, other) = bound(&w, &prover).await;
    calls_are_refused(&w, &tokens.access, &prover.proof("GET", REST_PATH, None), "has no ath").await;
    let of_other = prover.proof("GET", REST_PATH, Some(&other.access));
    calls_are_refused(&w, &tokens.access, &of_other, "ath of the DPoP proof is not").await;
}

#[tokio::test]
async fn what_is_no_jwt_is_no_proof() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (app, code) = w.amina().gives_code(DIARY).await;
    let proof = prover.token_proof();
    let critical = {
        let mut head = prover.head();
        head["crit"] = json!(["exp"]);
        prover.signer.sign(&head, &prover.claims("POST", TOKEN, None))
    };
    for nonsense in ["", "x", "a.b.c", "a.b.c.d", &format!("{proof}.x"), &format!(".{proof}"), &critical] {
        asks_with(&app, &app.redemption(&code), &[nonsense]).await.refused("invalid_dpop_proof");
    }
    let mut cut = proof;
    cut.pop();
    asks_with(&app, &app.redemption(&code), &[&cut]).await.refused("invalid_dpop_proof");
    app.redeem(&code).await.granted();
}

#[tokio::test]
async fn a_public_client_refreshes_with_its_key_alone_and_a_wrong_one_spends_nothing() {
    let w = World::new().await;
    let (prover, thief) = (Prover::new(&w), Prover::new(&w));
    let (app, first) = bound(&w, &prover).await;
    let body = app.refreshment(first.refresh());
    for _ in 0..2 {
        let reply = app.asks_for_tokens(&body).await;
        reply.refused("invalid_dpop_proof");
        says(&reply, "nothing is used up");
        thief.asks(&app, &body).await.refused("invalid_dpop_proof");
    }
    let second = prover.asks(&app, &body).await.granted_as("DPoP");
    thief.asks(&app, &body).await.refused("invalid_dpop_proof");
    app.asks_for_tokens(&body).await.refused("invalid_dpop_proof");
    assert_eq!(prover.gets(REST_PATH, &second.access).await.status, 200, "a replay without the key ends nothing");
    prover.asks(&app, &body).await.refused("invalid_grant");
    assert_eq!(prover.gets(REST_PATH, &second.access).await.status, 401, "a replay with the key ends the session");
}

#[tokio::test]
async fn a_confidential_client_may_change_its_key_at_a_refresh_and_not_go_without() {
    let w = World::new().await;
    let (old, new) = (Prover::new(&w), Prover::new(&w));
    let (app, code) = w.dr_okafor().gives_code(WARD).await;
    let first = old.asks(&app, &app.redemption(&code)).await.granted_as("DPoP");
    app.refresh(&first).await.refused("invalid_dpop_proof");
    let second = new.asks(&app, &app.refreshment(first.refresh())).await.granted_as("DPoP");
    assert_eq!(new.gets(REST_PATH, &second.access).await.status, 200);
    assert_eq!(old.gets(REST_PATH, &first.access).await.status, 200, "the older token stays bound to the older key");
    is_challenged(&old.gets(REST_PATH, &second.access).await, "invalid_token");
    is_challenged(&new.gets(REST_PATH, &first.access).await, "invalid_token");
}

/// RFC 9449, 5: a refresh token that is given to a public client beside a proof is bound.
#[tokio::test]
async fn a_session_that_began_without_a_proof_is_bound_from_the_first_on() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let (app, first) = w.amina().approves(DIARY).await;
    let second = prover.asks(&app, &app.refreshment(first.refresh())).await.granted_as("DPoP");
    app.refresh(&second).await.refused("invalid_dpop_proof");
    prover.asks(&app, &app.refreshment(second.refresh())).await.granted_as("DPoP");
}

#[tokio::test]
async fn a_retry_within_the_window_gets_the_same_tokens_of_the_same_key() {
    let w = World::new().await;
    w.change(DIARY, |client| client.retry_seconds = 30).await;
    let prover = Prover::new(&w);
    let (app, first) = bound(&w, &prover).await;
    let body = app.refreshment(first.refresh());
    let second = prover.asks(&app, &body).await.granted_as("DPoP");
    assert_eq!(prover.asks(&app, &body).await.granted_as("DPoP"), second);
    Prover::new(&w).asks(&app, &body).await.refused("invalid_dpop_proof");
}

#[tokio::test]
async fn a_system_clients_token_is_bound_too() {
    let w = World::new().await;
    let (prover, lab) = (Prover::new(&w), w.client("Lab Link"));
    let tokens = prover.asks(&lab, &fields([("grant_type", "client_credentials")])).await.granted_as("DPoP");
    let path = fhir_path();
    let calls = async |prover: &Prover<'_>, scheme: &str| {
        let proof = prover.proof("GET", path.split('?').next().unwrap(), Some(&tokens.access));
        let call = crate::kit::request(axum::http::Method::GET, &path)
            .header("authorization", format!("{scheme} {}", tokens.access))
            .header("X-Org-Public-Id", RIVERSIDE)
            .header("DPoP", proof);
        w.send(call.body(axum::body::Body::empty()).unwrap()).await
    };
    calls(&prover, "DPoP").await.opened();
    is_challenged(&calls(&prover, "Bearer").await, "invalid_token");
    is_challenged(&calls(&Prover::new(&w), "DPoP").await, "invalid_token");
}

#[tokio::test]
async fn a_client_that_must_bind_its_tokens_gets_none_without_a_proof() {
    let w = World::new().await;
    for product in [DIARY, "Lab Link"] {
        w.change(product, |client| client.dpop_bound = true).await;
    }
    let prover = Prover::new(&w);
    let (app, code) = w.amina().gives_code(DIARY).await;
    let reply = app.redeem(&code).await;
    reply.refused("invalid_dpop_proof");
    says(&reply, "a proof in the header DPoP is needed");
    let tokens = prover.asks(&app, &app.redemption(&code)).await.granted_as("DPoP");
    app.refresh(&tokens).await.refused("invalid_dpop_proof");
    w.client("Lab Link").client_credentials().await.refused("invalid_dpop_proof");
}

#[tokio::test]
async fn a_code_is_bound_to_the_key_that_its_request_names() {
    let w = World::new().await;
    let (prover, thief) = (Prover::new(&w), Prover::new(&w));
    let app = w.client(DIARY);
    let code = w.amina().approves_asked(&app, &with(&app.asks(), "dpop_jkt", &prover.jkt())).await;
    let body = app.redemption(&code);
    app.redeem(&code).await.refused("invalid_dpop_proof");
    thief.asks(&app, &body).await.refused("invalid_dpop_proof");
    let tokens = prover.asks(&app, &body).await.granted_as("DPoP");
    assert_eq!(prover.gets(REST_PATH, &tokens.access).await.status, 200);
}

/// RFC 6749, 4.1.2: a code that comes again was stolen, with whichever key or none.
#[tokio::test]
async fn a_used_code_ends_its_session_however_it_comes_again() {
    let w = World::new().await;
    for again in ["without a proof", "with another key", "with the key"] {
        let (prover, thief) = (Prover::new(&w), Prover::new(&w));
        let (app, code) = w.amina().gives_code(DIARY).await;
        let body = app.redemption(&code);
        let tokens = prover.asks(&app, &body).await.granted_as("DPoP");
        let replayed = match again {
            "without a proof" => app.redeem(&code).await,
            "with another key" => thief.asks(&app, &body).await,
            _ => prover.asks(&app, &body).await,
        };
        replayed.refused("invalid_grant");
        assert_eq!(prover.gets(REST_PATH, &tokens.access).await.status, 401, "{again}");
    }
}

/// Its proof of who it is does not stand for the key: the app itself has named that.
#[tokio::test]
async fn the_code_of_a_confidential_client_is_bound_as_well() {
    let w = World::new().await;
    let (prover, other) = (Prover::new(&w), Prover::new(&w));
    let app = w.client(WARD);
    let code = w.dr_okafor().approves_asked(&app, &with(&app.asks(), "dpop_jkt", &prover.jkt())).await;
    other.asks(&app, &app.redemption(&code)).await.refused("invalid_dpop_proof");
    prover.asks(&app, &app.redemption(&code)).await.granted_as("DPoP");
}

#[tokio::test]
async fn what_is_no_thumbprint_is_told_on_the_error_page() {
    let w = World::new().await;
    let app = w.client(DIARY);
    for wrong in ["x", &"+".repeat(43), &"a".repeat(44)] {
        let asked = with(&app.asks(), "dpop_jkt", wrong);
        let said = w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
        assert!(said.contains("dpop_jkt must be 43 characters"), "{said}");
    }
}

#[tokio::test]
async fn a_proof_with_a_pushed_request_binds_its_code() {
    let w = World::new().await;
    for product in [DIARY, WARD] {
        let (prover, thief) = (Prover::new(&w), Prover::new(&w));
        let app = w.client(product);
        let person = if product == WARD { w.dr_okafor() } else { w.amina() };
        let proof = || prover.proof("POST", "/apiPar.action", None);
        let asked = with(&app.asks(), "dpop_jkt", &thief.jkt());
        posts_with(&app, "/apiPar.action", &asked, &[&proof()]).await.refused("invalid_dpop_proof");
        posts_with(&app, "/apiPar.action", &app.asks(), &[&prover.token_proof()]).await.refused("invalid_dpop_proof");
        let reply = posts_with(&app, "/apiPar.action", &app.asks(), &[&proof()]).await.0;
        assert_eq!(reply.status, 201, "{}", reply.text());
        let name = reply.json()["request_uri"].as_str().unwrap().to_owned();
        let named = fields([("client_id", app.registration.client_id), ("request_uri", &name)]);
        let page = Page::of(&w.get(&format!("/apiAuthorize.action?{}", encoded(&named))).await);
        let code = person.decides(&page, "approve").await.redirect().code();
        app.redeem(&code).await.refused("invalid_dpop_proof");
        thief.asks(&app, &app.redemption(&code)).await.refused("invalid_dpop_proof");
        prover.asks(&app, &app.redemption(&code)).await.granted_as("DPoP");
    }
}

/// A client that must prove itself proves itself first: nobody else learns what is wrong with a proof, or fills the book of them.
#[tokio::test]
async fn a_proof_stands_for_no_client() {
    let w = World::new().await;
    let prover = Prover::new(&w);
    let app = w.client(WARD);
    let body = with(&app.redemption("rgc_x"), "client_id", "ward-round");
    let mut request = crate::kit::form_request(TOKEN, &body);
    request.headers_mut().insert("dpop", prover.token_proof().parse().unwrap());
    TokenReply::of(w.send(request).await).refused("invalid_client");
}

#[tokio::test]
async fn where_nonces_are_asked_for_a_proof_has_one_of_ours() {
    let w = World::with(|settings| settings.dpop_nonce = true).await;
    let prover = Prover::new(&w);
    let (app, code) = w.amina().gives_code(DIARY).await;
    let body = app.redemption(&code);
    let with_nonce = |nonce: &str, method: &str, path: &str, access: Option<&str>| {
        let mut claims = prover.claims(method, path, access);
        claims["nonce"] = nonce.into();
        prover.signer.sign(&prover.head(), &claims)
    };
    let first = prover.asks(&app, &body).await;
    first.refused("use_dpop_nonce");
    let nonce = first.0.header("dpop-nonce").unwrap().to_owned();
    asks_with(&app, &body, &[&with_nonce("made up", "POST", TOKEN, None)]).await.refused("use_dpop_nonce");
    let granted = asks_with(&app, &body, &[&with_nonce(&nonce, "POST", TOKEN, None)]).await;
    let tokens = granted.granted_as("DPoP");
    assert!(granted.0.header("dpop-nonce").is_some(), "the next one comes with every answer");
    let refused = prover.gets(REST_PATH, &tokens.access).await;
    is_challenged(&refused, "use_dpop_nonce");
    let nonce = refused.header("dpop-nonce").unwrap().to_owned();
    let scheme = format!("DPoP {}", tokens.access);
    let proof = || with_nonce(&nonce, "GET", REST_PATH, Some(&tokens.access));
    assert_eq!(gets_with(&w, REST_PATH, &scheme, &[&proof()]).await.status, 200);
    w.after(4 * MINUTE);
    assert_eq!(gets_with(&w, REST_PATH, &scheme, &[&proof()]).await.status, 200);
    w.after(MINUTE);
    is_challenged(&gets_with(&w, REST_PATH, &scheme, &[&proof()]).await, "use_dpop_nonce");
}

#[tokio::test]
async fn nobody_is_given_a_nonce_who_needs_none() {
    for asked in [false, true] {
        let w = World::with(|settings| settings.dpop_nonce = asked).await;
        let (_, plain) = w.amina().approves(DIARY).await;
        assert_eq!(w.calls_rest_with(&plain.access).await.header("dpop-nonce"), None);
        let prover = Prover::new(&w);
        let reply = prover.gets(REST_PATH, &plain.access).await;
        assert_eq!(reply.header("dpop-nonce").is_some(), asked);
    }
}

#[tokio::test]
async fn what_discovery_says_of_proofs_is_so() {
    let w = World::new().await;
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/fhir/.well-known/smart-configuration",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/fhir",
        "/.well-known/oauth-protected-resource/json",
    ] {
        let said = w.get(path).await.json();
        assert_eq!(said["dpop_signing_alg_values_supported"], json!(["ES256", "ES384", "EdDSA"]), "{path}");
    }
    let said = w.get("/.well-known/oauth-protected-resource/fhir").await.json();
    assert_eq!(said["dpop_bound_access_tokens_required"], false);
}

/// A page of another origin can do all this.
#[tokio::test]
async fn a_script_of_anywhere_may_send_proofs_and_read_nonces() {
    let w = World::with(|settings| settings.dpop_nonce = true).await;
    let preflight = crate::kit::request(axum::http::Method::OPTIONS, TOKEN)
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "dpop");
    let reply = w.send(preflight.body(axum::body::Body::empty()).unwrap()).await;
    let allowed = reply.header("access-control-allow-headers").unwrap();
    assert!(allowed.split(", ").any(|name| name == "DPoP"), "{allowed}");
}
