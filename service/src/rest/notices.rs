//! Notices: what the caller was told, and that it was seen.

use super::answer;
use super::body::{self, pairs};
use crate::callers::api::RestReader;
use crate::callers::notice_reader::NoticeReader;
use crate::http::call::Call;
use crate::interactions::notices;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use rules::moment::Moment;
use views::list::{ListQuery, OwnParameter};

const UNSEEN: &str = "unseen";

/// `GET /json/notices`.
pub(crate) async fn list(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read_only(&pairs(&call)?, &["since"], &[OwnParameter::Flag(UNSEEN)])?;
    let since = query.since.as_ref().map(|(_, span)| Moment(span.low.div_euclid(1000)));
    answer::json(
        StatusCode::OK,
        &notices::list(&call.app, &NoticeReader::of_caller(&caller), since, query.flag(UNSEEN)).await?,
    )
}

/// `POST /json/notices/{id}/seen`.
pub(crate) async fn seen(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default();
    answer::json(StatusCode::OK, &notices::see(&call.app, &caller, &id).await?)
}
