//! `meta.source` says who made a resource, and only the service can say it.

use crate::kit::records::{import, letter};
use crate::kit::{HILLSIDE, RIVERSIDE, RIVERSIDE_TEAM, World};
use serde_json::json;

const PATH: &str = "/fhir/DocumentReference";

// gaps: FHIR, where R4 leaves it open > `meta` on write
#[tokio::test]
async fn a_document_says_who_made_it_whatever_its_sender_said() {
    let w = World::new().await;
    let team = format!("urn:recordgate:team:{RIVERSIDE_TEAM}");
    for (caller, source) in [
        (w.amina().caller().await, "urn:recordgate:patient:amina".to_owned()),
        (w.dr_okafor().caller().await, team.clone()),
        (w.site().await, team),
        (w.system().await, format!("urn:recordgate:organisation:{RIVERSIDE}")),
    ] {
        let mut sent = letter("amina");
        sent["meta"] = json!({ "source": format!("urn:recordgate:organisation:{HILLSIDE}"),
            "_source": { "extension": [{ "url": "x", "valueString": "the clinic" }] }, "profile": ["urn:kept"] });
        let stored = caller.post(PATH, &sent).await.json();
        assert_eq!(stored["meta"]["source"], source.as_str());
        assert_eq!((&stored["meta"]["_source"], &stored["meta"]["profile"]), (&json!(null), &json!(["urn:kept"])));
        let read = w.amina().caller().await.get(&format!("{PATH}/{}", stored["id"].as_str().unwrap())).await;
        assert_eq!(read.opened().json()["meta"], stored["meta"]);
    }
}

#[tokio::test]
async fn an_imported_resource_says_the_organisation_that_it_was_imported_for() {
    let w = World::new().await;
    let mut forged = letter("amina");
    forged["id"] = json!("forged");
    forged["meta"] = json!({ "source": "urn:recordgate:patient:amina" });
    import(&w.app.store, RIVERSIDE, &[forged], w.now()).await;
    let found = w.amina().caller().await.get(&format!("{PATH}/forged")).await.opened().json();
    assert_eq!(found["meta"]["source"], format!("urn:recordgate:organisation:{RIVERSIDE}"));
}

#[tokio::test]
async fn nobody_says_anything_in_a_code_system_of_ours_but_a_privacy_label() {
    let w = World::new().await;
    let caller = w.amina().caller().await;
    let with = |member: &str, system: &str, code: &str| {
        let mut sent = letter("amina");
        sent["meta"] = json!({ member: [{ "system": system, "code": code }] });
        sent
    };
    for (member, system) in [
        ("tag", "urn:recordgate:privacy-label"),
        ("tag", "urn:recordgate:approved"),
        ("security", "urn:recordgate:approved"),
    ] {
        let words = caller.post(PATH, &with(member, system, "X")).await.words(422, "UNPROCESSABLE");
        assert!(words.contains(&format!("meta.{member}")) && words.contains(system), "{words}");
    }
    for (member, system) in [("tag", "urn:elsewhere"), ("security", "urn:recordgate:privacy-label")] {
        assert_eq!(caller.post(PATH, &with(member, system, "GENERAL_HEALTH")).await.status, 201, "{member}");
    }
}
