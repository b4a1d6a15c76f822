//! `DELETE /json/{kind}/{id}`: the item is gone from both APIs; its history stays.

use super::answer;
use super::body;
use crate::callers::api::{RestPatient, RestTeamWriter, RestWriter};
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::removal;
use crate::voices::api::ApiStop;
use axum::response::Response;

pub(crate) async fn by_source<K: ItemKind>(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    delete::<K>(&caller, call).await
}

/// The same of what only teams write.
pub(crate) async fn by_team<K: ItemKind>(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    delete::<K>(&caller, call).await
}

/// The same of what only patients write.
pub(crate) async fn by_patient<K: ItemKind>(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    delete::<K>(&caller, call).await
}

async fn delete<K: ItemKind>(caller: &Caller, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, .. } = call;
    removal::delete::<K>(&app, caller, &id).await?;
    Ok(answer::nothing())
}
