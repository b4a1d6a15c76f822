//! Clients that prove themselves by signed assertions (RFC 7523): who gets in, and who does not.

use crate::kit::client_app::basic;
use crate::kit::signer::{ASSERTION_TYPE, Signer, base64url, claims, key_of};
use crate::kit::token_reply::TokenReply;
use crate::kit::{BASE, HOUR, MINUTE, RIVERSIDE, World, fields, form_request, with};
use rules::limits::FAILURES_PER_ACCOUNT;
use serde_json::{Value, json};
use store::clients::ClientKey;

/// The client of this product has these keys from now on, and no secret.
async fn registers(w: &World, product: &str, keys: Vec<ClientKey>) {
    w.change(product, move |client| (client.keys, client.secret) = (keys, None)).await;
}

/// A world in which Lab Link, a System Client, signs.
async fn world_with(signers: &[&Signer]) -> World {
    let w = World::new().await;
    registers(&w, "Lab Link", signers.iter().map(|signer| signer.key()).collect()).await;
    w
}

fn signed(body: &[(String, String)], assertion: &str) -> Vec<(String, String)> {
    with(&with(body, "client_assertion_type", ASSERTION_TYPE), "client_assertion", assertion)
}

fn credentials(assertion: &str) -> Vec<(String, String)> {
    signed(&fields([("grant_type", "client_credentials")]), assertion)
}

async fn asks(w: &World, body: &[(String, String)]) -> TokenReply {
    TokenReply::of(w.post_form("/apiToken.action", body).await)
}

fn description(reply: &TokenReply) -> String {
    reply.0.json()["error_description"].as_str().unwrap_or_default().to_owned()
}

