//! Documents: lists by their types, and making one, by what was attached before or together with its files.

use super::body::{self, pairs};
use super::create;
use super::list::{self, ListAsker};
use super::parts::{self, SentParts};
use crate::callers::api::{RestPatient, RestTeamReader, RestTeamWriter};
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::interactions::items::files;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::record::{self, ItemRecord};
use crate::voices::api::ApiStop;
use axum::response::Response;
use views::elements::attachment::Attachment;
use views::kinds::document::Document;
use views::kinds::document_types::DocumentType;
use views::list::{ListQuery, OwnParameter};
use views::sent::{self, Sent, SentItems};
use views::view;

const TYPE: &str = "type";

/// `GET /json/documents`.
pub(crate) async fn own(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let query = asked(&call)?;
    let record = record::of_session(&call.app, &caller).await?;
    listed(ListAsker::of(&caller, &call), &record, &query).await
}

/// `GET /json/documents/forPatient/{patientId}`.
pub(crate) async fn of_patient(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let query = asked(&call)?;
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    listed(ListAsker::of(&caller, &call), &record, &query).await
}

fn asked(call: &Call) -> Result<ListQuery, ApiStop> {
    Ok(view::list_query::<Document>(&pairs(call)?, &[OwnParameter::Word(TYPE, DocumentType::WORDS)])?)
}

async fn listed(asker: ListAsker<'_>, record: &ItemRecord, query: &ListQuery) -> Result<Response, ApiStop> {
    let is_asked = |document: &Document| {
        let is = document.document_type.unwrap_or_default().word();
        query.own(TYPE).is_none_or(|asked| asked == is)
    };
    list::answered::<Document>(asker, record, query, Document::criteria(), is_asked).await
}

/// `POST /json/documents`.
pub(crate) async fn create_own(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let record = record::of_session(&call.app, &caller).await?;
    create(&caller, call, &record).await
}

/// `POST /json/documents/forPatient/{patientId}`.
pub(crate) async fn create_for(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    create(&caller, call, &record).await
}

async fn create(caller: &Caller, call: Call, record: &ItemRecord) -> Result<Response, ApiStop> {
    let Some(boundary) = parts::boundary(&call.head.headers)? else {
        return create::create::<Document>(caller, call, record).await;
    };
    body::no_parameters(&call)?;
    let Call { app, body, .. } = call;
    let SentParts { document, files } = parts::read(&app, boundary, body).await?;
    let mut sent: Sent<Document> = sent::one(&document, Document::demand_beside_files)?;
    let files = files::prepared(&app, caller, record, (sent.item.external_id.as_deref(), files)).await?;
    sent.view.attachments.extend(files.iter().map(|file| Attachment::named(&file.stored.id)));
    create::made_with(&app, caller, record, (&SentItems { items: vec![sent], is_array: false }, files)).await
}
