//! Paths that nobody should send, and methods that no path has: each is refused in its own voice, none is a 500.

use crate::kit::records::{document, import};
use crate::kit::token_reply::TokenReply;
use crate::kit::{RIVERSIDE, World, request};
use axum::body::Body;
use axum::http::Method;
use serde_json::json;
use service::routes::{Voice, routes};

#[tokio::test]
async fn what_no_path_does_is_405_with_what_it_does_whoever_asks() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let methods = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
    for route in routes() {
        let path = route.path.replace("{id}", "amina").replace("{name}", "x.css").replace("{version}", "1");
        let path = path.replace("{type}", "Observation");
        let of_path: Vec<Method> = routes().into_iter().filter(|r| r.covers(route.path)).map(|r| r.method).collect();
        for method in methods.map(|method| Method::from_bytes(method.as_bytes()).unwrap()) {
            if of_path.contains(&method) {
                continue;
            }
            let bare = w.send(request(method.clone(), &path).body(Body::empty()).unwrap()).await;
            let called = okafor.send(method.clone(), &path, &[("content-type", "application/fhir+json")], "{}").await;
            for reply in [bare, called] {
                let allowed: Vec<&str> = reply.header("allow").unwrap_or_default().split(',').collect();
                assert!(allowed.contains(&route.method.as_str()), "{method} {path} allows {allowed:?}");
                assert_eq!(allowed.contains(&"HEAD"), allowed.contains(&"GET"), "{path}");
                match route.voice {
                    Voice::Fhir => reply.says(405, "METHOD_NOT_ALLOWED"),
                    Voice::Rest => reply.says_in_rest(405, &format!("{method} is not offered here; ")),
                    Voice::Discovery => reply.says_in_rest(405, "this path does not support"),
                    Voice::Token => TokenReply::of(reply).refused_as(405, "invalid_request"),
                    Voice::Authorization | Voice::Page | Voice::Health => drop(reply.error_page(405)),
                }
            }
        }
    }
}

#[tokio::test]
async fn a_path_with_a_part_too_many_or_too_few_is_not_there() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for path in [
        "/fhir/Patient/amina/_history/1//",
        "/fhir/Patient/amina//",
        "/fhir/Patient//_history/1",
        "/fhir/Patient/amina//1",
        "/fhir/Patient/amina/_history/1/2",
        "/fhir/Patient/amina/_History/1",
        "/fhir/_history/1",
        "/fhir/Patient/amina/$anything",
        "/fhir/patient/amina",
        "/fhir/Patient/amina%2F_history%2F1",
        "/fhir/Patient%2Famina",
        "/fhir/./Patient/amina",
        "/fhir/Binary/../Patient/amina",
        "/fhir/Patient/..",
        "/fhir/Patient/amina;v=1",
        "/fhir/Patient/amina%00",
        "/fhir/Patient/%61mina%20",
        "/fhir/DocumentReference//",
        "/fhir//",
    ] {
        amina.get(path).await.says(404, "NOT_FOUND");
    }
    for path in ["/json/attachments/", "/json/attachments/a/b", "/json/v3/users/self", "/json/users/self/", "/json/v1"]
    {
        amina.get(path).await.says_in_rest(404, "there is nothing at this path");
    }
    amina.get("/json/attachments/note%2F").await.says_in_rest(404, "there is no attachment");
}

#[tokio::test]
async fn an_id_is_the_same_however_it_is_encoded() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for path in ["/fhir/Patient/%61mina", "/fhir/Patient/%61%6D%69%6E%61", "/fhir/Patient/%61mina/_history/%31"] {
        amina.get(path).await.opened();
    }
    let encoded = amina.get("/fhir/Patient/%61mina/_history").await.opened().json();
    assert_eq!(encoded["entry"][0]["fullUrl"], "http://records.test/fhir/Patient/amina");
    assert_eq!(encoded["link"][0]["url"], "http://records.test/fhir/Patient/amina/_history");
    amina.get("/fhir/%50atient/amina").await.says(404, "NOT_FOUND");
    amina.get("/fhir/Patient/AMINA").await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_id_of_64_characters_is_served_and_one_of_65_is_nothings() {
    let w = World::new().await;
    let longest = format!("{}.{}-{}", "A".repeat(30), "z".repeat(30), "9".repeat(2));
    assert_eq!(longest.len(), 64);
    let content = json!({ "resourceType": "Binary", "id": longest, "contentType": "text/plain", "data": "SGk=" });
    let around = document(&longest, "amina", "L-64", json!({ "url": format!("Binary/{longest}") }));
    import(&w.app.store, RIVERSIDE, &[content, around], w.now()).await;
    let amina = w.amina().caller().await;
    for kind in ["DocumentReference", "Binary"] {
        for rest in ["", "/_history", "/_history/1"] {
            amina.get(&format!("/fhir/{kind}/{longest}{rest}")).await.opened();
            amina.get(&format!("/fhir/{kind}/{longest}9{rest}")).await.says(404, "NOT_FOUND");
        }
    }
    assert_eq!(amina.get(&format!("/json/attachments/{longest}")).await.opened().text(), "Hi");
    amina.get(&format!("/json/attachments/{longest}9")).await.says_in_rest(404, "there is no attachment");
    let ids = vec![longest.as_str(); 50].join(",");
    assert!(amina.get(&format!("/fhir/Patient?_id={ids}")).await.found().is_empty());
}
