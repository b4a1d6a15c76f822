//! `PUT /fhir/{type}/{id}`: the next version of a resource, or what is new under an id that a System Client chose. Binary has
//! its own, for its content.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::{answer, authority, body, conditions, media, query, submission};
use crate::formats::when;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::answers::Refusal;
use rules::reach::Source;
use store::write::{self, Demand, NewResource, Outcome, Stored};

pub async fn update(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let source = authority::of_existing(&app, &caller, (resource_type, &id)).await?;
    let json = body::text(&app, &head.headers, body).await?;
    let new = submission::prepare(&app, json, resource_type, (&id, true)).await?;
    let stored = as_demanded(store(&app, &caller, new, source, demand).await?)?;
    let is_new = stored.is_new;
    Ok(acknowledgement::answer(&app, (resource_type, &id), stored, is_new, Preference::of(&head.headers)))
}

/// Stores a version for the source of what is there, or for the caller's own where nothing is; or tells that what is there is not
/// what is demanded.
pub(super) async fn store(
    app: &App,
    caller: &Caller,
    new: NewResource,
    source: Option<Source>,
    demand: Demand,
) -> Result<Stored, ApiStop> {
    authority::permit(app, caller, &new.content).await?;
    let resource_type = new.content.resource_type;
    let source = match source {
        Some(source) => source,
        None => authority::source(app, caller, &new.content).await?,
    };
    let store = app.store.by(caller.author());
    let stored = write::put_if(&store, vec![(new, demand)], source, caller.now, when::rfc3339(caller.now)).await;
    let stored = stored.during("storing a resource")?.into_iter().next();
    // Somebody else has taken the id, whom this caller does not see.
    let stored = stored.filter(|stored| stored.outcome != Outcome::OtherSource);
    stored.ok_or_else(|| answer::not_there(resource_type).into())
}

/// What was stored, unless something else than what was demanded is there.
pub(super) fn as_demanded(stored: Stored) -> Result<Stored, Refusal> {
    match stored.outcome {
        Outcome::OtherVersion => Err(conditions::not_met(stored.version)),
        _ => Ok(stored),
    }
}
