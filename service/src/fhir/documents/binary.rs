//! `GET /fhir/Binary/{id}` with its versions: the content itself, or the resource around it for who asks for FHIR.

use crate::app::Shared;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::documents::content::{Content, ContentRecipient};
use crate::documents::reading;
use crate::fhir::history::versions;
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::read::options;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::query_string::{PRETTY, Query};
use crate::http::call::Call;
use crate::interactions;
use crate::interactions::noted::Noted;
use crate::interactions::releases;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;

const TYPE: ResourceType = ResourceType::Binary;

pub async fn read(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let as_resource = wants_resource(&call)?;
    let id = answer::id(TYPE, &call)?;
    releases::of_binary(&call.app, &caller, &id).await?;
    let found = interactions::read::resource(&call.app, &caller, TYPE, &id).await?;
    hand_out((&call.app, &call.head), &caller, &found, as_resource).await
}

/// What it was.
pub async fn version(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let as_resource = wants_resource(&call)?;
    let (id, version) = versions::named(TYPE, &call)?;
    releases::of_binary(&call.app, &caller, &id).await?;
    let found = interactions::read::version(&call.app, &caller, TYPE, (&id, version)).await?;
    hand_out((&call.app, &call.head), &caller, &found, as_resource).await
}

/// Whether the resource is asked for and not its content, if query and headers leave room for either.
fn wants_resource(call: &Call) -> Result<bool, Refusal> {
    let query = Query::of_binary(call.query())?;
    options::is_pretty(query.get(PRETTY))?;
    let as_resource = media::wants_resource(&call.head.headers, query.format());
    if as_resource {
        media::must_take_json(&call.head.headers, query.format())?;
    }
    Ok(as_resource)
}

async fn hand_out(
    (app, head): (&Shared, &Parts),
    caller: &Caller,
    found: &Noted,
    as_resource: bool,
) -> Result<Response, ApiStop> {
    if ReadRequest::of_head(head).has(found, caller.now()) {
        return Ok(answer::not_modified(found));
    }
    let to = ContentRecipient { app, taker: caller.taker(), head };
    let content = Content::of_binary(to, found).await?;
    let delivery = match as_resource {
        true => content.begin_inside(to).await?,
        false => content.begin(to, Some(found.version)).await?,
    };
    if to.opens() {
        reading::binary(app, caller, &found.id).await.during("noting that a document was read")?;
    }
    let mut response = if as_resource { delivery.answer_inside(&found.body) } else { delivery.answer() };
    answer::version_headers(response.headers_mut(), found.version, found.updated_at);
    Ok(response)
}
