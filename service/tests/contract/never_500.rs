//! Nothing that a client sends is a 500: arbitrary parameters, headers and bodies, through the routes.

use crate::kit::caller::{REST_PATH, fhir_path};
use crate::kit::clients::CHALLENGE;
use crate::kit::reply::Reply;
use crate::kit::{World, encoded, fields, request};
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, header};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::OnceLock;
use tokio::runtime::Runtime;

const CASES: u32 = 256;

/// One world for all cases: what one case does must not trip the next either.
fn play(requests: Vec<Request<Body>>) -> Vec<Reply> {
    static STAGE: OnceLock<(Runtime, World)> = OnceLock::new();
    let (runtime, world) = STAGE.get_or_init(|| {
        let runtime = Runtime::new().unwrap();
        let world = runtime.block_on(World::new());
        (runtime, world)
    });
    runtime.block_on(async {
        let mut replies = Vec::new();
        for request in requests {
            replies.push(world.send(request).await);
        }
        replies
    })
}

fn is_an_answer(reply: &Reply) -> Result<(), TestCaseError> {
    prop_assert!(reply.status < 500, "{} answered {}: {}", reply.path, reply.status, reply.text());
    let refused = reply.status >= 400;
    prop_assert!(!refused || reply.header("content-type").is_some(), "{} refused without a word", reply.path);
    Ok(())
}

/// Names that the endpoints know, with a few that they do not.
fn names() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "response_type",
        "client_id",
        "redirect_uri",
        "scope",
        "state",
        "code_challenge",
        "code_challenge_method",
        "grant_type",
        "code",
        "code_verifier",
        "refresh_token",
        "client_secret",
        "client_assertion",
        "client_assertion_type",
        "decision",
        "form",
        "username",
        "password",
        "next",
        "token",
        "token_type_hint",
    ]);
    prop_oneof![9 => known.prop_map(String::from), 1 => ".{0,12}"]
}

/// Values that get far, and values that nobody expects.
fn values() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "code",
        "sleep-diary",
        "ward-round",
        "lab-link",
        "old-bridge",
        "pill-box",
        "many-doors",
        "PATIENT",
        "SITE",
        "S256",
        "https://sleep.example/back",
        "doors.app:/back",
        "authorization_code",
        "refresh_token",
        "client_credentials",
        "approve",
        "deny",
        "rgc_x_y",
        "rgr_0_AAAA",
        "rgf_0_AAAA",
        CHALLENGE,
    ]);
    prop_oneof![6 => known.prop_map(String::from), 3 => any::<String>(), 1 => "[a-z]{0,4}".prop_map(|s| s.repeat(600))]
}

fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    vec((names(), values()), 0..9)
}

fn header_values() -> impl Strategy<Value = HeaderValue> {
    let scheme = prop::sample::select(vec!["", "Basic ", "Bearer ", "basic ", "Basic  "]);
    let rest = prop_oneof!["[A-Za-z0-9+/=_-]{0,60}".prop_map(String::into_bytes), vec(any::<u8>(), 0..40)];
    (scheme, rest).prop_filter_map("no header value", |(scheme, rest)| {
        HeaderValue::from_bytes(&[scheme.as_bytes(), &rest].concat()).ok()
    })
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => pairs().prop_map(|pairs| encoded(&pairs).into_bytes()), 1 => vec(any::<u8>(), 0..400)]
}

fn media_types() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=x",
        "application/json",
        "text/plain",
        ";",
        "",
    ])
}

