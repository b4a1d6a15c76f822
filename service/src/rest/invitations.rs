//! `/json/users/{id}/recordAccessToken`: invites a patient to make an account.

use super::answer;
use super::body;
use crate::callers::api::RestTeamReader;
use crate::http::call::Call;
use crate::interactions::invitation;
use crate::interactions::items::record;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;

pub(crate) async fn invite(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let record = record::named(&call.app, &caller, &call.part("id").unwrap_or_default()).await?;
    answer::json(StatusCode::OK, &invitation::make(&call.app, &caller, &record).await?)
}
