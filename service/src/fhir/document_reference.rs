//! `GET /fhir/DocumentReference/{id}` and `POST /fhir/DocumentReference`.

use crate::app::{App, Shared};
use crate::callers::caller::{Caller, FhirCaller};
use crate::documents::reading;
use crate::fhir::resource::{Fault, Parsed};
use crate::fhir::{answer, body, media, query, shapes, strict, tokens};
use crate::formats::when;
use crate::reference;
use crate::routes::dispatch::FreeEnd;
use crate::secrets::dice;
use crate::voices::api::Fhir;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use rules::answers::Refusal;
use rules::reach::{self, Reach, Source};
use rules::scope::Scope;
use store::organisations;
use store::records;
use store::writing::{self, From, Stored, Written};

const TYPE: &str = "DocumentReference";

pub async fn read(
    State(app): State<Shared>,
    FhirCaller(caller): FhirCaller,
    FreeEnd(name): FreeEnd,
    request: Request,
) -> Result<Response, Fhir> {
    let id = answer::asked(TYPE, name, request.uri().query(), request.headers())?;
    let found = records::read(&app.store, &caller.reach, TYPE, &id).await?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), found.patient_id.as_deref(), TYPE);
    if answer::is_held(request.headers(), found.version) {
        return Ok(answer::not_modified(&found));
    }
    if request.method() != Method::HEAD {
        reading::document_as_stored(&app, &caller, &found).await?;
    }
    Ok(answer::whole(found))
}

pub async fn create(
    State(app): State<Shared>,
    FhirCaller(caller): FhirCaller,
    request: Request,
) -> Result<Response, Fhir> {
    if let Some(is) = caller.scope.filter(|_| !reach::may_write(caller.scope)) {
        return Err(Refusal::UserTypeNotPermitted { is, needs: Scope::Clinician }.into());
    }
    let format = query::only_format(request.uri().query())?;
    media::must_take_json(request.headers(), format.as_deref())?;
    if request.headers().contains_key("if-none-exist") {
        return Err(Refusal::Invalid("conditional create is not supported; leave If-None-Exist out".into()).into());
    }
    let minimal = media::prefers_minimal(request.headers());
    let json = body::text(&app, request).await?;
    let text = strict::compacted(&json).map_err(said)?;
    let document = Parsed::read(&text, Some(TYPE)).map_err(said)?;
    shapes::complete_document(&document).map_err(said)?;
    let from = source(&app, &caller, &subject(&app, &document)?).await?;
    contents_in_reach(&app, &caller, &document).await?;
    let id = dice::uuid().map_err(|error| {
        tracing::error!(%error, "no id could be made for a document");
        Refusal::Trouble
    })?;
    let new = document.ready(&id).map_err(said)?;
    let stored = writing::put(&app.store, vec![new], from, caller.now, when::rfc3339(caller.now)).await?;
    created(&app, &caller, &id, stored, minimal)
}

/// JSON that cannot be read is a bad request; a resource that breaks a rule is not processed.
fn said(fault: Fault) -> Refusal {
    match fault {
        Fault::NotJson(why) => Refusal::Invalid(why),
        Fault::BreaksRule(why) => Refusal::Unprocessable(why),
    }
}

/// The patient that the document is about. A reference to another server's patient is nobody's here.
fn subject(app: &App, document: &Parsed<'_>) -> Result<String, Refusal> {
    let subject = document.member("subject").unwrap_or_default();
    let named = subject.get("reference").and_then(serde_json::Value::as_str).unwrap_or_default();
    let ours = !reference::is_absolute(named) || named.starts_with(&format!("{}/fhir/", app.settings.base_url));
    let patient = reference::id_in(named, "Patient").filter(|_| ours);
    patient.map(String::from).ok_or_else(|| {
        Refusal::Unprocessable("DocumentReference.subject must be a reference to a patient: Patient/id".into())
    })
}

/// Who becomes the source, if the caller may write about this patient at all.
async fn source(app: &App, caller: &Caller, patient: &str) -> Result<From, Fhir> {
    let known = records::read(&app.store, &caller.reach, "Patient", patient).await?;
    let known = known.is_some();
    let refused = |whose: &str| Refusal::Unprocessable(format!("subject Patient/{patient} is not {whose}"));
    match &caller.reach {
        Reach::Organisation(_) if !known => Err(refused("a patient of this organisation").into()),
        Reach::Organisation(organisation) => Ok(From::source(&Source::Organisation(*organisation), None)),
        Reach::Patient(own) if !known => {
            Err(refused(&format!("this patient; write about yourself, Patient/{own}")).into())
        }
        Reach::Patient(own) => Ok(From::source(&Source::Patient(own.clone()), None)),
        Reach::Teams(teams) => {
            let registered = organisations::teams_of_patient(&app.store, patient).await?;
            let team = registered.into_iter().find(|team| known && teams.contains(&team.id));
            let team = team.ok_or_else(|| refused("a patient of this team"))?;
            Ok(From::source(&Source::Team(team.id), Some(team.organisation)))
        }
    }
}

/// A document opens its Binaries to all who may see the document. So nobody may make one around a Binary that they
/// cannot see themselves, nor around one that is yet to come.
async fn contents_in_reach(app: &App, caller: &Caller, document: &Parsed<'_>) -> Result<(), Fhir> {
    for id in tokens::binaries(document) {
        let found = records::read_binary(&app.store, &caller.reach, &id).await?;
        if found.is_none() {
            let why = format!("content refers to Binary/{id}, which is not there or not within this caller's reach");
            return Err(Refusal::Unprocessable(why).into());
        }
    }
    Ok(())
}

fn created(app: &App, caller: &Caller, id: &str, stored: Vec<Stored>, minimal: bool) -> Result<Response, Fhir> {
    let Some(Stored { written: Written::Version(version), body }) = stored.into_iter().next() else {
        return Err(Refusal::Conflict(format!("there is a {TYPE} of the new id already; try again")).into());
    };
    let mut response = answer::resource(version, caller.now, Body::from(body));
    *response.status_mut() = StatusCode::CREATED;
    let location = format!("{}/fhir/{TYPE}/{id}/_history/{version}", app.settings.base_url);
    answer::put(response.headers_mut(), header::LOCATION, location);
    if minimal {
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    Ok(response)
}
