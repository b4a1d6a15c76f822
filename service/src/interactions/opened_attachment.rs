//! The content of an attachment on its way to whoever opens it, found by the id of the Binary that has it or of the document that
//! holds it. That its patient has read the document is noted before anything of it is sent.

use super::noted::Noted;
use super::{attachments, read, releases};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::documents::content::{self, Content, ContentPlace, ContentRecipient, Delivery};
use crate::documents::reading;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::ids::RowId;

const NOTING: &str = "noting that a document was read";

/// A content, and through what it was found.
struct FoundAttachment {
    content: Content,
    binary: Option<Noted>,
    document: Option<RowId>,
}

/// Begins to send what this id names; none where it names nothing that the caller may see.
pub(crate) async fn open(to: ContentRecipient<'_>, caller: &Caller, id: &str) -> Result<Option<Delivery>, ApiStop> {
    let found = match binary(to, caller, id).await? {
        Some(found) => Some(found),
        None => document(to, caller, id).await?,
    };
    let Some(FoundAttachment { content, binary, document }) = found else {
        read::found_none(to.app, caller, &[ResourceType::Binary, ResourceType::DocumentReference], id);
        return Ok(None);
    };
    let delivery = content.begin(to, binary.as_ref().map(|binary| binary.version)).await?;
    if to.opens() {
        note_opened(to.app, caller, binary.as_ref(), document).await.during(NOTING)?;
    }
    Ok(Some(delivery))
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

async fn binary(to: ContentRecipient<'_>, caller: &Caller, id: &str) -> Result<Option<FoundAttachment>, ApiStop> {
    releases::of_binary(to.app, caller, id).await?;
    let Some(found) = read::if_there(to.app, caller, ResourceType::Binary, id).await? else { return Ok(None) };
    let title = attachments::name(to.app, caller, &found).await?;
    let content = Content::of_binary(to, &found).await?.titled(title);
    Ok(Some(FoundAttachment { content, binary: Some(found), document: None }))
}

async fn document(to: ContentRecipient<'_>, caller: &Caller, id: &str) -> Result<Option<FoundAttachment>, ApiStop> {
    let app = to.app;
    // Of an older release a document may have a large content inside.
    app.response_budget.has_room(to.taker)?;
    let found = read::if_there(app, caller, ResourceType::DocumentReference, id).await?;
    let Some(found) = found else { return Ok(None) };
    let document = Some(found.row);
    match content::place(&found.body, &base(&app.settings.base_url)) {
        Some(ContentPlace::Inside(content)) => {
            releases::of_document(app, caller, (found.row, &found.id)).await?;
            Ok(Some(FoundAttachment { content, binary: None, document }))
        }
        Some(ContentPlace::InBinary { id, title }) => Ok(binary(to, caller, &id).await?.map(|found| FoundAttachment {
            content: found.content.titled(title),
            document,
            ..found
        })),
        None => Ok(None),
    }
}