const NOT_AUTHENTICATED: &str = "the client is unknown or could not be authenticated";

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn a_system_client_gets_its_token_by_each_of_the_six_algorithms() {
    for algorithm in ["ES256", "ES384", "RS256", "RS384", "PS256", "EdDSA"] {
        let signer = Signer::for_algorithm(algorithm);
        let w = world_with(&[&signer]).await;
        let assertion = signer.sign(&json!({"alg": algorithm, "typ": "JWT"}), &claims(&w, "lab-link"));
        let tokens = asks(&w, &credentials(&assertion)).await.granted();
        assert_eq!((tokens.expires_in, tokens.refresh), (HOUR, None));
        w.calls_fhir_for(RIVERSIDE, &tokens.access).await.opened();
    }
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn a_confidential_user_client_redeems_and_refreshes_by_assertions() {
    let (w, signer) = (World::new().await, Signer::called("ward"));
    registers(&w, "Ward Round", vec![signer.key()]).await;
    let app = w.client("Ward Round");
    let page = app.sends_to_page(&with(&app.asks(), "scope", "CLINICIAN")).await;
    let code = w.dr_okafor().decides(&page, "approve").await.redirect().code();
    app.asks_for_tokens(&app.redemption(&code)).await.refused_as(401, "invalid_client");
    asks(&w, &app.redemption(&code)).await.refused("invalid_client");
    let tokens = asks(&w, &signed(&app.redemption(&code), &signer.assertion(&w, "ward-round"))).await.granted();
    let body = signed(&app.refreshment(tokens.refresh()), &signer.assertion(&w, "ward-round"));
    let renewed = asks(&w, &body).await.granted();
    w.calls_fhir_with(&renewed.access).await.opened();
}

#[tokio::test]
async fn client_id_in_the_body_is_not_needed_but_must_be_the_assertions() {
    let signer = Signer::for_algorithm("ES256");
    let w = world_with(&[&signer]).await;
    for client_id in ["lab-link", ""] {
        let body = with(&credentials(&signer.assertion(&w, "lab-link")), "client_id", client_id);
        asks(&w, &body).await.granted();
    }
    let body = with(&credentials(&signer.assertion(&w, "lab-link")), "client_id", "post-room");
    asks(&w, &body).await.refused("invalid_request");
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn the_audience_is_the_issuer_or_the_token_endpoint_and_nobody_else_beside_them() {
    let signer = Signer::for_algorithm("EdDSA");
    let w = world_with(&[&signer]).await;
    let endpoint = format!("{BASE}/apiToken.action");
    let sent = async |audience: Value| {
        let mut claims = claims(&w, "lab-link");
        claims["aud"] = audience;
        asks(&w, &credentials(&signer.sign(&signer.header(), &claims))).await
    };
    for ours in [json!(BASE), json!(endpoint), json!([BASE]), json!([endpoint, BASE])] {
        sent(ours).await.granted();
    }
    for other in
        [json!("https://other.example"), json!([BASE, "https://other.example"]), json!([]), json!(format!("{BASE}/"))]
    {
        let reply = sent(other).await;
        reply.refused("invalid_client");
        assert!(description(&reply).contains("aud"), "{}", description(&reply));
    }
}

/// Only the holder of the key hears what is wrong with the claims.
#[tokio::test]
async fn wrong_claims_are_named_to_who_signed_them() {
    let signer = Signer::for_algorithm("ES256");
    let w = world_with(&[&signer]).await;
    let stranger = Signer::for_algorithm("ES256");
    for (claim, value, word) in [
        ("iss", Claim::Is(json!("post-room")), "iss and sub"),
        ("iss", Claim::Is(Value::Null), "iss and sub"),
        ("exp", Claim::Is(Value::Null), "no exp"),
        ("exp", Claim::In(-61.0), "expired"),
        ("exp", Claim::In(361.0), "lasts too long"),
        ("exp", Claim::Is(json!(1e300)), "lasts too long"),
        ("iat", Claim::In(61.0), "future"),
        ("nbf", Claim::In(61.5), "future"),
        ("jti", Claim::Is(Value::Null), "no jti"),
        ("jti", Claim::Is(json!("")), "no jti"),
    ] {
        let mut claims = claims(&w, "lab-link");
        claims[claim] = match value {
            Claim::Is(value) => value,
            Claim::In(seconds) => json!((w.now().0 / 1000) as f64 + seconds),
        };
        let reply = asks(&w, &credentials(&signer.sign(&signer.header(), &claims))).await;
        reply.refused("invalid_client");
        assert!(description(&reply).contains(word), "{claims}: {}", description(&reply));
        let reply = asks(&w, &credentials(&stranger.sign(&signer.header(), &claims))).await;
        reply.refused("invalid_client");
        assert_eq!(description(&reply), NOT_AUTHENTICATED);
        // So that the failures of one case do not make the next one wait.
        w.after(15 * MINUTE);
    }
}

/// A claim set otherwise.
enum Claim {
    Is(Value),
    /// So many seconds from now.
    In(f64),
}

/// `none`, a shared secret made of the public key, another algorithm of the same key or a key of another type.
#[tokio::test]
async fn no_other_algorithm_will_do_whatever_the_header_says() {
    let (rsa, curve) = (Signer::for_algorithm("RS256"), Signer::for_algorithm("ES256"));
    let w = world_with(&[&rsa, &curve]).await;
    for algorithm in ["none", "None", "HS256", "HS384", "HS512", "RS512", "PS384", "PS512", "ES512", "ES256K", "", "A"]
    {
        let body = claims(&w, "lab-link");
        for assertion in [rsa.sign(&json!({"alg": algorithm}), &body), curve.sign(&json!({"alg": algorithm}), &body)] {
            let reply = asks(&w, &credentials(&assertion)).await;
            reply.refused("invalid_client");
            assert!(description(&reply).contains("signed with ES256, ES384"), "{}", description(&reply));
        }
    }
    let body = base64url(claims(&w, "lab-link").to_string());
    let unsigned = format!("{}.{body}.", base64url(r#"{"alg":"none"}"#));
    asks(&w, &credentials(&unsigned)).await.refused("invalid_client");
    // Signed as RS256, and said to be PS256 or the curve's.
    let sound = rsa.assertion(&w, "lab-link");
    let (_, rest) = sound.split_once('.').unwrap();
    for algorithm in ["PS256", "RS384", "ES256", "ES384", "EdDSA"] {
        let header = base64url(json!({"alg": algorithm}).to_string());
        let reply = asks(&w, &credentials(&format!("{header}.{rest}"))).await;
        reply.refused("invalid_client");
        assert_eq!(description(&reply), NOT_AUTHENTICATED);
        w.after(15 * MINUTE);
    }
}

#[tokio::test]
async fn a_key_that_names_its_algorithm_is_used_with_no_other() {
    let (w, signer) = (World::new().await, Signer::for_algorithm("PS256"));
    let mut jwk = signer.jwk();
    jwk["alg"] = "PS256".into();
    registers(&w, "Lab Link", vec![key_of(&jwk)]).await;
    let with_algorithm = |name: &str| credentials(&signer.sign(&json!({"alg": name}), &claims(&w, "lab-link")));
    asks(&w, &with_algorithm("RS256")).await.refused("invalid_client");
    asks(&w, &with_algorithm("PS256")).await.granted();
}

#[tokio::test]
async fn a_jwt_that_was_signed_for_something_else_or_demands_more_is_not_taken() {
    let signer = Signer::for_algorithm("ES256");
    let w = world_with(&[&signer]).await;
    for header in [
        json!({"alg": "ES256", "typ": "dpop+jwt"}),
        json!({"alg": "ES256", "crit": ["b64"], "b64": false}),
        json!({"alg": "ES256", "crit": []}),
    ] {
        asks(&w, &credentials(&signer.sign(&header, &claims(&w, "lab-link")))).await.refused("invalid_client");
    }
    let header = json!({"alg": "ES256", "typ": "client-authentication+jwt", "x5u": "https://evil.example/keys"});
    asks(&w, &credentials(&signer.sign(&header, &claims(&w, "lab-link")))).await.granted();
    // Its keys are registered, and nowhere else.
    let header = json!({"alg": "ES256", "jku": "https://evil.example/keys"});
    let reply = asks(&w, &credentials(&signer.sign(&header, &claims(&w, "lab-link")))).await;
    reply.refused("invalid_client");
    assert!(description(&reply).contains("jku of the client_assertion"), "{}", description(&reply));
}

/// A key in the header is the sender's own word for who it is.
#[tokio::test]
async fn a_key_that_comes_with_the_assertion_opens_nothing() {
    let (signer, forger) = (Signer::for_algorithm("ES256"), Signer::for_algorithm("ES256"));
    let w = world_with(&[&signer]).await;
    let header = json!({"alg": "ES256", "jwk": forger.jwk()});
    asks(&w, &credentials(&forger.sign(&header, &claims(&w, "lab-link")))).await.refused("invalid_client");
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn an_assertion_works_once_though_forty_send_it_at_once() {
    let signer = Signer::for_algorithm("ES256");
    let w = world_with(&[&signer]).await;
    let body = credentials(&signer.assertion(&w, "lab-link"));
    let replies = w.shoots((0..40).map(|_| form_request("/apiToken.action", &body)).collect()).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    assert!(replies.iter().all(|reply| [200, 400, 429].contains(&reply.status)));
    w.after(15 * MINUTE);
    let body = credentials(&signer.assertion(&w, "lab-link"));
    asks(&w, &body).await.granted();
    let again = asks(&w, &body).await;
    again.refused("invalid_client");
    assert!(description(&again).contains("jti"), "{}", description(&again));
}

#[tokio::test]
async fn what_nobody_signed_uses_no_jti_up() {
    let (signer, forger) = (Signer::for_algorithm("ES256"), Signer::for_algorithm("ES256"));
    let w = world_with(&[&signer]).await;
    let claims = claims(&w, "lab-link");
    asks(&w, &credentials(&forger.sign(&signer.header(), &claims))).await.refused("invalid_client");
    asks(&w, &credentials(&signer.sign(&signer.header(), &claims))).await.granted();
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn two_ways_to_prove_oneself_are_one_too_many_and_half_a_way_is_none() {
    let signer = Signer::for_algorithm("ES256");
    let w = world_with(&[&signer]).await;
    let body = credentials(&signer.assertion(&w, "lab-link"));
    let mut both = form_request("/apiToken.action", &body);
    both.headers_mut().insert("authorization", basic("lab-link", "rgs_some-secret-of-somebody"));
    TokenReply::of(w.send(both).await).refused("invalid_request");
    asks(&w, &with(&body, "client_secret", "rgs_some-secret-of-somebody")).await.refused("invalid_request");
    asks(&w, &with(&body, "client_assertion", "")).await.refused("invalid_request");
    asks(&w, &with(&body, "client_assertion_type", "")).await.refused("invalid_request");
    asks(&w, &with(&body, "client_assertion_type", "urn:other")).await.refused("invalid_client");
    asks(&w, &body).await.granted();
}

#[tokio::test]
async fn a_client_with_keys_gets_in_by_nothing_else_and_one_without_by_no_assertion() {
    let signer = Signer::for_algorithm("ES256");
    let w = world_with(&[&signer]).await;
    let app = w.client("Lab Link");
    app.client_credentials().await.refused_as(401, "invalid_client");
    let body = fields([("grant_type", "client_credentials"), ("client_id", "lab-link")]);
    asks(&w, &body).await.refused("invalid_client");
    asks(&w, &with(&body, "client_secret", app.registration.secret.unwrap())).await.refused("invalid_client");
    for (client_id, grant) in [("post-room", "client_credentials"), ("sleep-diary", "refresh_token"), ("nobody", "x")] {
        let mut body = credentials(&signer.assertion(&w, client_id));
        if grant == "refresh_token" {
            body = with(&with(&body, "grant_type", grant), "refresh_token", "rgr_x");
        }
        let reply = asks(&w, &body).await;
        reply.refused("invalid_client");
        assert_eq!(description(&reply), NOT_AUTHENTICATED);
    }
    let now = w.now();
    w.change("Lab Link", move |client| client.disabled_at = Some(now)).await;
    asks(&w, &credentials(&signer.assertion(&w, "lab-link"))).await.refused("invalid_client");
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn keys_are_rotated_side_by_side_and_a_key_takes_its_tokens_with_it() {
    let (old, new) = (Signer::called("old"), Signer::called("new"));
    let w = world_with(&[&old]).await;
    let by_old = asks(&w, &credentials(&old.assertion(&w, "lab-link"))).await.granted();
    let added = new.key();
    w.change("Lab Link", move |client| client.keys.push(added)).await;
    w.calls_fhir_for(RIVERSIDE, &by_old.access).await.opened();
    let by_new = asks(&w, &credentials(&new.assertion(&w, "lab-link"))).await.granted();
    w.calls_fhir_for(RIVERSIDE, &by_new.access).await.opened();
    w.change("Lab Link", |client| client.keys.retain(|key| !key.jwk.contains("\"old\""))).await;
    w.calls_fhir_for(RIVERSIDE, &by_old.access).await.says(401, "BAD_AUTHENTICATION");
    w.calls_fhir_for(RIVERSIDE, &by_new.access).await.opened();
    asks(&w, &credentials(&old.assertion(&w, "lab-link"))).await.refused("invalid_client");
}

/// Which of several keys signed is never tried out: that would cost a signature for each.
// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn the_kid_chooses_the_key_and_without_one_the_only_key_that_fits_is_tried() {
    let (one, two, other) = (Signer::called("one"), Signer::called("two"), Signer::for_algorithm("RS256"));
    let w = world_with(&[&one, &two, &other]).await;
    let by_two = |header: Value| credentials(&two.sign(&header, &claims(&w, "lab-link")));
    asks(&w, &by_two(json!({"alg": "ES256", "kid": "two"}))).await.granted();
    asks(&w, &by_two(json!({"alg": "ES256", "kid": "one"}))).await.refused("invalid_client");
    asks(&w, &by_two(json!({"alg": "ES256", "kid": "three"}))).await.refused("invalid_client");
    asks(&w, &by_two(json!({"alg": "ES256"}))).await.refused("invalid_client");
    let by_other = |header: Value| credentials(&other.sign(&header, &claims(&w, "lab-link")));
    asks(&w, &by_other(json!({"alg": "RS256"}))).await.granted();
    w.change("Lab Link", |client| client.keys.retain(|key| !key.jwk.contains("\"one\""))).await;
    asks(&w, &by_two(json!({"alg": "ES256"}))).await.granted();
}

// gaps: Token endpoint > Signed assertion
#[tokio::test]
async fn a_failed_assertion_burns_no_code_and_a_failed_grant_uses_the_assertion_up() {
    let (w, signer, forger) = (World::new().await, Signer::called("ward"), Signer::called("ward"));
    registers(&w, "Ward Round", vec![signer.key()]).await;
    let app = w.client("Ward Round");
    let page = app.sends_to_page(&with(&app.asks(), "scope", "CLINICIAN")).await;
    let code = w.dr_okafor().decides(&page, "approve").await.redirect().code();
    let by = |assertion: &str| signed(&app.redemption(&code), assertion);
    asks(&w, &by(&forger.assertion(&w, "ward-round"))).await.refused("invalid_client");
    let assertion = signer.assertion(&w, "ward-round");
    asks(&w, &signed(&app.redemption("rgc_made_up"), &assertion)).await.refused("invalid_grant");
    asks(&w, &by(&assertion)).await.refused("invalid_client");
    let tokens = asks(&w, &by(&signer.assertion(&w, "ward-round"))).await.granted();
    let spent = signed(&app.refreshment(tokens.refresh()), &assertion);
    asks(&w, &spent).await.refused("invalid_client");
    asks(&w, &signed(&app.refreshment(tokens.refresh()), &signer.assertion(&w, "ward-round"))).await.granted();
}

/// As wrong secrets are: the failures wait, the client itself gets through.
#[tokio::test]
async fn forged_assertions_are_throttled_and_the_client_is_not() {
    let (signer, forger) = (Signer::for_algorithm("ES256"), Signer::for_algorithm("ES256"));
    let w = world_with(&[&signer]).await;
    for _ in 0..FAILURES_PER_ACCOUNT {
        asks(&w, &credentials(&forger.assertion(&w, "lab-link"))).await.refused("invalid_client");
    }
    let reply = asks(&w, &credentials(&forger.assertion(&w, "lab-link"))).await;
    assert_eq!(reply.0.status, 429);
    asks(&w, &credentials(&signer.assertion(&w, "lab-link"))).await.granted();
}
