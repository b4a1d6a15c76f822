//! `POST /fhir/Binary` and `PUT /fhir/Binary/{id}`: a content of any media type as it is, or the resource around it.

use crate::app::trouble::During;
use crate::app::{App, Shared};
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::documents::content::{Content, Recipient};
use crate::fhir::document_reference::{only_team, refusal};
use crate::fhir::media::SentForm;
use crate::fhir::{answer, body, media, query, versions};
use crate::formats::when;
use crate::http::call::Call;
use crate::preparation::{self, LIMITS};
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use fhir::resource::Resource;
use fhir::strict;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::TOKEN_BYTES;
use rules::reach::{Reach, Source};
use serde::Deserialize;
use store::read as records;
use store::write::{self, NewResource, Outcome};

const TYPE: ResourceType = ResourceType::Binary;
/// By which a sender of content alone names whose access it is to follow (FHIR R4, Binary).
const SECURITY_CONTEXT: &str = "x-security-context";

pub async fn create(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    must_be_plain(&head)?;
    let source = source(&app, &caller).await?;
    let id = dice::uuid()?;
    let new = received(&app, &head, body, (&id, false)).await?;
    store((&app, &head), &caller, &id, new, source).await
}

pub async fn update(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(TYPE, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    must_be_plain(&head)?;
    let there = records::read(&app.store, &caller.reach, TYPE, &id, caller.now).await;
    let source = match there.during("reading a Binary")? {
        Some(there) if may_act_as(&caller.reach, there.source) => there.source,
        Some(_) => return Err(Refusal::OtherSource.into()),
        // Only a System Client chooses ids.
        None if caller.session.is_some() => return Err(answer::not_there(TYPE).into()),
        None => source(&app, &caller).await?,
    };
    let new = received(&app, &head, body, (&id, true)).await?;
    store((&app, &head), &caller, &id, new, source).await
}

/// Refuses what is not done, so that nobody takes it for done.
fn must_be_plain(head: &Parts) -> Result<(), Refusal> {
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    match ["if-none-exist", "if-match", "if-none-match"].into_iter().find(|name| head.headers.contains_key(*name)) {
        Some(name) => Err(Refusal::Invalid(format!("a Binary is not stored on conditions; leave {name} out"))),
        None => Ok(()),
    }
}

/// Whether a caller writes for this source.
fn may_act_as(reach: &Reach, source: Source) -> bool {
    match (reach, source) {
        (Reach::Own(own), Source::Patient(patient)) => *own == patient,
        (Reach::Viewers { organisation: Some(own), .. }, Source::Organisation(organisation)) => *own == organisation,
        (Reach::Viewers { teams, organisation: None }, Source::Team(team, _)) => teams.contains(&team),
        _ => false,
    }
}

/// Who becomes the source of a Binary, which is in nobody's record by itself.
async fn source(app: &App, caller: &Caller) -> Result<Source, ApiStop> {
    match &caller.reach {
        Reach::Own(own) => Ok(Source::Patient(*own)),
        Reach::Viewers { organisation: Some(organisation), .. } => Ok(Source::Organisation(*organisation)),
        Reach::Viewers { teams, organisation: None } => match teams.as_slice() {
            [only] => only_team(app, *only).await,
            _ => Err(Refusal::Unprocessable(
                "this user has no team or several, so it is not clear for which of them this Binary is; send it inside a \
                 DocumentReference"
                    .into(),
            )
            .into()),
        },
    }
}

/// What was sent. A resource that is stored under an id that the caller chose must say the same.
async fn received(app: &App, head: &Parts, body: Body, (id, chosen): (&str, bool)) -> Result<NewResource, Refusal> {
    let form = media::of_binary(&head.headers)?;
    let context = security_context(&head.headers)?;
    let bytes = body::bytes(app, body).await?;
    let media_type = match form {
        SentForm::Json(_) if is_binary(&bytes) => None,
        SentForm::Json(media_type) | SentForm::Content(media_type) => Some(media_type),
        SentForm::Resource => None,
    };
    let Some(media_type) = media_type else {
        let text = strict::compact(&body::as_text(bytes)?, LIMITS.depth).map_err(refusal)?;
        let binary = Resource::read(&text, Some(TYPE)).map_err(refusal)?;
        if chosen && binary.id().map_err(refusal)? != id {
            return Err(Refusal::Invalid("the id of the resource must be the one in the URL".into()));
        }
        let base = preparation::base(&app.settings.base_url);
        return preparation::prepare_new(&binary, id, &base).map_err(refusal);
    };
    Ok(preparation::prepare_content(id, &media_type, context.as_deref(), bytes))
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
    source: Source,
) -> Result<Response, ApiStop> {
    let stored = write::put(&app.store, vec![new], source, caller.now, when::rfc3339(caller.now)).await;
    let version = match stored.during("storing a Binary")?.first().map(|stored| &stored.outcome) {
        Some(Outcome::Version(version)) => Some(*version),
        Some(Outcome::Unchanged) => None,
        // Somebody else has just taken the id.
        Some(Outcome::OtherSource) | None => return Err(answer::not_there(TYPE).into()),
    };
    let found = match version {
        Some(version) => versions::find(app, caller, TYPE, (id, version)).await?,
        None => {
            let found = records::read(&app.store, &caller.reach, TYPE, id, caller.now).await;
            answer::present(TYPE, found.during("reading a Binary")?)?
        }
    };
    let mut response = if media::prefers_minimal(&head.headers) {
        Response::new(Body::empty())
    } else {
        let to = Recipient { app, taker: caller.taker(), head };
        Content::of_binary(to, &found).await?.begin_inside(to).await?.answer_inside(&found.body)
    };
    answer::version_headers(response.headers_mut(), found.version, found.updated_at);
    if version == Some(1) {
        *response.status_mut() = StatusCode::CREATED;
        let location = format!("{}/fhir/{}/{id}/_history/1", app.settings.base_url, TYPE.name());
        answer::put(response.headers_mut(), header::LOCATION, location);
    }
    Ok(response)
}
