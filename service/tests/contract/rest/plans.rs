//! Plans: forward only, never deleted, and never more than words.

use super::callers::{clinician, patient};
use crate::kit::World;
use axum::http::Method;
use serde_json::json;

#[tokio::test]
async fn a_plan_goes_forward_and_ends_out_of_sight() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let mut plan =
        json!({ "name": "Sleep plan", "status": "INDRAFT", "actionPlan": "<p>Lights out.</p>", "red": "Ring us." });
    clinician.sends(Method::POST, "/json/treatmentPlans", &plan).await.says_in_rest(400, "missing member patientId");
    plan["patientId"] = json!("amina");
    let made = clinician.sends(Method::POST, "/json/treatmentPlans", &plan).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let mut item = made.json();
    assert_eq!((&item["creator"]["type"], &item["red"]), (&json!("TEAM"), &json!("Ring us.")));
    let at = format!("/json/treatmentPlans/{}", item["id"].as_str().unwrap());
    item["status"] = json!("ACTIVE");
    item = clinician.sends(Method::PUT, &at, &item).await.json();
    assert_eq!((&item["status"], &item["version"]), (&json!("ACTIVE"), &json!(2)));
    assert_eq!(patient.get("/fhir/CarePlan?patient=Patient/amina&status=active").await.found().len(), 1);
    assert_eq!(patient.get("/json/treatmentPlans/mine").await.json(), json!([item]));
    assert_eq!(clinician.get("/json/treatmentPlans/forPatient/amina").await.json(), json!([item]));
    let outline = clinician.get("/json/careplans/amina").await.json();
    assert_eq!((&outline[0]["name"], outline[0].get("red")), (&json!("Sleep plan"), None));
    let mut back = item.clone();
    back["status"] = json!("INDRAFT");
    clinician.sends(Method::PUT, &at, &back).await.says_in_rest(422, "status: cannot go back from ACTIVE");
    item["status"] = json!("ENDED");
    assert_eq!(clinician.sends(Method::PUT, &at, &item).await.status, 200);
    assert_eq!(patient.get("/json/treatmentPlans/mine").await.json(), json!([]));
    assert_eq!(patient.get("/json/treatmentPlans/mine?all=true").await.json()[0]["status"], "ENDED");
    clinician.delete(&at).await.says_in_rest(405, "DELETE is not offered here; PUT are");
}

#[tokio::test]
async fn html_that_could_do_more_than_be_read_is_refused() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for html in [
        "<p>x</p><script>alert(1)</script>",
        "<p onclick=\"x()\">x</p>",
        "<img src=\"https://elsewhere.example/x.png\"/>",
        "<form action=\"/x\"></form>",
        "<a href=\"javascript:x()\">x</a>",
    ] {
        let plan = json!({ "name": "Plan", "status": "ACTIVE", "green": html });
        let reply = patient.sends(Method::POST, "/json/treatmentPlans", &plan).await;
        reply.says_in_rest(422, "green: must be HTML for reading only");
    }
    let own = patient.sends(Method::POST, "/json/treatmentPlans", &json!({ "name": "Plan", "status": "ACTIVE" })).await;
    assert_eq!((own.status, &own.json()["creator"]["id"]), (201, &json!("amina")), "{}", own.text());
}
