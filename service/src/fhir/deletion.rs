//! `DELETE /fhir/{type}/{id}`, of every type: what was there stays in its history.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::{answer, authority, conditions, media, query};
use crate::http::call::Call;
use crate::voices::api::{ApiStop, NO_STORE};
use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use store::deletion::{self, Deletion};
use store::write::Demand;

pub async fn delete(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let Call { app, head, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let version = one(&app, &caller, (resource_type, &id), demand).await?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    answer::put(response.headers_mut(), header::ETAG, format!("W/\"{version}\""));
    response.headers_mut().extend([NO_STORE]);
    Ok(response)
}

/// Deletes one resource, and tells the version that says so. To delete it again changes nothing.
pub(super) async fn one(
    app: &App,
    caller: &Caller,
    (resource_type, id): (ResourceType, &str),
    demand: Demand,
) -> Result<i64, ApiStop> {
    authority::permit_type(caller, resource_type)?;
    // What a System Client could make under this id is not there, and cannot be deleted.
    let source = authority::of_existing(app, caller, (resource_type, id)).await?;
    let source = source.ok_or_else(|| answer::not_there(resource_type))?;
    let store = app.store.by(caller.author());
    let deleted = deletion::delete(&store, (resource_type, id.to_owned()), source, demand, caller.now).await;
    match deleted.during("deleting a resource")? {
        Deletion::Version(version) | Deletion::Before(version) => Ok(version),
        Deletion::OtherVersion(version) => Err(conditions::not_met(version).into()),
        Deletion::OtherSource | Deletion::NotThere => Err(Refusal::into(answer::not_there(resource_type))),
    }
}
