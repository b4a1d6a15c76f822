//! `/coordinator/api-access`: a Team Coordinator grants a Tethered-Token System Client access to a team.

use super::new_grant;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::people::CoordinatorSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::secrets::dice;
use crate::views::grants::{CoordinatorPage, GrantRow, GranterText, NewTeamGrant, TeamChoice};
use crate::views::{GuardedText, TimeText};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::clients::Obtains;
use rules::ids::SessionId;
use rules::lifecycle::Revoked;
use rules::params::Params;
use rules::scope::Scope;
use store::clients;
use store::grants::{self, Grant, Whose};
use store::opening::{self, Holder, Opening};
use store::organisations::{self, Team};
use store::salt::Salt;

const PATH: &str = "/coordinator/api-access";

/// What the page shows beside the list of grants.
#[derive(Default)]
struct Surroundings {
    client_id: String,
    problem: Option<String>,
    notice: Option<String>,
    /// A grant made just now, with its refresh token.
    new: Option<(SessionId, GuardedText)>,
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

pub async fn grant(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let grant = async {
        let params = person.own_form(&app, &head.headers, body, "grant").await?;
        grant_access(&app, &person, &params).await
    };
    let answer = grant.await;
    person.keep(&app, answer)
}

pub async fn revoke(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    // A path that is no text names no grant, so no form can be for it.
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let revocation = async {
        person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        let teams = own_teams(&app, &person).await?;
        let id = id.parse().map_err(|_| Problem::not_found())?;
        let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
        grants::revoke(&app.store, id, whose, Revoked::ByCoordinator, person.now).await.during("revoking a grant")?;
        Ok(page::see_other(&format!("{PATH}?revoked=1")))
    };
    let answer = revocation.await;
    person.keep(&app, answer)
}

/// Opens the team's session; the page that follows shows its refresh token.
async fn grant_access(app: &App, person: &SignIn, params: &Params<'_>) -> Result<Response, PageStop> {
    let teams = own_teams(app, person).await?;
    let client_id = params.get("client_id").unwrap_or_default().trim().to_owned();
    let client = clients::find(&app.store, &client_id).await.during("looking the client up")?;
    let client = client.filter(|c| c.kind.obtains() == Obtains::CoordinatorGrant && c.disabled_at.is_none());
    let Some(client) = client else {
        let problem =
            "No client that a Team Coordinator can grant access is registered under this Client ID.".to_owned();
        let around = Surroundings { client_id, problem: Some(problem), ..Surroundings::default() };
        return show_page(app, person, StatusCode::BAD_REQUEST, around).await;
    };
    let chosen = match (params.get("team"), teams.as_slice()) {
        (Some(id), teams) => teams.iter().find(|team| team.public_id == id),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(team) = chosen else {
        let around = Surroundings {
            client_id,
            problem: Some("Choose one of your teams.".to_owned()),
            ..Surroundings::default()
        };
        return show_page(app, person, StatusCode::BAD_REQUEST, around).await;
    };
    let opening = Opening {
        salt: Salt::new(dice::bytes()?),
        client: client.id,
        holder: Holder::Team { team: team.id, coordinator: person.user.id },
        scope: Scope::Site,
        scope_spelt: None,
        code: None,
        session_seconds: client.session_seconds,
        form: None,
        login: None,
    };
    let id = opening::open(&app.store, opening, person.now)
        .await
        .during("opening a session")?
        .ok_or_else(Problem::stale_form)?;
    tracing::info!(session = id.0, client = client.client_id, team = team.public_id, "a team was granted access to");
    let mut response = page::see_other(PATH);
    new_grant::remember(app, person, id, &mut response);
    Ok(response)
}

async fn show_page(app: &App, person: &SignIn, status: StatusCode, around: Surroundings) -> Result<Response, PageStop> {
    let teams = own_teams(app, person).await?;
    let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
    let grants = grants::list(&app.store, &whose, person.now).await.during("listing grants")?;
    let granted = around.new.and_then(|(id, refresh_token)| {
        let grant = grants.iter().find(|grant| grant.id == id)?;
        Some(NewTeamGrant {
            product: grant.product.clone(),
            owner: grant.owner.clone(),
            team: grant.team.clone().unwrap_or_default(),
            refresh_token,
        })
    });
    let page = CoordinatorPage {
        frame: person.frame(app),
        teams: teams
            .iter()
            .map(|team| TeamChoice { id: team.public_id.clone(), name: team.name.clone(), chosen: false })
            .collect(),
        form: person.form(app, "grant"),
        client_id: around.client_id,
        problem: around.problem,
        notice: around.notice,
        granted,
        grants: grants.iter().map(|grant| row(app, person, grant)).collect(),
    };
    Ok(page::html(status, &page))
}

/// The teams that this person coordinates.
async fn own_teams(app: &App, person: &SignIn) -> Result<Vec<Team>, PageStop> {
    Ok(organisations::teams_of_user(&app.store, person.user.id).await.during("listing a coordinator's teams")?)
}

/// A form revokes the one grant that it was made for.
fn purpose(id: &str) -> String {
    format!("revoke-grant {id}")
}

fn row(app: &App, person: &SignIn, grant: &Grant) -> GrantRow {
    let id = grant.id.to_string();
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    GrantRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        client_id: grant.client_id.clone(),
        team: grant.team.clone().unwrap_or_default(),
        granter: grant
            .granter
            .as_ref()
            .map(|granter| GranterText { name: granter.name.clone(), has_left: granter.has_left }),
        since: shown(grant.granted_at),
        last_used: grant.last_used_at.map(shown),
        ends: grant.ends_at.map(shown),
        revoke_action: format!("{PATH}/revoke/{id}"),
        form: person.form(app, &purpose(&id)),
    }
}
