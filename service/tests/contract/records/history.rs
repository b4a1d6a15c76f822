//! `GET /fhir/{type}/{id}/_history`: the versions of one resource, newest first, page by page.

use crate::kit::records::{AMINA, NOTE, document, import};
use crate::kit::reply::Reply;
use crate::kit::{BASE, MINUTE, RIVERSIDE, World};
use serde_json::{Value, json};

const HISTORY: &str = "/fhir/DocumentReference/note/_history";

/// Amina's note in five versions, a minute between each and the next.
async fn five_notes(w: &World) {
    for text in ["SGk=", "SG8=", "SGU=", "SGE="] {
        w.after(MINUTE);
        let next = document("note", AMINA, NOTE, json!({ "contentType": "text/plain", "data": text }));
        import(&w.app.store, RIVERSIDE, &[next], w.now()).await;
    }
}

/// The numbers of the versions in a history, in order.
fn versions(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.opened().header("content-type"), Some("application/fhir+json; charset=UTF-8"));
    let bundle = reply.json();
    assert_eq!((&bundle["resourceType"], &bundle["type"]), (&json!("Bundle"), &json!("history")));
    let entries = bundle["entry"].as_array().unwrap().iter();
    entries.map(|entry| entry["resource"]["meta"]["versionId"].as_str().unwrap().to_owned()).collect()
}

fn next(bundle: &Value) -> Option<String> {
    let link = bundle["link"].as_array().unwrap().iter().find(|link| link["relation"] == "next")?;
    Some(link["url"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned())
}

#[tokio::test]
async fn a_history_tells_what_made_each_version() {
    let w = World::new().await;
    five_notes(&w).await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
        let reply = caller.get(HISTORY).await;
        assert_eq!(versions(&reply), ["5", "4", "3", "2", "1"]);
        let bundle = reply.json();
        assert_eq!(bundle["link"], json!([{ "relation": "self", "url": format!("{BASE}{HISTORY}") }]));
        let (newest, oldest) = (&bundle["entry"][0], &bundle["entry"][4]);
        assert_eq!(newest["fullUrl"], format!("{BASE}/fhir/DocumentReference/note"));
        assert_eq!(newest["request"], json!({ "method": "PUT", "url": "DocumentReference/note" }));
        let told = json!({ "status": "200", "etag": "W/\"5\"", "lastModified": "2026-11-15T09:34:00.000Z" });
        assert_eq!(newest["response"], told);
        assert_eq!(oldest["request"], json!({ "method": "POST", "url": "DocumentReference" }));
        assert_eq!(oldest["response"]["status"], "201");
        for entry in bundle["entry"].as_array().unwrap() {
            let number = entry["resource"]["meta"]["versionId"].as_str().unwrap();
            assert_eq!(entry["resource"], caller.get(&format!("{HISTORY}/{number}")).await.json());
        }
    }
    for path in ["/fhir/Patient/amina/_history", "/fhir/Binary/letter-text-amina/_history"] {
        for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.system().await] {
            assert_eq!(versions(&caller.get(path).await), ["1"], "{path}");
        }
    }
}

#[tokio::test]
async fn pages_of_a_history_follow_each_other_without_gap_or_repetition() {
    let w = World::new().await;
    five_notes(&w).await;
    let okafor = w.dr_okafor().caller().await;
    let (mut path, mut pages) = (Some(format!("{HISTORY}?_count=2")), Vec::new());
    while let Some(at) = path {
        let reply = okafor.get(&at).await;
        pages.push(versions(&reply));
        path = next(&reply.json());
        let own = &reply.json()["link"][0]["url"];
        assert_eq!(*own, format!("{BASE}{at}"));
    }
    assert_eq!(pages, [vec!["5", "4"], vec!["3", "2"], vec!["1"]]);
    let first = okafor.get(&format!("{HISTORY}?_count=5")).await;
    assert_eq!((versions(&first).len(), next(&first.json())), (5, None));
}

#[tokio::test]
async fn a_page_of_a_history_is_of_this_history_only() {
    let w = World::new().await;
    five_notes(&w).await;
    let okafor = w.dr_okafor().caller().await;
    let next = next(&okafor.get(&format!("{HISTORY}?_count=2")).await.json()).unwrap();
    let (_, own) = next.split_once("_page=").unwrap();
    let sealed = |content: &[u8]| w.app.keys.seal("rgp_", content).unwrap();
    let of_search = sealed(&[b"DocumentReference".as_slice(), &[0, 0, 0, 0, 0, 0, 0, 3]].concat());
    for page in ["", "3", "rgp_x_y", &of_search, &format!("{own}A")] {
        okafor.get(&format!("{HISTORY}?_page={page}")).await.says(400, "BAD_REQUEST");
    }
    for other in ["/fhir/DocumentReference/letter-amina/_history", "/fhir/Patient/amina/_history", "/fhir/Patient"] {
        okafor.get(&format!("{other}?_page={own}")).await.says(400, "BAD_REQUEST");
    }
    okafor.get(&next).await.opened();
}

#[tokio::test]
async fn a_history_out_of_reach_is_not_there_on_any_of_its_pages() {
    let w = World::new().await;
    five_notes(&w).await;
    let okafor = w.dr_okafor().caller().await;
    let second = next(&okafor.get(&format!("{HISTORY}?_count=2")).await.json()).unwrap();
    let ben = w.ben().caller().await;
    for path in [HISTORY, &second, "/fhir/Patient/amina/_history", "/fhir/Binary/letter-text-amina/_history"] {
        ben.get(path).await.says(404, "NOT_FOUND");
    }
    w.amina().is_of(&[]).await;
    okafor.get(&second).await.says(404, "NOT_FOUND");
    for nobody in ["/fhir/Patient/nobody/_history", "/fhir/Patient/a_b/_history", "/fhir/Patient/%FF/_history"] {
        ben.get(nobody).await.says(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn what_a_history_does_not_know_is_refused_with_what_it_knows() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    for query in ["_id=note", "identifier=N-2", "_sort=_lastUpdated"] {
        let words = okafor.get(&format!("{HISTORY}?{query}")).await.words(400, "BAD_REQUEST");
        assert!(words.contains("_at, _count, _elements, _format, _page, _pretty, _since, _summary"), "{words}");
    }
    for query in [
        "_count=0",
        "_count=-1",
        "_count=x",
        "_count=1&_count=2",
        "_since=now",
        "_at=gt2026",
        "_since=2026&_since=2025",
    ] {
        okafor.get(&format!("{HISTORY}?{query}")).await.says(400, "BAD_REQUEST");
    }
    okafor.get(&format!("{HISTORY}?_format=xml")).await.says(406, "NOT_ACCEPTABLE");
    okafor.get(&format!("{HISTORY}?_count=99999999999999999999")).await.opened();
}

#[tokio::test]
async fn head_of_a_history_is_its_length_without_its_body() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let (head, whole) = (okafor.head(HISTORY).await, okafor.get(HISTORY).await);
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(&*whole.body.len().to_string()));
}
