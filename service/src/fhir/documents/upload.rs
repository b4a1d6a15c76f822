//! `POST /fhir/Binary` and `PUT /fhir/Binary/{id}`: a content of any media type as it is, or the resource around it.

use crate::app::{App, Shared};
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::documents::content::{Content, ContentRecipient};
use crate::fhir::media::SentForm;
use crate::fhir::read::answer;
use crate::fhir::search::query_string;
use crate::fhir::write::acknowledgement::{self, Preference};
use crate::fhir::write::if_match;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::read;
use crate::interactions::write::{authority, execution, submission};
use crate::preparation;
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::TOKEN_BYTES;
use rules::reach::Source;
use serde::Deserialize;
use store::write::resource_write::{Demand, NewResource};

const TYPE: ResourceType = ResourceType::Binary;
/// By which a sender of content alone names whose access it is to follow (FHIR R4, Binary).
const SECURITY_CONTEXT: &str = "x-security-context";

pub async fn create(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    must_be_plain(&head)?;
    if_match::refuse(&head.headers, &["if-match"])?;
    let id = dice::resource_id(caller.now())?;
    let new = received((&app, &caller), &head, body, (&id, false)).await?;
    store((&app, &head), &caller, &id, new, (None, Demand::Nothing)).await
}

pub async fn update(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(TYPE, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    must_be_plain(&head)?;
    let demand = if_match::if_match(&head.headers)?;
    let source = authority::of_existing(&app, &caller, (TYPE, &id), demand).await?;
    let new = received((&app, &caller), &head, body, (&id, true)).await?;
    store((&app, &head), &caller, &id, new, (source, demand)).await
}

/// Refuses what is not done, so that nobody takes it for done.
fn must_be_plain(head: &Parts) -> Result<(), Refusal> {
    let format = query_string::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    if_match::refuse(&head.headers, &["if-none-exist", "if-none-match"])
}

/// What was sent. A resource that is stored under an id that the caller chose must say the same.
async fn received(
    (app, caller): (&App, &Caller),
    head: &Parts,
    body: Body,
    (id, is_chosen): (&str, bool),
) -> Result<NewResource, ApiStop> {
    let form = media::of_binary(&head.headers)?;
    let context = security_context(&head.headers)?;
    let bytes = body::bytes(app, body).await?;
    let length = bytes.len();
    let (id_there, base) = (id.to_owned(), preparation::base(&app.settings.base_url));
    // Either the content, ready to be stored, or the text of a resource.
    let work = move || -> Result<NewResource, Vec<u8>> {
        let media_type = match form {
            SentForm::Json(_) if is_binary(&bytes) => return Err(bytes),
            SentForm::Json(media_type) | SentForm::Content(media_type) => media_type,
            SentForm::Resource => return Err(bytes),
        };
        Ok(preparation::prepare_content((&id_there, &base), &media_type, context.as_deref(), bytes))
    };
    match app.workers.run(caller.taker(), length, work).await? {
        Ok(content) => Ok(content),
        Err(resource) => {
            submission::prepare((app, caller), body::as_text(resource)?.into(), TYPE, (id, is_chosen)).await
        }
    }
}

fn security_context(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut all = headers.get_all(SECURITY_CONTEXT).iter();
    let Some(first) = all.next() else { return Ok(None) };
    let reference = first.to_str().ok().filter(|reference| !reference.is_empty() && reference.len() <= TOKEN_BYTES);
    let reference = reference.filter(|_| all.next().is_none()).map(String::from);
    let refused =
        || Refusal::Invalid(format!("{SECURITY_CONTEXT} must be one reference of at most {TOKEN_BYTES} bytes"));
    reference.ok_or_else(refused).map(Some)
}

/// Whether JSON that does not say that it is FHIR's is a Binary all the same: some clients send all their JSON as that.
fn is_binary(json: &[u8]) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Head {
        resource_type: Option<String>,
    }
    serde_json::from_slice(json).is_ok_and(|head: Head| head.resource_type.as_deref() == Some(TYPE.name()))
}

async fn store(
    (app, head): (&Shared, &Parts),
    caller: &Caller,
    id: &str,
    new: NewResource,
    (source, demand): (Option<Source>, Demand),
) -> Result<Response, ApiStop> {
    let stored = execution::store(app, caller, new, source, demand).await?;
    let preference = Preference::of(&head.headers);
    // Through a lens it is seen once a document carries it.
    if preference != Preference::Representation || caller.reach().lens().is_some() {
        let is_new = stored.is_new;
        return Ok(acknowledgement::answer(app, (TYPE, id), stored, is_new, preference));
    }
    let found = read::written(app, caller, TYPE, (id, stored.version)).await?;
    let to = ContentRecipient { app, taker: caller.taker(), head };
    let mut response = Content::of_binary(to, &found).await?.begin_inside(to).await?.answer_inside(&found.body);
    answer::version_headers(response.headers_mut(), found.version, found.updated_at);
    if stored.is_new {
        *response.status_mut() = StatusCode::CREATED;
        answer::put(
            response.headers_mut(),
            header::LOCATION,
            acknowledgement::location(app, (TYPE, id), found.version),
        );
    }
    Ok(response)
}
