//! Messages and conversations: sending, drafts, who has read which; and what belongs together.

use super::answer;
use super::body::{self, pairs};
use super::create;
use super::list::{self, ListAsker};
use super::page_link::{self, ListName};
use crate::app::App;
use crate::callers::api::{RestPatient, RestTeamWriter, RestWriter};
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::interactions::items::record::{self, ItemRecord};
use crate::interactions::messages;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use rules::rest_errors::RestError;
use rules::rest_faults::ShapeFault;
use views::kinds::message::{Message, ReadMark};
use views::list::ListQuery;
use views::sent::{self, Sent};
use views::view::View;

const CONVERSATIONS: &str = "Conversations";
const CONVERSATION: &str = "Conversation";

/// `POST /json/messages`: in the record of the session, or of the patient whom the message names.
pub(crate) async fn create(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent: Sent<Message> = sent::one(&text, Message::demand)?;
    let record: ItemRecord = match (&sent.item.patient_id, caller.reach().record()) {
        (Some(named), _) => record::named(&app, &caller, named).await?,
        (None, Some(_)) => record::of_session(&app, &caller).await?,
        (None, None) => {
            return Err(RestError::BadRequest(ShapeFault::MissingMember("patientId").words()).into());
        }
    };
    let made = messages::send(&app, &caller, &record, sent).await?;
    create::answered(&app, made, false)
}

/// `PUT /json/messages/{id}`: a draft of the caller's own.
pub(crate) async fn change(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent = sent::one(&text, Message::demand)?;
    let written = messages::change(&app, &caller, &id, sent).await?;
    answer::json(StatusCode::OK, &written.shown)
}

/// `DELETE /json/messages/{id}`.
pub(crate) async fn delete(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    messages::drop_draft(&call.app, &caller, &id).await?;
    Ok(answer::nothing())
}

/// `POST /json/messages/{id}/read`.
pub(crate) async fn read(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let mark: ReadMark = sent::body(&text)?;
    let missing = || RestError::BadRequest(ShapeFault::MissingMember("read").words());
    let shown = messages::read(&app, &caller, &id, mark.read.ok_or_else(missing)?).await?;
    answer::json(StatusCode::OK, &shown)
}

/// `GET /json/conversations`.
pub(crate) async fn own(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read(&pairs(&call)?, &[])?;
    let record = record::of_session(&call.app, &caller).await?;
    conversations((&call.app, &caller), ListAsker::of(&caller, &call), &record, query).await
}

/// `GET /json/conversations/forPatient/{patientId}`.
pub(crate) async fn of_patient(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read(&pairs(&call)?, &[])?;
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    conversations((&call.app, &caller), ListAsker::of(&caller, &call), &record, query).await
}

/// Those of a record, page by page.
async fn conversations(
    (app, caller): (&App, &Caller),
    asker: ListAsker<'_>,
    record: &ItemRecord,
    query: ListQuery,
) -> Result<Response, ApiStop> {
    let of = ListName { kind: CONVERSATIONS, patient: &record.patient };
    let after = query.after.as_deref().map(|after| page_link::open(&app.keys, caller, of, after)).transpose()?;
    let (told, next) = messages::conversations(app, caller, record, (query, after.as_ref())).await?;
    list::linked(asker, of, &told, next.as_ref())
}

/// `GET /json/conversations/{id}`: its messages, the oldest first.
pub(crate) async fn one(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read_only(&pairs(&call)?, &["limit", "after"], &[])?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let of = ListName { kind: CONVERSATION, patient: &id };
    let after = query.after.as_deref().map(|after| page_link::open(&call.app.keys, &caller, of, after)).transpose()?;
    let (messages, next) = messages::conversation(&call.app, &caller, &id, (query.limit, after.as_ref())).await?;
    list::linked(ListAsker::of(&caller, &call), of, &messages, next.as_ref())
}
