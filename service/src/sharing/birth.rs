//! When a patient was born, which decides when the consent of a carer ends.

use crate::app::App;
use fhir::types::ResourceType;
use rules::calendar::Day;
use rules::ids::PatientId;
use rules::reach::Reach;
use serde_json::Value;
use store::read as records;

/// When a patient was born, as their Patient says it to the day. Nobody is shown it.
pub(crate) async fn born(app: &App, patient: PatientId, id: &str) -> store::Result<Option<Day>> {
    let (reach, of) = (Reach::of_patient(patient), ResourceType::Patient);
    let Some(found) = records::read(&app.store, &reach, of, id, app.clock.now()).await? else { return Ok(None) };
    let body: Value = serde_json::from_str(&found.body).unwrap_or_default();
    Ok(body.get("birthDate").and_then(Value::as_str).and_then(Day::read))
}
