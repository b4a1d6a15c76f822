//! Attachments: keeping the bytes of one until something holds it, and giving them, by the id of the Binary that has them or of the
//! document that holds it.

use super::answer;
use super::body;
use crate::callers::api::{RestReader, RestWriter};
use crate::documents::content::ContentRecipient;
use crate::documents::sent_file::{self, SentFile};
use crate::http::call::Call;
use crate::http::receipt;
use crate::interactions::attachments;
use crate::interactions::items::record;
use crate::interactions::opened_attachment;
use crate::voices::api::{ApiStop, refusal_of_fault};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use fhir::reference;
use rules::answers::Refusal;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};
use views::list::{ListQuery, OwnParameter};

const PATIENT_ID: &str = "patientId";
const FILE_NAME: &str = "fileName";

/// `POST /json/attachments`: the bytes as they are, in the record of the session or of the patient whom the query names.
pub(crate) async fn keep(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    let own = [OwnParameter::Text(PATIENT_ID), OwnParameter::Text(FILE_NAME)];
    let query = ListQuery::read_only(&body::pairs(&call)?, &[], &own)?;
    let wrong = |name, why: &str| RestError::BadRequest(ShapeFault::Parameter { name, why }.words());
    let name = sent_file::name(query.own(FILE_NAME).unwrap_or_default());
    let name = name.map_err(|fault| wrong(FILE_NAME, &fault.words()))?;
    let record = match (query.own(PATIENT_ID), caller.patient()) {
        (Some(named), _) => record::named(&call.app, &caller, named).await?,
        (None, Some(_)) => record::of_session(&call.app, &caller).await?,
        (None, None) => return Err(wrong(PATIENT_ID, &ValueFault::Empty.words()).into()),
    };
    let media_type = media_type(&call.head.headers)?;
    let most_bytes = call.app.settings.api_body_bytes;
    let bytes = receipt::whole(call.body, most_bytes).await.map_err(|fault| refusal_of_fault(fault, most_bytes))?;
    let kept = attachments::keep(&call.app, &caller, &record, SentFile { name, media_type, bytes }).await?;
    let location = format!("{}/fhir/Binary/{}", call.app.settings.base_url, kept.id);
    Ok(answer::with(answer::json(StatusCode::CREATED, &kept)?, header::LOCATION, location))
}

/// What the bytes are. Parts and forms are no file.
fn media_type(headers: &HeaderMap) -> Result<String, Refusal> {
    let refused = Refusal::UnsupportedMediaType(
        "send the bytes of one file themselves, with one Content-Type that says what they are, for example application/pdf",
    );
    let mut all = headers.get_all(header::CONTENT_TYPE).iter();
    let said = all.next().map(|value| value.to_str().unwrap_or_default());
    match sent_file::media_type(said).filter(|_| all.next().is_none()) {
        Some(media_type) if !media_type.starts_with("multipart/") => Ok(media_type),
        _ => Err(refused),
    }
}

/// `GET /json/attachments/{id}`.
pub async fn give(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    let not_there = || Refusal::NotFound("there is no attachment of this id that this caller may see".into());
    let id = call.part("id").filter(|id| reference::is_id(id)).ok_or_else(not_there)?;
    let to = ContentRecipient { app: &call.app, taker: caller.taker(), head: &call.head };
    let opened = opened_attachment::open(to, &caller, &id).await?;
    Ok(opened.ok_or_else(not_there)?.answer())
}
