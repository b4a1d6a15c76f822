//! Trouble on our side: logged once, with what was being done, on which route, and the id that the caller hears too.

use crate::kit::log::Log;
use crate::kit::{World, fields, form_request, place, request};
use axum::body::Body;
use axum::http::{Method, Request};

/// One request to a service whose database has lost its tables: its route's path, and what was being done.
struct Troubled {
    request: Request<Body>,
    path: &'static str,
    operation: &'static str,
}

#[tokio::test]
async fn trouble_is_logged_once_with_its_operation_and_route_and_the_id_that_the_caller_hears() {
    let url = cluster::shared().new_database();
    let w = World::at(&place(&url), tempfile::tempdir().unwrap(), |_| {}).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let browser = w.amina().signs_in().await;
    let bearer = |path: &str| {
        let builder = request(Method::GET, path).header("authorization", format!("Bearer {}", tokens.access));
        builder.body(Body::empty()).unwrap()
    };
    let refresh = fields([("grant_type", "refresh_token"), ("client_id", "x"), ("refresh_token", tokens.refresh())]);
    let troubled = [
        Troubled {
            request: bearer("/fhir/Patient/somebody"),
            path: "/fhir/Patient/{id}",
            operation: "looking at the session",
        },
        Troubled {
            request: bearer("/json/v2/attachments/some-id"),
            path: "/json/v2/attachments/{id}",
            operation: "looking at the session",
        },
        Troubled {
            request: form_request("/apiToken.action", &refresh),
            path: "/apiToken.action",
            operation: "looking the client up",
        },
        Troubled {
            request: request(Method::GET, "/apiAuthorize.action?client_id=x").body(Body::empty()).unwrap(),
            path: "/apiAuthorize.action",
            operation: "looking the client up",
        },
        Troubled {
            request: browser.request(Method::GET, "/connected-apps", &[]),
            path: "/connected-apps",
            operation: "looking at the sign-in",
        },
    ];
    for table in ["sessions", "sign_ins", "clients"] {
        cluster::ask(&url, &format!("ALTER TABLE {table} RENAME TO lost_{table}"));
    }
    let (log, _listening) = Log::listen();
    for Troubled { request, path, operation } in troubled {
        let method = request.method().to_string();
        let reply = w.send(request).await;
        assert_eq!(reply.status, 500, "{path}: {}", reply.text());
        let id = reply.header("x-request-id").unwrap();
        assert!(reply.text().contains(id), "{path} does not say {id}: {}", reply.text());
        let lines = log.lines_that_say("a request met trouble");
        let [line] = lines.as_slice() else { panic!("{path} is not logged once: {lines:?}") };
        assert_eq!(line["level"], "ERROR");
        let told = ["request", "method", "path", "operation"].map(|name| line[name].as_str().unwrap());
        assert_eq!(told, [id, &method, path, operation]);
        assert!(line["error"].as_str().unwrap().contains("does not exist"), "{line}");
    }
}

// gaps: Records and reach > A record that changed on disk
#[tokio::test]
async fn a_record_that_changed_on_disk_is_500_never_another_birth_date_and_the_log_names_it() {
    let url = cluster::shared().new_database();
    let w = World::at(&place(&url), tempfile::tempdir().unwrap(), |_| {}).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let read = || {
        let builder = request(Method::GET, "/fhir/Patient/amina");
        builder.header("authorization", format!("Bearer {}", tokens.access)).body(Body::empty()).unwrap()
    };
    assert_eq!(w.send(read()).await.json()["birthDate"], "1984-02-29");
    cluster::ask(&url, "UPDATE resources SET body = replace(body, '1984-02-29', '1994-02-28')");
    let (log, _listening) = Log::listen();
    let reply = w.send(read()).await;
    assert_eq!(reply.status, 500, "{}", reply.text());
    assert!(!reply.text().contains("1994"), "{}", reply.text());
    let [line] = log.lines_that_say("a request met trouble").try_into().expect("one line");
    assert!(line["error"].as_str().unwrap().starts_with("version 1 of Patient/amina is damaged"), "{line}");
}
