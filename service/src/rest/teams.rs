//! Teams: those of the caller, and the patients of one.

use super::answer;
use super::body::{self, pairs};
use super::list::{self, ListAsker};
use super::page_link::{self, ListName};
use crate::callers::api::RestTeamReader;
use crate::http::call::Call;
use crate::interactions::teams;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::PatientId;
use rules::rest_faults::TEAM_PATIENTS;
use store::reach::in_care::CareState;
use views::kinds::team::CareWord;
use views::list::{ListQuery, OwnParameter};
use views::order::ListKey;

const STATE: &str = "state";

/// `GET /json/teams/mine`.
pub(crate) async fn mine(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    answer::json(StatusCode::OK, &teams::mine(&call.app, &caller).await?)
}

/// `GET /json/teams/{teamId}/patients`.
pub(crate) async fn patients(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let own = [OwnParameter::Word(STATE, CareWord::WORDS)];
    let query = ListQuery::read_only(&pairs(&call)?, &["limit", "after"], &own)?;
    let id = call.part("teamId").unwrap_or_default();
    let team = teams::own(&call.app, &caller, &id).await?;
    let state = match query.own(STATE).and_then(CareWord::named).unwrap_or_default() {
        CareWord::Current => CareState::Current,
        CareWord::Past => CareState::Past,
        CareWord::All => CareState::All,
    };
    let of = ListName { kind: "teamPatients", patient: &id };
    let after = query.after.as_deref().map(|after| page_link::open(&call.app.keys, &caller, of, after)).transpose()?;
    let before = after.and_then(|key| key.id.parse().ok()).map(PatientId);
    let limit = query.limit.unwrap_or(TEAM_PATIENTS);
    let (shown, next) = teams::patients(&call.app, &caller, (team, state), before, limit).await?;
    let next = next.map(|next| ListKey { date: None, id: next.0.to_string() });
    list::linked(ListAsker::of(&caller, &call), of, &shown, next.as_ref())
}
