//! Consents: those of a patient, and sharing a record with one more, more widely or less.

use super::answer;
use super::body::{self, pairs};
use crate::callers::api::RestReader;
use crate::http::call::Call;
use crate::interactions::consents::{given, shared};
use crate::interactions::items::record;
use crate::voices::api::ApiStop;
use axum::http::{StatusCode, header};
use axum::response::Response;
use rules::consent::record::ConsentState;
use views::kinds::consent::{ConsentStanding, SentConsent};
use views::list::{ListQuery, OwnParameter};
use views::sent;

const STATE: &str = "state";

/// `GET /json/consents/byPatient/{patientId}`.
pub(crate) async fn list(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read_only(&pairs(&call)?, &[], &[OwnParameter::Word(STATE, ConsentStanding::WORDS)])?;
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    let state = query.own(STATE).and_then(|word| ConsentState::ALL.into_iter().find(|state| state.code() == word));
    answer::json(StatusCode::OK, &given::of_record(&call.app, &caller, &record, state).await?)
}

/// `POST /json/consents/forPatient/{patientId}`.
pub(crate) async fn share(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let patient = call.part("patientId").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent: SentConsent = sent::body(&text)?;
    let shared = shared::share(&app, &caller, &patient, &sent).await?;
    if !shared.is_new {
        return answer::json(StatusCode::OK, &shared.shown);
    }
    let location = format!("{}/fhir/Consent/{}", app.settings.base_url, shared.shown.id.0);
    Ok(answer::with(answer::json(StatusCode::CREATED, &shared.shown)?, header::LOCATION, location))
}
