//! `$purview`: for whom the caller looks, as a Consent would name them.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::fhir::invocation::Invocation;
use crate::fhir::public_operations::PURVIEW;
use crate::fhir::{answer, media};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::reach::Reach;
use serde_json::json;
use store::organisations;

/// A patient is their own; a session of teams is each of them, a System Client the organisation that it names.
pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&PURVIEW, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    asked.and_sent((&app, &caller), &head.headers, body).await?;
    let mut named: Vec<String> = caller.patient.iter().map(|own| format!("Patient/{own}")).collect();
    if let Reach::Viewers { teams, organisation } = &caller.reach {
        for team in teams {
            let team = organisations::team(&app.store, *team).await.during("looking a team up")?;
            named.extend(team.map(|team| format!("Organization/{}", team.public_id)));
        }
        if let Some(id) = organisation {
            let found = organisations::numbered(&app.store, *id).await.during("looking an organisation up")?;
            named.extend(found.map(|found| format!("Organization/{}", found.public_id)));
        }
    }
    let reference = |reference: String| json!({ "name": "purview", "valueReference": { "reference": reference } });
    Ok(answer::parameters(named.into_iter().map(reference).collect()))
}
