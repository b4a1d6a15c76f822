//! `GET /json/{kind}/{id}`: one item.

use super::answer;
use super::body;
use crate::callers::api::RestReader;
use crate::http::call::Call;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::one;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;

pub(crate) async fn by_id<K: ItemKind>(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    answer::json(StatusCode::OK, &one::read::<K>(&call.app, &caller, &id).await?)
}
