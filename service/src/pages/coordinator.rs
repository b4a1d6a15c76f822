//! `/coordinator/api-access`: a Team Coordinator grants a Tethered-Token System Client access to a team.

use super::new_grant;
use crate::app::{App, Shared};
use crate::callers::sign_in::SignedIn;
use crate::http::forms;
use crate::routes::dispatch::FreeEnd;
use crate::secrets::dice;
use crate::views::Guarded;
use crate::views::grants::{CoordinatorPage, GrantRow, Granted, TeamChoice};
use crate::voices::page::{self, Problem};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use rules::clients::Obtains;
use rules::lifecycle::Revoked;
use rules::params::Params;
use rules::scope::{Scope, UserType};
use store::clients;
use store::grants::{self, Grant, Whose};
use store::organisations::{self, Team};
use store::salt::Salt;
use store::sessions::{self, Holder, Opening};

const PATH: &str = "/coordinator/api-access";

/// What the page shows beside the list of grants.
#[derive(Default)]
struct Around {
    client_id: String,
    problem: Option<String>,
    notice: Option<String>,
    /// A grant made just now, with its refresh token.
    new: Option<(i64, Guarded)>,
}

pub async fn show(State(app): State<Shared>, person: SignedIn, uri: Uri, headers: HeaderMap) -> Response {
    let params = forms::params(uri.query().unwrap_or_default().as_bytes()).unwrap_or_default();
    let notice = params.get("revoked").map(|_| "Access was revoked. The client can no longer use it.".to_owned());
    let answered = async {
        let new = new_grant::find(&app, &person, &headers).await?;
        let is_new = new.is_some();
        let mut response =
            show_page(&app, &person, StatusCode::OK, Around { notice, new, ..Around::default() }).await?;
        if is_new {
            new_grant::forget(&app, &mut response);
        }
        Ok(response)
    };
    let answered = answered.await;
    person.keeps(&app, answered)
}

pub async fn grant(State(app): State<Shared>, person: SignedIn, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let answered = async {
        let params = person.own_form(&app, &parts.headers, body, "grant").await?;
        grant_access(&app, &person, &params).await
    };
    let answered = answered.await;
    person.keeps(&app, answered)
}

pub async fn revoke(State(app): State<Shared>, person: SignedIn, FreeEnd(name): FreeEnd, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // A path that is no text names no grant, so no form can be for it.
    let id = name.unwrap_or_default();
    let answered = async {
        person.own_form(&app, &parts.headers, body, &purpose(&id)).await?;
        let teams = own_teams(&app, &person).await?;
        let id = id.parse().map_err(|_| Problem::not_found())?;
        let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
        grants::revoke(&app.store, id, whose, Revoked::ByCoordinator, person.now).await?;
        Ok(page::see_other(&format!("{PATH}?revoked=1")))
    };
    let answered = answered.await;
    person.keeps(&app, answered)
}

/// Opens the team's session; the page that follows shows its refresh token.
async fn grant_access(app: &App, person: &SignedIn, params: &Params<'_>) -> Result<Response, Problem> {
    let teams = own_teams(app, person).await?;
    let client_id = params.get("client_id").unwrap_or_default().trim().to_owned();
    let client = clients::find(&app.store, &client_id).await?;
    let client = client.filter(|c| c.kind.obtains() == Obtains::CoordinatorGrant && c.disabled_at.is_none());
    let Some(client) = client else {
        let problem =
            "No client that a Team Coordinator can grant access is registered under this Client ID.".to_owned();
        let said = Around { client_id, problem: Some(problem), ..Around::default() };
        return show_page(app, person, StatusCode::BAD_REQUEST, said).await;
    };
    let chosen = match (params.get("team"), teams.as_slice()) {
        (Some(id), teams) => teams.iter().find(|team| team.public_id == id),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(team) = chosen else {
        let said = Around { client_id, problem: Some("Choose one of your teams.".to_owned()), ..Around::default() };
        return show_page(app, person, StatusCode::BAD_REQUEST, said).await;
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
    };
    let id = sessions::open(&app.store, opening, person.now).await?.ok_or_else(Problem::stale_form)?;
    tracing::info!(session = id, client = client.client_id, team = team.public_id, "a team was granted access to");
    let mut response = page::see_other(PATH);
    new_grant::remember(app, person, id, &mut response);
    Ok(response)
}

async fn show_page(app: &App, person: &SignedIn, status: StatusCode, said: Around) -> Result<Response, Problem> {
    let teams = own_teams(app, person).await?;
    let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
    let grants = grants::list(&app.store, &whose, person.now).await?;
    let granted = said.new.and_then(|(id, refresh_token)| {
        let grant = grants.iter().find(|grant| grant.id == id)?;
        Some(Granted {
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
        client_id: said.client_id,
        problem: said.problem,
        notice: said.notice,
        granted,
        grants: grants.iter().map(|grant| row(app, person, grant)).collect(),
    };
    Ok(page::html(status, &page))
}

/// The teams that this person coordinates; anyone else has no business here.
async fn own_teams(app: &App, person: &SignedIn) -> Result<Vec<Team>, Problem> {
    if person.user.user_type != UserType::TeamCoord {
        let wrong = "Only Team Coordinators can grant API access for a team.";
        return Err(Problem::new(403, "Not for this account", wrong, "Sign in with a Team Coordinator’s account."));
    }
    Ok(organisations::teams_of_user(&app.store, person.user.id).await?)
}

/// A form revokes the one grant that it was made for.
fn purpose(id: &str) -> String {
    format!("revoke-grant {id}")
}

fn row(app: &App, person: &SignedIn, grant: &Grant) -> GrantRow {
    let id = grant.id.to_string();
    GrantRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        client_id: grant.client_id.clone(),
        team: grant.team.clone().unwrap_or_default(),
        since: grant.granted_at.into(),
        last_used: grant.last_used_at.map(Into::into),
        ends: grant.ends_at.map(Into::into),
        revoke_action: format!("{PATH}/revoke/{id}"),
        form: person.form(app, &purpose(&id)),
    }
}