fn post(path: &str, media_type: &str, body: Vec<u8>) -> Request<Body> {
    request(Method::POST, path).header(header::CONTENT_TYPE, media_type).body(Body::from(body)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_authorization_request_is_a_500(asked in pairs(), raw in "[a-zA-Z0-9%&=+;/?._-]{0,60}", body in bodies(), media_type in media_types()) {
        let query = format!("/apiAuthorize.action?{}", encoded(&asked));
        let raw = format!("/apiAuthorize.action?{raw}");
        let get = |path: &str| request(Method::GET, path).body(Body::empty()).unwrap();
        let form = encoded(&asked).into_bytes();
        let requests = vec![
            get(&query),
            get(&raw),
            post("/apiAuthorize.action", "application/x-www-form-urlencoded", form),
            post("/apiAuthorize.action", media_type, body),
        ];
        for reply in play(requests) {
            is_an_answer(&reply)?;
            prop_assert_eq!(reply.header("location"), None, "nothing here was approved or denied");
        }
    }

    #[test]
    fn no_token_request_is_a_500(body in bodies(), media_type in media_types(), authorization in prop::option::of(header_values())) {
        let mut request = post("/apiToken.action", media_type, body);
        if let Some(authorization) = authorization {
            request.headers_mut().insert(header::AUTHORIZATION, authorization);
        }
        for reply in play(vec![request]) {
            is_an_answer(&reply)?;
            prop_assert_eq!(reply.header("cache-control"), Some("no-store"));
            prop_assert_eq!(reply.header("content-type"), Some("application/json;charset=UTF-8"));
            let issued_or_refused = reply.json().get("error").is_some() != reply.json().get("access_token").is_some();
            prop_assert!(issued_or_refused, "{}", reply.text());
        }
    }

    #[test]
    fn no_api_call_is_a_500(authorization in header_values(), organisation in header_values(), path in "[a-zA-Z0-9%$|=&?._-]{0,30}") {
        let paths = [fhir_path(), REST_PATH.to_owned(), format!("/fhir/Patient/{path}"), format!("/json/{path}")];
        let call = |path: &String| request(Method::GET, path)
            .header(header::AUTHORIZATION, &authorization)
            .header("x-org-public-id", &organisation)
            .body(Body::empty())
            .unwrap();
        for reply in play(paths.iter().map(call).collect()) {
            is_an_answer(&reply)?;
        }
    }

    #[test]
    fn no_cookie_is_a_500(cookie in header_values(), raw in "[ -~]{0,60}", id in "[a-zA-Z0-9%.-]{1,30}") {
        let cookies = [cookie, HeaderValue::from_str(&format!("recordgate={raw}")).unwrap()];
        let paths = ["/".to_owned(), "/connected-apps".into(), "/coordinator/api-access".into(), format!("/connected-apps/revoke/{id}"), "/sign-ins".into(), "/access-log.csv".into()];
        let all = paths.iter().flat_map(|path| cookies.iter().map(move |cookie| {
            let method = if path.contains("revoke") { Method::POST } else { Method::GET };
            request(method, path).header(header::COOKIE, cookie).body(Body::empty()).unwrap()
        }));
        for reply in play(all.collect()) {
            is_an_answer(&reply)?;
        }
    }

    #[test]
    fn no_sandbox_clock_request_is_a_500(body in prop_oneof![
        any::<i64>().prop_map(|n| format!("{{\"advance_seconds\":{n}}}").into_bytes()),
        any::<f64>().prop_map(|n| format!("{{\"advance_seconds\":{n}}}").into_bytes()),
        vec(any::<u8>(), 0..60),
    ]) {
        for reply in play(vec![post("/sandbox/clock", "application/json", body)]) {
            is_an_answer(&reply)?;
        }
    }
}

proptest! {
    // Each case may hash a password, which is slow on purpose.
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_sign_in_is_a_500(username in any::<String>(), password in any::<String>(), next in any::<String>(), body in bodies(), media_type in media_types()) {
        let page = play(vec![request(Method::GET, "/sign-in").body(Body::empty()).unwrap()]).remove(0).page();
        let filled = fields([
            ("form", page.form("/sign-in").sealed.as_str()),
            ("username", &username),
            ("password", &password),
            ("next", &next),
        ]);
        let form = encoded(&filled).into_bytes();
        for reply in play(vec![post("/sign-in", "application/x-www-form-urlencoded", form), post("/sign-in", media_type, body)]) {
            is_an_answer(&reply)?;
        }
    }
}

/// The page gives the username back, so a password that is the same text is told by it, and nobody's fault but the user's.
#[tokio::test]
async fn a_password_that_is_also_the_username_is_refused_like_any_other() {
    let w = World::new().await;
    let form = encoded(&fields([("username", "ward-round"), ("password", "ward-round")]));
    let reply = w.send(post("/sign-in", "application/x-www-form-urlencoded", form.into_bytes())).await;
    assert_eq!(reply.status, 400);
    assert!(reply.text().contains("ward-round"), "what was typed as the username need not be typed again");
}

/// Wherever the sandbox's clock may be moved to, everything still works there.
#[tokio::test]
async fn the_sandboxs_clock_can_only_be_moved_where_everything_still_works() {
    let w = World::new().await;
    let far = r#"{"advance_seconds": 1000000000}"#;
    for _ in 0..20 {
        let reply = w.send(post("/sandbox/clock", "application/json", far.into())).await;
        assert!(reply.status == 200 || reply.status == 400, "{}", reply.text());
        let (app, tokens) = w.amina().approves("Evergreen").await;
        w.calls_fhir_with(&tokens.access).await.opened();
        app.refresh(&tokens).await.granted();
        let page = w.amina().signs_in().await.sees("/connected-apps").await;
        assert!(page.html.contains("Evergreen"), "{}", page.html);
        let all = store::grants::list(&w.app.store, &store::grants::Whose::Anyone, w.now()).await.unwrap();
        assert!(all.windows(2).all(|two| two[0].granted_at >= two[1].granted_at), "the newest grant comes first");
    }
}
