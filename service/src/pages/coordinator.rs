//! `/coordinator/api-access`: who has access to a Team Coordinator's teams; where a grant begins, and where one ends.

use super::grant_list::{self, GrantList};
use super::new_grant;
use super::team_access::{PATH, purpose, row, teams};
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
use store::grants::{self, Whose};
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
    /// Where the page begins that was asked for.
    before: Option<SessionId>,
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
    let before = grant_list::before(&params);
    let list = async {
        let new = new_grant::find(&app, &person, &head.headers).await?;
        let is_new = new.is_some();
        let around = Surroundings { notice, new, before: Some(before), ..Surroundings::default() };
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
    let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
    let before = around.before.unwrap_or(grants::NEWEST);
    let GrantList { grants, older } = grant_list::read(app, &whose, before, PATH, person.now).await?;
    let granted = match around.new {
        Some((id, refresh_token)) => new_team_grant(app, person, &whose, id, refresh_token).await?,
        None => None,
    };
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
        older,
    };
    Ok(page::html(status, &page))
}

/// The grant that was made just now. It is the newest by all that is likely; should a clock have been set back, it is on
/// another page, and its token must be shown all the same.
async fn new_team_grant(
    app: &App,
    person: &SignIn,
    whose: &Whose,
    id: SessionId,
    refresh_token: GuardedText,
) -> Result<Option<NewTeamGrant>, PageStop> {
    let behind = SessionId(id.0.saturating_add(1));
    let found = grants::page(&app.store, whose, behind, 1, person.now).await.during("looking at the new grant")?;
    Ok(found.into_iter().find(|grant| grant.id == id).map(|grant| NewTeamGrant {
        product: grant.product,
        owner: grant.owner,
        team: grant.team.unwrap_or_default(),
        refresh_token,
    }))
}
