//! Appointments: made by teams, read by all, one with FHIR's.

use super::callers::{clinician, patient};
use crate::kit::World;
use axum::http::Method;
use serde_json::json;

#[tokio::test]
async fn a_team_makes_changes_and_deletes_appointments_that_the_patient_sees() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let sent = json!({ "status": "ACTIVE", "subject": "Review", "description": "Bring the diary", "externalId": "SCH-991",
        "start": "2026-12-01T09:30:00Z", "end": "2026-12-01T10:00:00Z", "location": "Clinic 4" });
    let made = clinician.sends(Method::POST, "/json/appointments/forPatient/amina", &sent).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let item = made.json();
    assert_eq!((&item["location"], &item["participants"][0]["id"]), (&json!("Clinic 4"), &json!("amina")));
    let at = format!("/json/appointments/{}", item["id"].as_str().unwrap());
    assert_eq!(patient.get("/fhir/Appointment?patient=Patient/amina&status=booked").await.found().len(), 1);
    assert_eq!(patient.get("/json/appointments").await.json(), json!([item]));
    assert_eq!(patient.get("/json/appointments?status=CANCELLED").await.json(), json!([]));
    let mut moved = item.clone();
    moved["status"] = json!("CANCELLED");
    let changed = clinician.sends(Method::PUT, &at, &moved).await;
    assert_eq!((changed.status, &changed.json()["status"]), (200, &json!("CANCELLED")), "{}", changed.text());
    assert_eq!(
        clinician.get("/json/appointments/forPatient/amina?status=CANCELLED&limit=1").await.json()[0]["id"],
        item["id"]
    );
    patient.delete(&at).await.says_in_rest(403, "User type PATIENT can't execute API call requiring scope CLINICIAN");
    assert_eq!(clinician.delete(&at).await.status, 204);
    assert_eq!(patient.get("/json/appointments").await.json(), json!([]));
}

#[tokio::test]
async fn one_appointment_is_made_at_a_time() {
    let w = World::new().await;
    let clinician = clinician(&w).await;
    let path = "/json/appointments/forPatient/amina";
    clinician
        .sends(Method::POST, path, &json!([]))
        .await
        .says_in_rest(400, "the body: must be an object, not an array");
    clinician.sends(Method::POST, path, &json!({ "status": "ACTIVE" })).await.says_in_rest(400, "missing member");
    patient(&w)
        .await
        .sends(Method::POST, "/json/appointments", &json!({}))
        .await
        .says_in_rest(405, "POST is not offered");
}
