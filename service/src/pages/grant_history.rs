//! `/coordinator/api-access/history`: every grant of a Team Coordinator's teams, who gave it, and who or what ended it.

use super::ending;
use super::team_access::{PATH, granter, teams};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::people::CoordinatorSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::TimeText;
use crate::views::grants::{EndText, GrantHistoryPage, HistoryRow};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::SessionId;
use rules::limits::LIST_LINES;
use rules::moment::Moment;
use store::ended_grants;
use store::grants::Grant;

pub async fn show(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = params.get("before").and_then(|id| id.parse().ok()).unwrap_or(i64::MAX);
    let answer = list(&call.app, &person, SessionId(before)).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, before: SessionId) -> Result<Response, PageStop> {
    let teams: Vec<_> = teams(app, person).await?.iter().map(|team| team.id).collect();
    let one_more = i64::try_from(LIST_LINES + 1).unwrap_or(i64::MAX);
    let grants = ended_grants::of_teams(&app.store, &teams, before, one_more).await.during("listing past grants")?;
    let older = grants.get(LIST_LINES - 1).filter(|_| grants.len() > LIST_LINES);
    let page = GrantHistoryPage {
        frame: person.frame(app, PATH),
        rows: grants.iter().take(LIST_LINES).map(|grant| row(app, grant, person.now)).collect(),
        older: older.map(|last| format!("{PATH}/history?before={}", last.id)),
    };
    Ok(page::html(StatusCode::OK, &page))
}

fn row(app: &App, grant: &Grant, now: Moment) -> HistoryRow {
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    let end = ending::of(grant).filter(|(at, _)| now.is_past(*at) || grant.revoked_at.is_some());
    HistoryRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        client_id: grant.client_id.clone(),
        team: grant.team.clone().unwrap_or_default(),
        granter: granter(grant),
        since: shown(grant.granted_at),
        end: end.map(|(at, why)| EndText { at: shown(at), why: why.to_owned(), by: grant.ender.clone() }),
    }
}
