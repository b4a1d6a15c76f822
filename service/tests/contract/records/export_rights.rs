//! Whose an export is, how many one caller has, and what becomes of it when a right ends.

use super::exports::{begun, manifest, own, resources, weight, with_records};
use crate::kit::records::import;
use crate::kit::{DAY, HILLSIDE_TEAM, RIVERSIDE, World};
use http_body_util::BodyExt;
use rules::limits::EXPORTS_PER_CALLER;
use serde_json::{Value, json};

#[tokio::test]
async fn an_export_is_its_callers_alone_and_gone_when_it_is_cancelled_or_has_expired() {
    let w = World::new().await;
    with_records(&w).await;
    let system = w.system().await;
    let status = begun(&system, "/fhir/Patient/$export").await;
    let file = own(manifest(&system, &status).await["output"][0]["url"].as_str().unwrap());
    let hillside = w.system_for_hillside().await;
    let others = [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, hillside];
    for other in &others {
        other.get(&status).await.says(404, "NOT_FOUND");
        other.get(&file).await.says(404, "NOT_FOUND");
        other.delete(&status).await.says(404, "NOT_FOUND");
    }
    w.get(&status).await.says(401, "BAD_AUTHENTICATION");
    w.get(&file).await.says(401, "BAD_AUTHENTICATION");
    system.get("/fhir/$export/rge_000000_unknown").await.says(404, "NOT_FOUND");
    assert_eq!(w.system().await.delete(&status).await.status, 202, "another token of the same client");
    for gone in [&status, &file] {
        system.get(gone).await.says(404, "NOT_FOUND");
    }
    system.delete(&status).await.says(404, "NOT_FOUND");
    let status = begun(&system, "/fhir/Patient/$export").await;
    w.after(DAY);
    w.system().await.get(&status).await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn who_has_lost_the_right_meanwhile_gets_nothing() {
    let w = World::new().await;
    with_records(&w).await;
    let (system, okafor) = (w.system().await, w.dr_okafor().caller().await);
    let path = "/fhir/Patient/$export?_type=Observation";
    let (of_system, of_okafor) = (begun(&system, path).await, begun(&okafor, path).await);
    let (theirs, hers) = (manifest(&system, &of_system).await, manifest(&okafor, &of_okafor).await);
    assert_eq!(resources(&okafor, &hers).await.len(), 2);
    w.amina().is_of(&[HILLSIDE_TEAM]).await;
    assert_eq!(resources(&okafor, &hers).await, Vec::<Value>::new());
    w.withdraws(RIVERSIDE, "Lab Link").await;
    system.get(&of_system).await.says(403, "ORGANISATION_NOT_GRANTED");
    system.get(&own(theirs["output"][0]["url"].as_str().unwrap())).await.says(403, "ORGANISATION_NOT_GRANTED");
}

#[tokio::test]
async fn a_right_that_ends_while_a_file_is_sent_breaks_it_off() {
    let w = World::new().await;
    let large = |id: &str| {
        let mut large = weight(id, "amina");
        large["note"] = json!([{ "text": "x".repeat(400 << 10) }]);
        large
    };
    import(&w.app.store, RIVERSIDE, &["l1", "l2", "l3"].map(large), w.now()).await;
    for ends_with in ["a cancellation", "a withdrawal"] {
        let system = w.system().await;
        let status = begun(&system, "/fhir/Patient/$export?_type=Observation").await;
        let file = own(manifest(&system, &status).await["output"][0]["url"].as_str().unwrap());
        assert_eq!(system.get(&file).await.opened().text().lines().count(), 3);
        let mut body = w.answers(system.get_request(&file)).await.into_body();
        body.frame().await.expect("a first part").expect("which is sent");
        match ends_with {
            "a cancellation" => assert_eq!(system.delete(&status).await.status, 202),
            _ => w.withdraws(RIVERSIDE, "Lab Link").await,
        }
        assert!(body.frame().await.expect("an end").is_err(), "{ends_with}: nobody takes it for whole");
    }
}

#[tokio::test]
async fn a_caller_has_so_many_exports_however_many_are_begun_at_once() {
    let w = World::new().await;
    let system = w.system().await;
    let kick_off = || {
        let mut request = system.get_request("/fhir/$export?_type=Patient");
        request.headers_mut().insert("prefer", "respond-async".parse().unwrap());
        request
    };
    let replies = w.shoots((0..40).map(|_| kick_off()).collect()).await;
    let accepted: Vec<_> = replies.iter().filter(|reply| reply.status == 202).collect();
    assert_eq!(accepted.len(), EXPORTS_PER_CALLER);
    for refused in replies.iter().filter(|reply| reply.status != 202) {
        refused.says(429, "TOO_MANY_EXPORTS");
        assert_eq!(refused.header("retry-after"), Some("601"));
    }
    // However many ask at once, each hears how far it is.
    let status = own(accepted[0].header("content-location").unwrap());
    let asked = w.shoots((0..40).map(|_| system.get_request(&status)).collect()).await;
    assert!(asked.iter().all(|reply| [200, 202].contains(&reply.status)));
    assert_eq!(manifest(&system, &status).await["output"][0]["count"], 1);
    assert_eq!(system.delete(&status).await.status, 202);
    begun(&system, "/fhir/$export").await;
}

#[tokio::test]
async fn each_resource_of_an_export_is_a_look_that_the_patient_finds_in_their_log() {
    let w = World::new().await;
    with_records(&w).await;
    let okafor = w.dr_okafor().caller().await;
    let status = begun(&okafor, "/fhir/Patient/$export").await;
    let manifest = manifest(&okafor, &status).await;
    let before = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(!before.contains("Dr Okafor"), "to count is not to look: {before}");
    resources(&okafor, &manifest).await;
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    for told in ["Opened your personal details", "Opened the details of a letter", "Dr Okafor"] {
        assert!(log.contains(told), "{told} in {log}");
    }
}
