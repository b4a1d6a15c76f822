//! `PUT /json/{kind}/{id}`: replaces what an item shows, and keeps what it does not.

use super::answer;
use super::body;
use crate::callers::api::{RestPatient, RestTeamWriter, RestWriter};
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::update;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use views::sent;

pub(crate) async fn by_source<K: ItemKind>(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    update::<K>(&caller, call).await
}

/// The same of what only teams write.
pub(crate) async fn by_team<K: ItemKind>(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    update::<K>(&caller, call).await
}

/// The same of what only patients write.
pub(crate) async fn by_patient<K: ItemKind>(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    update::<K>(&caller, call).await
}

async fn update<K: ItemKind>(caller: &Caller, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent = sent::one::<K>(&text, K::demand)?;
    let written = update::update(&app, caller, &id, &sent).await?;
    answer::json(StatusCode::OK, &written.shown)
}
