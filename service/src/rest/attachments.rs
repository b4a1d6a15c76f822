//! `GET /json/attachments/{id}`: the content of a document, by the id of the document or of the Binary that holds it.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::RestReader;
use crate::callers::caller::Caller;
use crate::documents::content::{self, Content, ContentPlace};
use crate::documents::reading;
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::http::Method;
use axum::response::Response;
use fhir::reference;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use store::read as records;

const NOTING: &str = "noting that a document was read";

pub async fn read(RestReader(caller): RestReader, call: Call) -> Result<Response, ApiStop> {
    let not_there = || Refusal::NotFound("there is no attachment of this id that this caller may see".into());
    let id = call.part("id").filter(|id| reference::is_id(id)).ok_or_else(not_there)?;
    let opens = call.head.method != Method::HEAD;
    call.app.unread.has_room(caller.taker())?;
    let content = match binary(&call.app, &caller, &id, opens).await? {
        Some(content) => Some(content),
        None => document(&call.app, &caller, &id, opens).await?,
    };
    Ok(content.ok_or_else(not_there)?.answer())
}

async fn binary(app: &App, caller: &Caller, id: &str, opens: bool) -> Result<Option<Content>, ApiStop> {
    let found = records::read(&app.store, &caller.reach, ResourceType::Binary, id, caller.now)
        .await
        .during("reading a Binary")?;
    let Some(found) = found else { return Ok(None) };
    app.accesses.note(&caller.viewer(), &found);
    let _room = app.unread.room(caller.taker(), found.body.len())?;
    if opens {
        reading::binary(app, caller, id).await.during(NOTING)?;
    }
    Ok(Some(Content::of_binary(&found.body)))
}

async fn document(app: &App, caller: &Caller, id: &str, opens: bool) -> Result<Option<Content>, ApiStop> {
    let found = records::read(&app.store, &caller.reach, ResourceType::DocumentReference, id, caller.now)
        .await
        .during("reading a DocumentReference")?;
    let Some(found) = found else { return Ok(None) };
    app.accesses.note(&caller.viewer(), &found);
    let _room = app.unread.room(caller.taker(), found.body.len())?;
    let content = match content::place(&found.body, &base(&app.settings.base_url)) {
        Some(ContentPlace::Inside(content)) => Some(content),
        Some(ContentPlace::InBinary { id, title }) => {
            binary(app, caller, &id, opens).await?.map(|content| Content { title, ..content })
        }
        None => None,
    };
    if opens && content.is_some() {
        reading::document(app, caller, found.row).await.during(NOTING)?;
    }
    Ok(content)
}
