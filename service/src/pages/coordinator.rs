//! `/coordinator/api-access`: who has access to a Team Coordinator's teams; where a grant begins, and where one ends.

use super::new_grant;
use super::team_access::{PATH, live, purpose, row, teams};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::people::CoordinatorSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::GuardedText;
use crate::views::grants::{CoordinatorPage, NewTeamGrant, TeamChoice};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::SessionId;
use store::team_grants;

/// What the page shows beside the list of grants.
#[derive(Default)]
pub(super) struct Surroundings {
    client_id: String,
    /// The team that was chosen, if one was.
    team: Option<String>,
    problem: Option<&'static str>,
    notice: Option<String>,
    /// A grant made just now, with its refresh token.
    new: Option<(SessionId, GuardedText)>,
}

impl Surroundings {
    /// What was filled in cannot be granted.
    pub(super) fn of_problem(client_id: &str, team: Option<&str>, problem: &'static str) -> Self {
        let (client_id, team) = (client_id.to_owned(), team.map(String::from));
        Self { client_id, team, problem: Some(problem), ..Self::default() }
    }
}

pub async fn show(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, .. } = call;
    let params =
        forms::params(head.uri.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("revoked").map(|_| "Access was revoked. The client can no longer use it.".to_owned());
    let list = async {
        let new = new_grant::find(&app, &person, &head.headers).await?;
        let is_new = new.is_some();
        let around = Surroundings { notice, new, ..Surroundings::default() };
        let mut response = show_page(&app, &person, StatusCode::OK, around).await?;
        if is_new {
            new_grant::forget(&app, &mut response);
        }
        Ok(response)
    };
    let answer = list.await;
    person.keep(&app, answer)
}

pub async fn revoke(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    // A path that is no text names no grant, so no form can be for it.
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let revocation = async {
        person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        let teams = teams(&app, &person).await?.iter().map(|team| team.id).collect();
        let id = id.parse().map_err(|_| Problem::not_found())?;
        team_grants::end(&app.store, id, teams, person.user.id, person.now).await.during("revoking a grant")?;
        Ok(page::see_other(&format!("{PATH}?revoked=1")))
    };
    let answer = revocation.await;
    person.keep(&app, answer)
}

pub(super) async fn show_page(
    app: &App,
    person: &SignIn,
    status: StatusCode,
    around: Surroundings,
) -> Result<Response, PageStop> {
    let teams = teams(app, person).await?;
    let grants = live(app, &teams, person.now).await?;
    let granted = around.new.and_then(|(id, refresh_token)| {
        let grant = grants.iter().find(|grant| grant.id == id)?;
        Some(NewTeamGrant {
            product: grant.product.clone(),
            owner: grant.owner.clone(),
            team: grant.team.clone().unwrap_or_default(),
            refresh_token,
        })
    });
    let choice = |team: &store::organisations::Team| TeamChoice {
        id: team.public_id.clone(),
        name: team.name.clone(),
        chosen: around.team.as_ref() == Some(&team.public_id),
    };
    let page = CoordinatorPage {
        frame: person.frame(app, PATH),
        teams: teams.iter().map(choice).collect(),
        client_id: around.client_id,
        problem: around.problem.map(String::from),
        notice: around.notice,
        granted,
        grants: grants.iter().map(|grant| row(app, person, grant)).collect(),
    };
    Ok(page::html(status, &page))
}
