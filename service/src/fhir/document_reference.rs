//! `GET /fhir/DocumentReference/{id}` with its versions, and `POST /fhir/DocumentReference`.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::{FhirReader, FhirWriter};
use crate::callers::caller::Caller;
use crate::documents::reading;
use crate::fhir::{answer, body, media, query, versions};
use crate::formats::when;
use crate::http::call::Call;
use crate::preparation::{self, LIMITS};
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use fhir::fault::Fault;
use fhir::preparation::Preparation;
use fhir::resource::Resource;
use fhir::types::ResourceType;
use fhir::{shapes, strict};
use rules::answers::Refusal;
use rules::ids::TeamId;
use rules::reach::{Reach, Source};
use store::write::{self, Outcome, Stored};
use store::{documents, organisations, read as records, registrations};

const TYPE: ResourceType = ResourceType::DocumentReference;

pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let id = answer::id_to_read(TYPE, &call)?;
    let found =
        records::read(&app.store, &caller.reach, TYPE, &id, caller.now).await.during("reading a DocumentReference")?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), &found);
    if answer::is_held(&call.head.headers, found.version) {
        return Ok(answer::not_modified(&found));
    }
    let _room = app.unread.room(caller.taker(), found.body.len())?;
    if call.head.method != Method::HEAD {
        reading::as_stored(app, &caller, &found).await.during("noting that a document was read")?;
    }
    Ok(answer::whole(found))
}

/// What it was.
pub async fn version(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    versions::read(TYPE, caller, call).await
}

pub async fn history(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    versions::history(TYPE, caller, call).await
}

pub async fn create(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    if head.headers.contains_key("if-none-exist") {
        return Err(Refusal::Invalid("conditional create is not supported; leave If-None-Exist out".into()).into());
    }
    let minimal = media::prefers_minimal(&head.headers);
    let json = body::text(&app, &head.headers, body).await?;
    let text = strict::compact(&json, LIMITS.depth).map_err(refusal)?;
    let document = Resource::read(&text, Some(TYPE)).map_err(refusal)?;
    let base = preparation::base(&app.settings.base_url);
    let id = dice::uuid()?;
    let new = preparation::prepare_new(&document, &id, &base).map_err(refusal)?;
    let subject = shapes::subject(&document, &base).map_err(refusal)?;
    let source = source(&app, &caller, &subject, &new.content.patients).await?;
    contents_in_reach(&app, &caller, &new.content).await?;
    let store = app.store.by(caller.author());
    let stored = write::put(&store, vec![new], source, caller.now, when::rfc3339(caller.now)).await;
    creation(&app, &caller, &id, stored.during("storing a DocumentReference")?, minimal)
}

/// JSON that cannot be read is a bad request; a resource that breaks a rule is not processed.
pub(super) fn refusal(fault: Fault) -> Refusal {
    match fault {
        Fault::NotJson(why) => Refusal::Invalid(why),
        Fault::BreaksRule(why) => Refusal::Unprocessable(why),
    }
}

/// Who becomes the source, if the caller may write about every patient in whose compartment the document would be.
async fn source(app: &App, caller: &Caller, subject: &str, patients: &[String]) -> Result<Source, ApiStop> {
    for patient in patients {
        let known = records::read(&app.store, &caller.reach, ResourceType::Patient, patient, caller.now).await;
        if known.during("reading the patient of a document")?.is_none() {
            let element = if patient == subject { "subject" } else { "a further reference to" };
            return Err(Refusal::Unprocessable(format!("{element} Patient/{patient} is not {}", whose(caller))).into());
        }
    }
    match &caller.reach {
        Reach::Own(own) => Ok(Source::Patient(*own)),
        Reach::Viewers { organisation: Some(organisation), .. } => Ok(Source::Organisation(*organisation)),
        Reach::Viewers { teams, organisation: None } => team(app, teams, subject).await,
    }
}

/// Whom the caller may write about, as a refusal says it.
fn whose(caller: &Caller) -> String {
    match (&caller.reach, &caller.patient) {
        (Reach::Own(_), Some(own)) => format!("this patient; write about yourself, Patient/{own}"),
        (Reach::Own(_), None) => "this patient".into(),
        (Reach::Viewers { organisation: Some(_), .. }, _) => "a patient of this organisation".into(),
        (Reach::Viewers { .. }, _) => "a patient of this team".into(),
    }
}

/// The only team of a session.
pub(super) async fn only_team(app: &App, only: TeamId) -> Result<Source, ApiStop> {
    let only = organisations::team(&app.store, only).await.during("looking a team up")?;
    let only = only.ok_or_else(|| Refusal::Unprocessable("the team of this session is gone".into()))?;
    Ok(Source::Team(only.id, only.organisation))
}

/// The team that a session writes for: its only one, or the one of several that the patient is registered with.
async fn team(app: &App, teams: &[TeamId], patient: &str) -> Result<Source, ApiStop> {
    if let [only] = teams {
        return only_team(app, *only).await;
    }
    let registered = registrations::teams(&app.store, patient).await.during("listing the teams of a patient")?;
    let mut own = registered.into_iter().filter(|team| teams.contains(&team.id));
    match (own.next(), own.next()) {
        (Some(team), None) => Ok(Source::Team(team.id, team.organisation)),
        (None, _) => Err(Refusal::Unprocessable(format!(
            "subject Patient/{patient} is registered with none of the teams of this user, so it is not clear for which of them \
             this is written"
        ))
        .into()),
        (Some(_), Some(_)) => Err(Refusal::Unprocessable(format!(
            "subject Patient/{patient} is registered with several teams of this user, so it is not clear for which of them \
             this is written"
        ))
        .into()),
    }
}

/// A document opens the Binaries of its own source to all who may see the document. So nobody may make one around a
/// Binary that they cannot see themselves, nor around one that is yet to come.
async fn contents_in_reach(app: &App, caller: &Caller, document: &Preparation) -> Result<(), ApiStop> {
    for id in document.foreign_binaries() {
        let obstacle = documents::obstacle(&app.store, &caller.reach, id, caller.now).await;
        if obstacle.during("reading a Binary")?.is_some() {
            let why = format!("content refers to Binary/{id}, which is not there or not within this caller's reach");
            return Err(Refusal::Unprocessable(why).into());
        }
    }
    Ok(())
}

fn creation(app: &App, caller: &Caller, id: &str, stored: Vec<Stored>, minimal: bool) -> Result<Response, ApiStop> {
    let Some(Stored { outcome: Outcome::Version(version), body }) = stored.into_iter().next() else {
        return Err(Refusal::Conflict(format!("there is a {} of the new id already; try again", TYPE.name())).into());
    };
    let mut response = answer::resource(version, caller.now, Body::from(body));
    *response.status_mut() = StatusCode::CREATED;
    let location = format!("{}/fhir/{}/{id}/_history/{version}", app.settings.base_url, TYPE.name());
    answer::put(response.headers_mut(), header::LOCATION, location);
    if minimal {
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    Ok(response)
}
