//! `POST /fhir/{type}`: a new resource of any type under an id of ours. Binary has its own, for its content.

use crate::app::trouble::During;
use crate::callers::api::FhirWriter;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::{answer, authority, body, conditions, media, query, submission};
use crate::formats::when;
use crate::http::call::Call;
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::answers::Refusal;
use store::write::{self, Outcome};

pub async fn create(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let Call { app, head, body, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    conditions::refuse(&head.headers, &["if-none-exist", "if-match", "if-none-match"])?;
    let json = body::text(&app, &head.headers, body).await?;
    let id = dice::uuid()?;
    let new = submission::prepare(&app, json, resource_type, (&id, false)).await?;
    authority::permit(&app, &caller, &new.content).await?;
    let source = authority::source(&app, &caller, &new.content).await?;
    let store = app.store.by(caller.author());
    let stored = write::put(&store, vec![new], source, caller.now, when::rfc3339(caller.now)).await;
    let stored = stored.during("storing a resource")?.into_iter().next();
    match stored.filter(|stored| matches!(stored.outcome, Outcome::Version(_))) {
        Some(stored) => {
            let preference = Preference::of(&head.headers);
            Ok(acknowledgement::answer(&app, (resource_type, &id), stored, true, preference))
        }
        None => {
            let name = resource_type.name();
            Err(Refusal::Conflict(format!("there is a {name} of the new id already; try again")).into())
        }
    }
}
