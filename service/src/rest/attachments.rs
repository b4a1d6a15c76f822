//! `GET /json/attachments/{id}`: the content of a document, by the id of the document or of the Binary that holds it.

use crate::app::{App, Shared};
use crate::callers::caller::{Caller, RestCaller};
use crate::documents::content::{self, Content, Held};
use crate::documents::reading;
use crate::reference;
use crate::routes::dispatch::FreeEnd;
use crate::voices::api::Rest;
use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use rules::answers::Refusal;
use store::records;

pub async fn read(
    State(app): State<Shared>,
    RestCaller(caller): RestCaller,
    FreeEnd(name): FreeEnd,
    method: Method,
) -> Result<Response, Rest> {
    let not_there = || Refusal::NotFound("there is no attachment of this id that this caller may see".into());
    let id = name.filter(|id| reference::is_id(id)).ok_or_else(not_there)?;
    let opens = method != Method::HEAD;
    let content = match binary(&app, &caller, &id, opens).await? {
        Some(content) => Some(content),
        None => document(&app, &caller, &id, opens).await?,
    };
    Ok(content.ok_or_else(not_there)?.answer())
}

async fn binary(app: &App, caller: &Caller, id: &str, opens: bool) -> Result<Option<Content>, Rest> {
    let found = records::read_binary(&app.store, &caller.reach, id).await?;
    let Some(found) = found else { return Ok(None) };
    app.accesses.note(&caller.viewer(), found.patient_id.as_deref(), "Binary");
    if opens {
        reading::binary(app, caller, id).await?;
    }
    Ok(Some(Content::of_binary(&found.body)))
}

async fn document(app: &App, caller: &Caller, id: &str, opens: bool) -> Result<Option<Content>, Rest> {
    let found = records::read(&app.store, &caller.reach, "DocumentReference", id).await?;
    let Some(found) = found else { return Ok(None) };
    app.accesses.note(&caller.viewer(), found.patient_id.as_deref(), "DocumentReference");
    let content = match content::held(&found.body) {
        Some(Held::Inside(content)) => Some(content),
        Some(Held::InBinary { id, title }) => {
            binary(app, caller, &id, opens).await?.map(|content| Content { title, ..content })
        }
        None => None,
    };
    if opens && content.is_some() {
        reading::document(app, caller, found.row).await?;
    }
    Ok(content)
}
