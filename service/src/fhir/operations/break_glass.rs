//! `Patient/{id}/$break-glass` and `Patient/{id}/$mend-glass`: an emergency look at a record, and its end.

use crate::callers::api::FhirReader;
use crate::fhir::media;
use crate::fhir::operations::invocation::Invocation;
use crate::fhir::operations::public_table::{BREAK_GLASS, MEND_GLASS};
use crate::fhir::read::answer;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::glass;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::ids::UserId;
use serde_json::json;

/// What whoever breaks a glass is told.
const MESSAGE: &str = "the patient, those who care for the record and the privacy officers have been told of this look; \
    send the token in the header breaktheglass";

/// What whoever hands one back is told.
const MENDED: &str = "this look is over; the token opens nothing any more";

pub async fn break_glass(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(ResourceType::Patient, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&BREAK_GLASS, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_sent((&app, &caller), &head.headers, body).await?.checked()?;
    let named = match asked.text("userId")? {
        None => None,
        Some(text) => {
            let number =
                text.parse().map_err(|_| Refusal::Invalid("userId must be the id of a user of the team".into()))?;
            Some(UserId(number))
        }
    };
    let reason = asked.text("reason")?.map(str::to_owned);
    let opened = glass::break_glass(&app, &caller, &id, (named, reason)).await?;
    let told = vec![
        json!({ "name": "token", "valueString": opened.token }),
        json!({ "name": "validUntil", "valueInstant": when::rfc3339(opened.broken.glass.ends_at()) }),
        json!({ "name": "message", "valueString": MESSAGE }),
    ];
    Ok(answer::parameters(told))
}

pub async fn mend_glass(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(ResourceType::Patient, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&MEND_GLASS, head.uri.query())?;
    asked.and_sent((&app, &caller), &head.headers, body).await?.checked()?;
    glass::mend(&app, &caller, &id).await?;
    Ok(answer::parameters(vec![json!({ "name": "message", "valueString": MENDED })]))
}
