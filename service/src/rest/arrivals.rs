//! `GET /json/messages/after/{time}`: what was stored since somebody asked last.

use super::answer;
use super::body::pairs;
use crate::callers::api::RestWriter;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::arrivals::{self, ArrivalsRequest};
use crate::interactions::items::record;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::values::date::DateTime;
use rules::moment::Moment;
use rules::rest_errors::RestError;
use rules::rest_faults::{ARRIVALS, ShapeFault, ValueFault};
use views::json_object;
use views::kinds::document::Document;
use views::kinds::message::Message;
use views::list::{ListQuery, OwnParameter};
use views::view::Shown;

const PATIENT_ID: &str = "patientId";

json_object! {
    #[derive(Debug)]
    pub(crate) struct MessagesAfter {
        "messages" => messages: Vec<Shown<Message>>,
        "documents" => documents: Vec<Shown<Document>>,
        "nextTime" => next_time: String,
    }
}

pub(crate) async fn after(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read_only(&pairs(&call)?, &["limit"], &[OwnParameter::Text(PATIENT_ID)])?;
    let time = time(&call.part("time").unwrap_or_default())?;
    let record = match (query.own(PATIENT_ID), caller.patient()) {
        (Some(named), _) => Some(record::named(&call.app, &caller, named).await?),
        (None, Some(_)) => Some(record::of_session(&call.app, &caller).await?),
        (None, None) => None,
    };
    let asked = ArrivalsRequest { time, record: record.as_ref(), limit: query.limit.unwrap_or(ARRIVALS) };
    let arrived = arrivals::after(&call.app, &caller, asked).await?;
    let (messages, documents) = (arrived.messages, arrived.documents);
    answer::json(StatusCode::OK, &MessagesAfter { messages, documents, next_time: when::rfc3339(arrived.next) })
}

/// A moment: milliseconds since 1970, or as RFC 3339 writes it. What is finer than a millisecond is cut off, so that nothing of it
/// is missed.
fn time(text: &str) -> Result<Moment, RestError> {
    let is_count = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let moment = match is_count {
        true => text.parse().ok().filter(|count| *count <= LAST).map(Moment),
        false => DateTime::read(text).filter(DateTime::is_instant).and_then(|_| when::of_instant(text)),
    };
    moment.ok_or_else(|| {
        let why = ValueFault::NoMomentOrCount.words();
        RestError::BadRequest(ShapeFault::Parameter { name: "time", why: &why }.words())
    })
}

/// The last millisecond that a calendar of four digits has.
const LAST: i64 = 253_402_300_799_999;
