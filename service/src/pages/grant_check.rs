//! The check before a Team Coordinator's grant, `/coordinator/api-access/check`, and the grant itself: partner, owner, what it
//! may do and for how long, and what becomes of the access that it has already.

use super::coordinator::{Surroundings, show_page};
use super::new_grant;
use super::team_access::{PATH, live, row, teams};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::people::CoordinatorSignIn;
use crate::callers::sign_in::SignIn;
use crate::formats::when;
use crate::http::call::Call;
use crate::http::forms;
use crate::secrets::dice;
use crate::views::grants::GrantCheckPage;
use crate::views::{GuardedText, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::clients::Obtains;
use rules::guidance::promises::Promises;
use rules::guidance::served::Served;
use rules::limits::FORM_SECONDS;
use rules::moment::Moment;
use rules::params::Params;
use rules::scope::Scope;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::clients::{self, Client};
use store::opening::{Holder, Opening, SessionChoice, SpentForm};
use store::organisations::Team;
use store::salt::Salt;
use store::team_grants;

const PURPOSE: &str = "grant";

/// What is about to be granted, sealed in the page that asks: it grants once, and nothing but what it showed.
#[derive(Debug, Serialize, Deserialize)]
struct GrantCheck {
    grant_check: i64,
    client_id: String,
    team: String,
    expires_at: i64,
}

/// A client and a team for it.
struct Plan {
    client: Arc<Client>,
    team: Team,
}

pub async fn show(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, served, .. } = call;
    let params =
        forms::params(head.uri.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let check = async {
        person.must_have_proven(head.uri.path_and_query().map_or(PATH, |asked| asked.as_str()))?;
        let client_id = params.get("client_id").unwrap_or_default().trim();
        match plan(&app, &person, client_id, params.get("team")).await? {
            Ok(plan) => ask(&app, &person, &plan, served, None).await,
            Err(around) => show_page(&app, &person, StatusCode::BAD_REQUEST, around).await,
        }
    };
    let answer = check.await;
    person.keep(&app, answer)
}

pub async fn grant(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, served, .. } = call;
    let grant = async {
        let params = person.own_form(&app, &head.headers, body, PURPOSE).await?;
        person.must_have_proven(PATH)?;
        let check: Option<GrantCheck> = params.get("check").and_then(|sealed| forms::open(&app, sealed));
        let check = check.filter(|check| !person.now.is_past(Moment(check.expires_at)));
        let check = check.ok_or_else(Problem::stale_form)?;
        match plan(&app, &person, &check.client_id, Some(&check.team)).await? {
            Ok(plan) => grant_access(&app, &person, &plan, &check, &params, served).await,
            Err(around) => show_page(&app, &person, StatusCode::BAD_REQUEST, around).await,
        }
    };
    let answer = grant.await;
    person.keep(&app, answer)
}

/// What is asked for, if it can be granted; otherwise what the first page says about it.
async fn plan(
    app: &App,
    person: &SignIn,
    client_id: &str,
    team: Option<&str>,
) -> Result<Result<Plan, Surroundings>, PageStop> {
    let teams = teams(app, person).await?;
    let wrong = |problem| Ok(Err(Surroundings::of_problem(client_id, team, problem)));
    let client = clients::find(&app.store, client_id).await.during("looking the client up")?;
    let client = client.filter(|c| c.kind.obtains() == Obtains::CoordinatorGrant && c.disabled_at.is_none());
    let Some(client) = client else {
        return wrong("No client that a Team Coordinator can grant access is registered under this Client ID.");
    };
    let chosen = match (team, teams.as_slice()) {
        (Some(id), teams) => teams.iter().find(|team| team.public_id == id).cloned(),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    };
    match chosen {
        Some(team) => Ok(Ok(Plan { client, team })),
        None => wrong("Choose one of your teams."),
    }
}

/// The page that says what is about to be granted, and asks.
async fn ask(
    app: &App,
    person: &SignIn,
    plan: &Plan,
    served: &Served,
    problem: Option<&str>,
) -> Result<Response, PageStop> {
    let Plan { client, team } = plan;
    let existing = live(app, std::slice::from_ref(team), person.now).await?;
    let existing = existing.iter().filter(|grant| grant.client_id == client.client_id);
    let check = GrantCheck {
        grant_check: dice::number()?,
        client_id: client.client_id.clone(),
        team: team.public_id.clone(),
        expires_at: person.now.plus_seconds(FORM_SECONDS).0,
    };
    let until = |seconds| app.settings.time_zone.day_and_time(person.now.plus_seconds(seconds));
    let page = GrantCheckPage {
        frame: person.frame(app, PATH),
        problem: problem.map(String::from),
        product: client.product.clone(),
        owner: client.owner.clone(),
        client_id: client.client_id.clone(),
        team: team.name.clone(),
        may: Promises::of(Scope::Site, served).groups(),
        how_long: client.session_seconds.map_or_else(
            || words::UNTIL_TAKEN_BACK.into(),
            |seconds| format!("for {}, until {}", when::length(seconds), until(seconds)),
        ),
        existing: existing.map(|grant| row(app, person, grant)).collect(),
        form: person.form(app, PURPOSE),
        check: GuardedText::new(forms::seal(app, &check)),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    Ok(page::html(status, &page))
}

/// Opens the team's session; the page that follows shows its refresh token.
async fn grant_access(
    app: &App,
    person: &SignIn,
    plan: &Plan,
    check: &GrantCheck,
    params: &Params<'_>,
    served: &Served,
) -> Result<Response, PageStop> {
    let Plan { client, team } = plan;
    let existing = live(app, std::slice::from_ref(team), person.now).await?;
    let replace = match params.get("existing") {
        Some("replace") => true,
        Some("keep") => false,
        _ if existing.iter().any(|grant| grant.client_id == client.client_id) => {
            let problem = "Choose whether to end the access that the partner has already, or to keep it.";
            return ask(app, person, plan, served, Some(problem)).await;
        }
        _ => false,
    };
    let opening = Opening {
        salt: Salt::new(dice::bytes()?),
        client: client.id,
        holder: Holder::Team { team: team.id, coordinator: person.user.id },
        choice: SessionChoice::default(),
        scope: Scope::Site,
        scope_spelt: None,
        smart_scopes: None,
        nonce: None,
        authenticated_at: None,
        sign_in: None,
        factor: None,
        code: None,
        session_seconds: client.session_seconds,
        form: Some(SpentForm { id: check.grant_check, expires_at: Moment(check.expires_at) }),
        login: None,
    };
    let opened = team_grants::open(&app.store, opening, replace, person.now).await.during("opening a session")?;
    let id = opened.ok_or_else(Problem::stale_form)?;
    tracing::info!(session = id.0, client = client.client_id, team = team.public_id, "a team was granted access to");
    let mut response = page::see_other(PATH);
    new_grant::remember(app, person, id, &mut response);
    Ok(response)
}
