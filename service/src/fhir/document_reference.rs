//! `GET /fhir/DocumentReference/{id}` and `POST /fhir/DocumentReference`.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::{FhirReader, FhirWriter};
use crate::callers::caller::Caller;
use crate::documents::reading;
use crate::fhir::resource::{Fault, Parsed};
use crate::fhir::{answer, body, media, query, shapes, strict, tokens};
use crate::formats::when;
use crate::http::call::Call;
use crate::reference;
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use rules::answers::Refusal;
use rules::reach::{Reach, Source};
use store::organisations;
use store::records;
use store::writing::{self, From, Stored, Written};

const TYPE: &str = "DocumentReference";

pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let id = answer::id_to_read(TYPE, &call)?;
    let found = records::read(&app.store, &caller.reach, TYPE, &id).await.during("reading a DocumentReference")?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), found.patient_id.as_deref(), TYPE);
    if answer::is_held(&call.head.headers, found.version) {
        return Ok(answer::not_modified(&found));
    }
    if call.head.method != Method::HEAD {
        reading::document_as_stored(app, &caller, &found).await.during("noting that a document was read")?;
    }
    Ok(answer::whole(found))
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
    let text = strict::compacted(&json).map_err(refusal)?;
    let document = Parsed::read(&text, Some(TYPE)).map_err(refusal)?;
    shapes::complete_document(&document).map_err(refusal)?;
    let from = source(&app, &caller, &subject(&app, &document)?).await?;
    contents_in_reach(&app, &caller, &document).await?;
    let id = dice::uuid()?;
    let new = document.ready(&id).map_err(refusal)?;
    let stored = writing::put(&app.store, vec![new], from, caller.now, when::rfc3339(caller.now)).await;
    creation(&app, &caller, &id, stored.during("storing a DocumentReference")?, minimal)
}

/// JSON that cannot be read is a bad request; a resource that breaks a rule is not processed.
fn refusal(fault: Fault) -> Refusal {
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
async fn source(app: &App, caller: &Caller, patient: &str) -> Result<From, ApiStop> {
    let known = records::read(&app.store, &caller.reach, "Patient", patient).await.during("reading the subject")?;
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
            let registered =
                organisations::teams_of_patient(&app.store, patient).await.during("listing the teams of a patient")?;
            let team = registered.into_iter().find(|team| known && teams.contains(&team.id));
            let team = team.ok_or_else(|| refused("a patient of this team"))?;
            Ok(From::source(&Source::Team(team.id), Some(team.organisation)))
        }
    }
}

/// A document opens its Binaries to all who may see the document. So nobody may make one around a Binary that they
/// cannot see themselves, nor around one that is yet to come.
async fn contents_in_reach(app: &App, caller: &Caller, document: &Parsed<'_>) -> Result<(), ApiStop> {
    for id in tokens::binaries(document) {
        let found = records::read_binary(&app.store, &caller.reach, &id).await.during("reading a Binary")?;
        if found.is_none() {
            let why = format!("content refers to Binary/{id}, which is not there or not within this caller's reach");
            return Err(Refusal::Unprocessable(why).into());
        }
    }
    Ok(())
}

fn creation(app: &App, caller: &Caller, id: &str, stored: Vec<Stored>, minimal: bool) -> Result<Response, ApiStop> {
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
