//! Every route of the one list, tried by every wrong caller: each is refused with the status and in the voice of its kind.

use crate::kit::browser::Browser;
use crate::kit::reply::Reply;
use crate::kit::{DAY, HILLSIDE, MINUTE, RIVERSIDE, World, request};
use axum::body::Body;
use axum::http::{Method, Request, header};
use service::routes::{Route, Who, routes};

/// One wrong caller of an API: its headers, and what it hears from FHIR and from custom REST.
struct Wrong {
    what: &'static str,
    headers: Vec<(&'static str, String)>,
    fhir: (u16, &'static str),
    /// `None`: of no meaning there.
    rest: Option<(u16, &'static str)>,
}

/// The path of a route with its parameters filled in.
fn filled(route: &Route) -> String {
    let filled = route.path.replace("{id}", "some-id").replace("{name}", "recordgate.css");
    let filled = filled.replace("{version}", "1").replace("{type}", "Observation");
    let filled = filled.replace("{patientId}", "some-patient").replace("{apiRef}", "weight");
    filled.replace("{value}", "9990000018").replace("{idType}", "NHS_NUMBER")
}

fn call(route: &Route, headers: &[(&'static str, String)]) -> Request<Body> {
    let mut builder = request(route.method.clone(), &filled(route));
    for (name, value) in headers {
        builder = builder.header(*name, value);
    }
    if route.method == Method::GET {
        return builder.body(Body::empty()).unwrap();
    }
    builder.header(header::CONTENT_TYPE, "application/fhir+json").body(Body::from("{}")).unwrap()
}

fn bearer(token: &str) -> (&'static str, String) {
    ("authorization", format!("Bearer {token}"))
}

fn named(organisation: &str) -> (&'static str, String) {
    ("x-org-public-id", organisation.to_owned())
}

/// Every wrong caller of the two APIs. Leaves the clock where the lapsed are lapsed.
async fn wrong_callers(w: &World) -> Vec<Wrong> {
    let (_, ended) = w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY);
    let stale_system = w.client("Lab Link").client_credentials().await.granted();
    let (_, lapsed) = w.amina().approves("Sleep Diary").await;
    w.after(60 * MINUTE);
    let (app, replayed) = w.amina().approves("Sleep Diary").await;
    let revoked = app.refresh(&replayed).await.granted();
    app.refresh(&replayed).await.refused("invalid_grant");
    let (_, good) = w.amina().approves("Sleep Diary").await;
    let system = w.client("Lab Link").client_credentials().await.granted();
    let withdrawn = w.client("Post Room").client_credentials().await.granted();
    w.grants(RIVERSIDE, "Post Room").await;
    w.calls_fhir_for(RIVERSIDE, &withdrawn.access).await.opened();
    w.withdraws(RIVERSIDE, "Post Room").await;
    let forged = format!("{}{}{}", &good.access[..20], "AAAAAAAA", &good.access[28..]);
    let no_token = (401, "BAD_AUTHENTICATION");
    let asked = (401, "send the header");
    let ours = |what, headers, fhir, rest| Wrong { what, headers, fhir, rest: Some(rest) };
    let system_only = |what, headers, fhir| Wrong { what, headers, fhir, rest: None };
    let barred = (403, "a System Client can't call the custom REST API");
    vec![
        ours("no token", vec![], no_token, asked),
        ours("malformed", vec![("authorization", format!("Bearer  {}", good.access))], no_token, (401, "the Auth")),
        ours("another scheme", vec![("authorization", "Basic YTpi".into())], no_token, (401, "the Auth")),
        ours("unknown", vec![bearer("rga_000000_unknown")], no_token, (401, "the access token is not valid")),
        ours("forged", vec![bearer(&forged)], no_token, (401, "the access token is not valid")),
        ours("a refresh token", vec![bearer(good.refresh())], no_token, (401, "the access token is not valid")),
        ours(
            "lapsed token",
            vec![bearer(&lapsed.access)],
            (401, "ACC_TOKEN_EXPIRED"),
            (401, "access token has expired;"),
        ),
        ours(
            "lapsed session",
            vec![bearer(&ended.access)],
            (401, "API_SESSION_EXPIRED"),
            (401, "session has expired;"),
        ),
        ours(
            "revoked",
            vec![bearer(&revoked.access)],
            (401, "API_SESSION_INVALID"),
            (401, "session has been revoked;"),
        ),
        ours(
            "lapsed system token",
            vec![bearer(&stale_system.access), named(RIVERSIDE)],
            (401, "ACC_TOKEN_EXPIRED"),
            barred,
        ),
        ours("no organisation", vec![bearer(&system.access)], (400, "BAD_REQUEST"), barred),
        system_only(
            "two organisations",
            vec![bearer(&system.access), named(RIVERSIDE), named(RIVERSIDE)],
            (400, "BAD_REQUEST"),
        ),
        system_only("no UUID", vec![bearer(&system.access), named("riverside")], (400, "BAD_REQUEST")),
        system_only("not granted", vec![bearer(&system.access), named(HILLSIDE)], (403, "ORGANISATION_NOT_GRANTED")),
        system_only("withdrawn", vec![bearer(&withdrawn.access), named(RIVERSIDE)], (403, "ORGANISATION_NOT_GRANTED")),
    ]
}

/// A page's refusal of somebody who is not signed in: off to sign in, and back here afterwards.
fn sent_to_sign_in(reply: &Reply, path: &str) {
    let redirect = reply.redirect();
    assert_eq!((redirect.to.as_str(), redirect.get("next")), ("/sign-in", Some(path)));
}

#[tokio::test]
async fn every_route_refuses_every_wrong_caller_in_its_own_voice() {
    let w = World::new().await;
    let wrong = wrong_callers(&w).await;
    let (_, patient) = w.amina().approves("Sleep Diary").await;
    let (_, coordinator) = w.grace().approves("Ward Round").await;
    for route in routes() {
        match route.who {
            Who::FhirReader | Who::FhirWriter | Who::FhirSender | Who::FhirSystem => {
                for wrong in &wrong {
                    telling(&route, wrong.what, async {
                        let (status, code) = wrong.fhir;
                        w.send(call(&route, &wrong.headers)).await.says(status, code);
                    })
                    .await;
                }
                let not_permitted = match route.who {
                    Who::FhirWriter | Who::FhirSystem => Some(&coordinator),
                    Who::FhirSender => Some(&patient),
                    _ => None,
                };
                if let Some(tokens) = not_permitted {
                    let reply = w.send(call(&route, &[bearer(&tokens.access)])).await;
                    reply.says(403, "USER_TYPE_NOT_PERM");
                }
            }
            Who::RestReader
            | Who::RestWriter
            | Who::RestPatient
            | Who::RestTeamReader
            | Who::RestTeamWriter
            | Who::RestCoordinator => {
                let not_permitted = match route.who {
                    Who::RestPatient | Who::RestWriter => vec![&coordinator],
                    Who::RestTeamReader | Who::RestCoordinator => vec![&patient],
                    Who::RestTeamWriter => vec![&patient, &coordinator],
                    _ => vec![],
                };
                for tokens in not_permitted {
                    let reply = w.send(call(&route, &[bearer(&tokens.access)])).await;
                    reply.says_in_rest(403, "User type ");
                }
                for (wrong, (status, begins)) in wrong.iter().filter_map(|wrong| Some((wrong, wrong.rest?))) {
                    telling(&route, wrong.what, async {
                        w.send(call(&route, &wrong.headers)).await.says_in_rest(status, begins);
                    })
                    .await;
                }
            }
            Who::Person | Who::Patient | Who::Coordinator | Who::Clinician | Who::Officer | Who::Admin => {
                for headers in [vec![], vec![bearer(&patient.access)], vec![("cookie", "recordgate=rgw_0_x".into())]] {
                    sent_to_sign_in(&w.send(call(&route, &headers)).await, &filled(&route));
                }
            }
            Who::Anyone => {
                let status = w.send(call(&route, &[])).await.status;
                // Whoever has a token of any API may ask there; openid.rs tries it with those that will not do.
                if route.path == "/apiUserinfo.action" {
                    assert_eq!(status, 401);
                    continue;
                }
                // There is nothing to register at unless an operator turns it on; registration.rs tries it where it is.
                if route.path.starts_with("/apiRegister.action") {
                    assert_eq!(status, 404);
                    continue;
                }
                assert!(![401, 403, 404, 405, 500].contains(&status), "{} {}: {status}", route.method, route.path);
            }
        }
    }
}

/// Says which route and caller an assertion failed for.
async fn telling(route: &Route, what: &str, attempt: impl Future<Output = ()>) {
    let note = FailureNote(format!("{} {} by a caller with {what}", route.method, route.path));
    attempt.await;
    drop(note);
}

struct FailureNote(String);

impl Drop for FailureNote {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this was {}", self.0);
        }
    }
}

/// Signed in is not enough: a lapsed or ended sign-in, and a person of another type, are refused too.
#[tokio::test]
async fn every_page_refuses_the_wrong_person() {
    let w = World::new().await;
    let lapsed = w.amina().signs_in().await;
    w.after(30 * MINUTE);
    let (patient, coordinator) = (w.amina().signs_in().await, w.grace().signs_in().await);
    for route in routes() {
        let path = filled(&route);
        let by = |browser: &Browser<'_>| browser.request(route.method.clone(), &path, &[]);
        match route.who {
            Who::Person => sent_to_sign_in(&w.send(by(&lapsed)).await, &path),
            Who::Patient => {
                sent_to_sign_in(&w.send(by(&lapsed)).await, &path);
                w.send(by(&coordinator)).await.error_page(403);
            }
            Who::Clinician | Who::Officer | Who::Admin => {
                sent_to_sign_in(&w.send(by(&lapsed)).await, &path);
                for wrong in [&patient, &coordinator] {
                    w.send(by(wrong)).await.error_page(403);
                }
            }
            Who::Coordinator => {
                sent_to_sign_in(&w.send(by(&lapsed)).await, &path);
                w.send(by(&patient)).await.error_page(403);
            }
            Who::Anyone
            | Who::FhirReader
            | Who::FhirWriter
            | Who::FhirSender
            | Who::FhirSystem
            | Who::RestReader
            | Who::RestWriter
            | Who::RestPatient
            | Who::RestTeamReader
            | Who::RestTeamWriter
            | Who::RestCoordinator => {}
        }
    }
}

/// A path that is no text is answered in the voice of its route too, and only to those whom the route answers.
#[tokio::test]
async fn an_undecodable_path_is_refused_in_the_voice_of_its_route() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let (mut amina, mut grace) = (w.amina().signs_in().await, w.grace().signs_in().await);
    let mut ines = w.admin().signs_in().await;
    let (mut okafor, mut olive) = (w.dr_okafor().signs_in().await, w.officer().signs_in().await);
    for route in routes().iter().filter(|route| route.path.contains('{')) {
        // What a path names is no text; the type of a number is one that there is.
        let part = |part: &str| match part {
            "{idType}" => "NHS_NUMBER".to_owned(),
            _ if part.starts_with('{') => "%FF".to_owned(),
            _ => part.to_owned(),
        };
        let path = route.path.split('/').map(part).collect::<Vec<_>>().join("/");
        let bare = w.send(request(route.method.clone(), &path).body(Body::empty()).unwrap()).await;
        match route.who {
            Who::FhirReader | Who::FhirWriter | Who::FhirSender | Who::FhirSystem => {
                // What is no type is there for nobody.
                let is_typed = route.path.contains("{type}");
                bare.says(if is_typed { 404 } else { 401 }, if is_typed { "NOT_FOUND" } else { "BAD_AUTHENTICATION" });
                let (name, value) = bearer(&tokens.access);
                let told = request(route.method.clone(), &path).header(name, value).body(Body::empty()).unwrap();
                w.send(told).await.says(404, "NOT_FOUND");
            }
            Who::RestReader
            | Who::RestWriter
            | Who::RestPatient
            | Who::RestTeamReader
            | Who::RestTeamWriter
            | Who::RestCoordinator => {
                bare.says_in_rest(401, "send the header");
                let (name, value) = bearer(&tokens.access);
                let json = (header::CONTENT_TYPE, "application/json");
                let told = request(route.method.clone(), &path).header(name, value).header(json.0, json.1);
                let reply = w.send(told.body(Body::from("{}")).unwrap()).await;
                // A patient may not ask for another's, and what is no text is nobody's.
                assert!([400, 403, 404].contains(&reply.status), "{path}: {}", reply.text());
                assert!(reply.json()["errorMessage"].is_string(), "{path}: {}", reply.text());
            }
            Who::Person | Who::Patient => {
                assert_eq!(bare.redirect().to, "/sign-in");
                match route.method {
                    Method::GET => amina.get(&path).await.error_page(404),
                    _ => amina.post(&path, &[]).await.error_page(400),
                };
            }
            Who::Admin => {
                assert_eq!(bare.redirect().to, "/sign-in");
                match route.method {
                    Method::GET => ines.get(&path).await.error_page(404),
                    _ => ines.post(&path, &[]).await.error_page(400),
                };
            }
            Who::Officer => {
                assert_eq!(bare.redirect().to, "/sign-in");
                match route.method {
                    Method::GET => olive.get(&path).await.error_page(404),
                    _ => olive.post(&path, &[]).await.error_page(400),
                };
            }
            Who::Clinician => {
                assert_eq!(bare.redirect().to, "/sign-in");
                match route.method {
                    Method::GET => okafor.get(&path).await.error_page(404),
                    _ => okafor.post(&path, &[]).await.error_page(400),
                };
            }
            Who::Coordinator => {
                assert_eq!(bare.redirect().to, "/sign-in");
                grace.post(&path, &[]).await.error_page(400);
            }
            Who::Anyone => assert_eq!(bare.status, 404, "{path}"),
        }
    }
}

/// Nothing is there but what the list says, and a missing path is told in the voice of its part of the service.
#[tokio::test]
async fn a_path_that_is_not_there_is_404_in_the_voice_of_its_part() {
    let w = World::new().await;
    w.get("/fhir/NoSuchType").await.says(404, "NOT_FOUND");
    w.get("/json/no/such/operation").await.says_in_rest(404, "there is nothing at this path");
    w.get("/no-such-page").await.error_page(404);
}

/// A path is there as a whole or not at all: with a slash too many, with nothing where an id belongs, or with more behind
/// it, it is another.
#[tokio::test]
async fn a_path_with_too_much_or_too_little_is_not_there() {
    let w = World::new().await;
    for path in ["/fhir/metadata//", "/fhir/Patient//", "/fhir/Patient/1/2/3", "/fhir//metadata", "/FHIR/metadata"] {
        let reply = w.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
    }
    assert_eq!(w.get("/fhir/metadata").await.status, 200);
}

/// A second handler for the same method and path would never be asked.
#[test]
fn no_route_is_listed_twice() {
    let listed = routes();
    let mut different: Vec<(&str, &str)> = listed.iter().map(|route| (route.method.as_str(), route.path)).collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), listed.len(), "{listed:?}");
}

/// The movable clock is in the sandbox only.
#[tokio::test]
async fn the_sandboxs_routes_are_in_the_sandbox_only() {
    let w = World::with(|settings| settings.sandbox = false).await;
    let sandboxed: Vec<Route> = routes().into_iter().filter(|route| route.sandbox_only).collect();
    assert!(!sandboxed.is_empty());
    for route in sandboxed {
        w.send(call(&route, &[])).await.error_page(404);
    }
}
