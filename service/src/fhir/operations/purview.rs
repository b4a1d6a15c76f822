//! `$purview`: for whom the caller looks, as a Consent would name them.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::fhir::media;
use crate::fhir::operations::invocation::Invocation;
use crate::fhir::operations::public_table::PURVIEW;
use crate::fhir::read::answer;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use serde_json::json;
use store::organisations;

/// A patient is their own; a session of teams is each of them, a System Client the organisation that it names.
pub async fn read(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&PURVIEW, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    asked.and_sent((&app, &caller), &head.headers, body).await?;
    let mut named: Vec<String> = caller.patient().iter().map(|own| format!("Patient/{own}")).collect();
    for team in caller.reach().teams() {
        let team = organisations::team(&app.store, *team).await.during("looking a team up")?;
        named.extend(team.map(|team| format!("Organization/{}", team.public_id)));
    }
    if let Some(id) = caller.reach().organisation() {
        let found = organisations::numbered(&app.store, id).await.during("looking an organisation up")?;
        named.extend(found.map(|found| format!("Organization/{}", found.public_id)));
    }
    let reference = |reference: String| json!({ "name": "purview", "valueReference": { "reference": reference } });
    Ok(answer::parameters(named.into_iter().map(reference).collect()))
}
