//! `POST /json/users/{patientId}/deactivate`: ends the account of a patient.

use super::answer;
use super::body;
use crate::callers::api::RestCoordinator;
use crate::http::call::Call;
use crate::interactions::deactivation;
use crate::interactions::items::record;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::ENDING_REASON_BYTES;
use rules::rest_errors::RestError;
use rules::rest_faults::ValueFault;
use views::kinds::deactivation::{DeactivatedAccount, DeactivationSent};
use views::sent;

pub(crate) async fn deactivate(caller: RestCoordinator, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent: DeactivationSent = sent::body(&text)?;
    if sent.reason.as_ref().is_some_and(|reason| reason.len() > ENDING_REASON_BYTES) {
        let why = ValueFault::TooLong(ENDING_REASON_BYTES).words();
        return Err(RestError::Unprocessable(format!("reason: {why}")).into());
    }
    let record = record::named(&app, &caller, &id).await?;
    deactivation::deactivate(&app, &caller, &record, sent.reason).await?;
    answer::json(StatusCode::OK, &DeactivatedAccount { id: record.patient, active: false })
}
