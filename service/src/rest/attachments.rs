//! `GET /json/attachments/{id}`: the content of a document, by the id of the document or of the Binary that holds it.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::RestReader;
use crate::callers::caller::Caller;
use crate::documents::content::{self, Content, ContentPlace, ContentRecipient};
use crate::documents::reading;
use crate::http::call::Call;
use crate::interactions::noted::Noted;
use crate::interactions::read;
use crate::interactions::releases;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::reference;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::ids::RowId;

const NOTING: &str = "noting that a document was read";

/// A content, and through what it was found.
struct Attachment {
    content: Content,
    binary: Option<Noted>,
    document: Option<RowId>,
}

pub async fn give(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    let not_there = || Refusal::NotFound("there is no attachment of this id that this caller may see".into());
    let id = call.part("id").filter(|id| reference::is_id(id)).ok_or_else(not_there)?;
    let to = ContentRecipient { app: &call.app, taker: caller.taker(), head: &call.head };
    let found = match binary(to, &caller, &id).await? {
        Some(found) => Some(found),
        None => document(to, &caller, &id).await?,
    };
    let Some(Attachment { content, binary, document }) = found else {
        read::found_none(&call.app, &caller, &[ResourceType::Binary, ResourceType::DocumentReference], &id);
        return Err(not_there().into());
    };
    let delivery = content.begin(to, binary.as_ref().map(|binary| binary.version)).await?;
    if to.opens() {
        note_opened(&call.app, &caller, binary.as_ref(), document).await.during(NOTING)?;
    }
    Ok(delivery.answer())
}

async fn note_opened(app: &App, caller: &Caller, binary: Option<&Noted>, document: Option<RowId>) -> store::Result<()> {
    if let Some(binary) = binary {
        reading::binary(app, caller, &binary.id).await?;
    }
    match document {
        Some(document) => reading::document(app, caller, document).await,
        None => Ok(()),
    }
}

async fn binary(to: ContentRecipient<'_>, caller: &Caller, id: &str) -> Result<Option<Attachment>, ApiStop> {
    releases::of_binary(to.app, caller, id).await?;
    let Some(found) = read::if_there(to.app, caller, ResourceType::Binary, id).await? else { return Ok(None) };
    let content = Content::of_binary(to, &found).await?;
    Ok(Some(Attachment { content, binary: Some(found), document: None }))
}

async fn document(to: ContentRecipient<'_>, caller: &Caller, id: &str) -> Result<Option<Attachment>, ApiStop> {
    let app = to.app;
    // Of an older release a document may have a large content inside.
    app.response_budget.has_room(to.taker)?;
    let found = read::if_there(app, caller, ResourceType::DocumentReference, id).await?;
    let Some(found) = found else { return Ok(None) };
    let document = Some(found.row);
    match content::place(&found.body, &base(&app.settings.base_url)) {
        Some(ContentPlace::Inside(content)) => {
            releases::of_document(app, caller, (found.row, &found.id)).await?;
            Ok(Some(Attachment { content, binary: None, document }))
        }
        Some(ContentPlace::InBinary { id, title }) => Ok(binary(to, caller, &id).await?.map(|found| Attachment {
            content: found.content.titled(title),
            document,
            ..found
        })),
        None => Ok(None),
    }
}
