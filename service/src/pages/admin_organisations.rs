//! `/admin/organisations`: an administrator sees organisations with their teams, and adds some.

use super::admin::{self, ask, choice, field, filled};
use crate::app::Shared;
use crate::callers::admin::AdminSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::operator::declaration::Declaration;
use crate::operator::summaries::TeamSummary;
use crate::operator::world_file::{self, OrganisationFields, TeamFields};
use crate::operator::{How, OrganisationSummary, Reply, Request};
use crate::secrets::dice;
use crate::views::admin::{AddForm, AdminListPage, AdminRow};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::params::Params;

const PATH: &str = "/admin/organisations";
const TEAMS: &str = "/admin/teams";

/// A try that was refused: for which of the two forms, what was typed, and why.
type RefusedTry<'t> = (&'static str, &'t Params<'t>, Vec<String>);

/// `GET /admin/organisations`.
pub async fn show(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("done").map(|_| "It is there.".into());
    let answer = list(&call.app, &person, notice, None).await;
    person.keep(&call.app, answer)
}

/// `POST /admin/organisations`: adds one.
pub async fn add(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    add_to(person, call, PATH).await
}

/// `POST /admin/teams`: adds one.
pub async fn add_team(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    add_to(person, call, TEAMS).await
}

async fn add_to(person: SignIn, call: Call, path: &'static str) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let adding = async {
        let params = person.own_form(&app, &head.headers, body, path).await?;
        person.must_have_proven(PATH)?;
        let (public_id, name, mut problems) = (Some(dice::uuid()?), filled(&params, "name"), Vec::new());
        let mut declared = Declaration::default();
        if path == TEAMS {
            let organisation = filled(&params, "organisation");
            let fields = TeamFields { public_id, organisation, name, ..TeamFields::default() };
            declared.teams.extend(world_file::team(fields, String::new(), &mut problems));
        } else {
            let fields = OrganisationFields { public_id, name, ..OrganisationFields::default() };
            declared.organisations.extend(world_file::organisation(fields, String::new(), &mut problems));
        }
        if problems.is_empty() {
            let request = Request::Apply { declared: Box::new(declared), how: How::OnlyNew };
            match ask(&app, &person, request).await {
                Ok(_) => return Ok(page::see_other(&format!("{PATH}?done=added"))),
                Err(why) => problems = why,
            }
        }
        list(&app, &person, None, Some((path, &params, problems))).await
    };
    let answer = adding.await;
    person.keep(&app, answer)
}

async fn list(
    app: &Shared,
    person: &SignIn,
    notice: Option<String>,
    tried: Option<RefusedTry<'_>>,
) -> Result<Response, PageStop> {
    let organisations = match ask(app, person, Request::Organisations).await {
        Ok(Reply::Organisations(organisations)) => organisations,
        _ => Vec::new(),
    };
    let teams = match ask(app, person, Request::Teams).await {
        Ok(Reply::Teams(teams)) => teams,
        _ => Vec::new(),
    };
    let status = if tried.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = AdminListPage {
        frame: person.frame(app, admin::PATH),
        heading: "Organisations and teams",
        lead: "Who holds records, and the teams that work with them. What you add is noted with your name.",
        notice,
        search: None,
        rows: organisations.iter().map(|organisation| row(organisation, &teams)).collect(),
        older: None,
        adds: adds(app, person, &organisations, tried),
    };
    Ok(page::html(status, &page))
}

fn row(organisation: &OrganisationSummary, teams: &[TeamSummary]) -> AdminRow {
    let own = teams.iter().filter(|team| team.organisation == organisation.public_id);
    let team = |team: &TeamSummary| {
        let glass = if team.break_glass { ", may open records in an emergency" } else { "" };
        format!("Team {} ({}){glass}", team.name, team.public_id)
    };
    let granted = organisation.granted.iter().map(|client| format!("has granted access to {client}"));
    AdminRow {
        title: organisation.name.clone(),
        lines: std::iter::once(organisation.public_id.clone()).chain(own.map(team)).chain(granted).collect(),
        href: None,
    }
}

fn adds(
    app: &Shared,
    person: &SignIn,
    organisations: &[OrganisationSummary],
    tried: Option<RefusedTry<'_>>,
) -> Vec<AddForm> {
    let of = |path: &str| match &tried {
        Some((tried, params, problems)) if *tried == path => (Some(*params), problems.clone()),
        _ => (None, Vec::new()),
    };
    let ((organisation, organisation_problems), (team, team_problems)) = (of(PATH), of(TEAMS));
    let homes = organisations.iter().map(|one| (one.public_id.clone(), one.name.clone()));
    let mut adds = vec![AddForm {
        id: "add",
        heading: "Add an organisation",
        action: PATH,
        button: "Add",
        form: person.form(app, PATH),
        problems: organisation_problems,
        fields: vec![field(("name", "Name", "Its public id is made."), organisation)],
    }];
    if !organisations.is_empty() {
        adds.push(AddForm {
            id: "add-team",
            heading: "Add a team",
            action: TEAMS,
            button: "Add",
            form: person.form(app, TEAMS),
            problems: team_problems,
            fields: vec![
                choice(("organisation", "Organisation"), homes, team),
                field(("name", "Name", "Its public id is made."), team),
            ],
        });
    }
    adds
}
