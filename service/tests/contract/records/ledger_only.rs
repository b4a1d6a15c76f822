//! What the ledger tells is written by the service alone.

use super::bundles::{sends, statuses};
use super::imports::import;
use crate::kit::records::{AMINA, import as import_into, observation};
use crate::kit::{RIVERSIDE, World};
use serde_json::{Value, json};

fn event() -> Value {
    json!({ "resourceType": "AuditEvent", "recorded": "2020-05-01T10:00:00Z",
        "type": { "system": "http://terminology.hl7.org/CodeSystem/audit-event-type", "code": "rest" },
        "source": { "observer": { "display": "Ward" } },
        "agent": [{ "who": { "reference": "Patient/amina" }, "requestor": true }] })
}

// gaps: Records and reach > AuditEvent
#[tokio::test]
async fn nobody_but_the_service_writes_an_audit_event() {
    let w = World::new().await;
    let mut there = event();
    there["id"] = json!("there");
    import_into(&w.app.store, RIVERSIDE, &[there.clone()], w.now()).await;
    let id = "0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b90";
    let mut chosen = event();
    chosen["id"] = json!(id);
    let patch = json!([{ "op": "replace", "path": "/recorded", "value": "2021-05-01T10:00:00Z" }]);
    for caller in [w.system().await, w.dr_okafor().caller().await, w.site().await, w.amina().caller().await] {
        caller.post("/fhir/AuditEvent", &event()).await.says(403, "LEDGER_ONLY");
        caller.put(&format!("/fhir/AuditEvent/{id}"), &chosen).await.says(403, "LEDGER_ONLY");
        caller.put("/fhir/AuditEvent/there", &there).await.says(403, "LEDGER_ONLY");
        caller.patch("/fhir/AuditEvent/there", "application/json-patch+json", &patch).await.says(403, "LEDGER_ONLY");
        caller.delete("/fhir/AuditEvent/there").await.says(403, "LEDGER_ONLY");
        caller.delete("/fhir/AuditEvent?date=2020").await.says(403, "LEDGER_ONLY");
        caller.put("/fhir/AuditEvent?date=2020", &event()).await.says(403, "LEDGER_ONLY");
        let (told, _) = caller.is_refused(&[sends("POST", "AuditEvent", &event())], 403).await;
        assert_eq!(told, "Bundle.entry[0]");
        let batch = caller.exchanges("batch", &[sends("POST", "AuditEvent", &event())]).await;
        assert_eq!(statuses(&batch), [403]);
    }
    let told = w.system().await.post("/fhir/AuditEvent/$validate?mode=create", &event()).await.opened().json();
    assert_eq!(told["issue"][0]["code"], "forbidden", "{told}");
    let report = import(&w, RIVERSIDE, &[chosen]).await;
    assert!(report.problems[0].contains("AuditEvent"), "{:?}", report.problems);
}

// gaps: Records and reach > AuditEvent
#[tokio::test]
async fn nothing_says_by_its_identifier_that_it_is_the_services() {
    let w = World::new().await;
    let mut claims = observation(AMINA);
    claims["identifier"] = json!([{ "system": "urn:recordgate:ledger", "value": "1" }]);
    for caller in [w.system().await, w.dr_okafor().caller().await, w.amina().caller().await] {
        caller.post("/fhir/Observation", &claims).await.says(403, "LEDGER_ONLY");
        caller.is_refused(&[sends("POST", "Observation", &claims)], 403).await;
    }
    claims["id"] = json!("claims");
    assert_eq!(import(&w, RIVERSIDE, &[claims]).await.rejected, 1);
}
