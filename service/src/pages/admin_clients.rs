//! `/admin/clients`: an administrator registers clients, disables them, and gives them a new secret, which is shown once.

use super::admin::{self, ask, choice, field, filled, words};
use crate::app::Shared;
use crate::callers::admin::AdminSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::operator::check_client::{self, ClientFields};
use crate::operator::declaration::Declaration;
use crate::operator::summaries::ClientSummary;
use crate::operator::{How, Reply, Request};
use crate::secrets::dice;
use crate::views::admin::{AddField, AddForm, AdminDeed, AdminListPage, AdminOnePage, AdminRow};
use crate::views::{GuardedText, Link};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::clients::ClientKind;
use rules::params::Params;

const PATH: &str = "/admin/clients";
const ADD: &str = "add-client";

/// What is told beside a client.
#[derive(Default)]
struct ClientTold {
    notice: Option<String>,
    problem: Option<String>,
    secret: Option<GuardedText>,
}

/// `GET /admin/clients`.
pub async fn show(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let answer = list(&call.app, &person, None).await;
    person.keep(&call.app, answer)
}

/// `POST /admin/clients`: registers one. A secret that was made is in this answer alone.
pub async fn add(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let adding = async {
        let params = person.own_form(&app, &head.headers, body, ADD).await?;
        person.must_have_proven(PATH)?;
        let client_id = match filled(&params, "client_id") {
            Some(client_id) => client_id,
            None => dice::uuid()?,
        };
        match made(&app, &person, &params, client_id.clone()).await {
            Ok(secret) => {
                let notice = Some("The client is registered.".into());
                one(&app, &person, &client_id, ClientTold { notice, secret, problem: None }).await
            }
            Err(problems) => list(&app, &person, Some((&params, problems))).await,
        }
    };
    let answer = adding.await;
    person.keep(&app, answer)
}

async fn made(
    app: &Shared,
    person: &SignIn,
    params: &Params<'_>,
    client_id: String,
) -> Result<Option<GuardedText>, Vec<String>> {
    let some = |list: Vec<String>| (!list.is_empty()).then_some(list);
    let kind = filled(params, "kind");
    // Who comes by a browser and has no secret proves by PKCE that it is the one who began.
    let is_user = kind.as_deref().and_then(ClientKind::named) == Some(ClientKind::User);
    let fields = ClientFields {
        client_id: Some(client_id),
        kind,
        owner: filled(params, "owner"),
        product: filled(params, "product"),
        redirect_uris: some(words(params, "redirect_uris")),
        scopes: some(words(params, "scopes")),
        require_pkce: is_user.then_some(true),
        ..ClientFields::default()
    };
    let mut problems = Vec::new();
    let client = check_client::client(fields, String::new(), &mut problems).ok_or(problems)?;
    let declared = Declaration { clients: vec![client], ..Declaration::default() };
    let request = Request::Apply { declared: Box::new(declared), how: How::OnlyNew };
    match ask(app, person, request).await? {
        Reply::Applied(report) => {
            Ok(report.secrets.first().map(|new| GuardedText::new(new.secret.reveal().to_owned())))
        }
        _ => Ok(None),
    }
}

/// `GET /admin/clients/{id}`.
pub async fn show_one(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("done").map(|done| match done {
        "disabled" => "The client is shut out, with every token it holds.".into(),
        "approved" => "The client is approved: people no longer read that nobody has checked it.".into(),
        _ => "The client is let in.".into(),
    });
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = one(&call.app, &person, &id, ClientTold { notice, ..ClientTold::default() }).await;
    person.keep(&call.app, answer)
}

/// `POST /admin/clients/{id}`.
pub async fn change(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let changing = async {
        let params = person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        person.must_have_proven(head.uri.path())?;
        let client_id = id.clone();
        let (request, done) = match params.get("decision") {
            Some("disable") => (Request::DisableClient { client_id }, "disabled"),
            Some("enable") => (Request::EnableClient { client_id }, "enabled"),
            Some("approve") => (Request::ApproveClient { client_id }, "approved"),
            Some("rotate") => (Request::RotateSecret { client_id }, "rotated"),
            _ => return Err(Problem::stale_form().into()),
        };
        match ask(&app, &person, request).await {
            Ok(Reply::Secret(new)) => {
                let secret = Some(GuardedText::new(new.secret.reveal().to_owned()));
                one(&app, &person, &id, ClientTold { secret, ..ClientTold::default() }).await
            }
            Ok(_) => Ok(page::see_other(&format!("{PATH}/{id}?done={done}"))),
            Err(why) => {
                let problem = Some(why.join(" "));
                one(&app, &person, &id, ClientTold { problem, ..ClientTold::default() }).await
            }
        }
    };
    let answer = changing.await;
    person.keep(&app, answer)
}

async fn one(app: &Shared, person: &SignIn, id: &str, told: ClientTold) -> Result<Response, PageStop> {
    let found = match ask(app, person, Request::Clients { only: Some(id.to_owned()) }).await {
        Ok(Reply::Clients(found)) => found,
        _ => Vec::new(),
    };
    let client = found.into_iter().next().ok_or_else(Problem::not_found)?;
    let state = match &client.disabled_at {
        Some(_) => AdminDeed { decision: "enable", button: "Let it in again", text: "Its tokens count again." },
        None => AdminDeed {
            decision: "disable",
            button: "Disable the client",
            text: "Shuts it out at once, with every token it holds.",
        },
    };
    let rotate = AdminDeed {
        decision: "rotate",
        button: "Give it a new secret",
        text: "The old secret is void at once. The new one is shown once.",
    };
    let approve = AdminDeed {
        decision: "approve",
        button: "Approve the client",
        text: "It registered itself. You say that it is what it says; until it says something else.",
    };
    let status = if told.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = AdminOnePage {
        frame: person.frame(app, admin::PATH),
        back: Link { href: PATH.into(), text: "Clients".into() },
        heading: client.product.clone(),
        notice: told.notice,
        problem: told.problem,
        secret: told.secret,
        facts: facts(&client),
        action: format!("{PATH}/{}", client.client_id),
        form: person.form(app, &purpose(&client.client_id)),
        deeds: (client.unchecked.then_some(approve).into_iter())
            .chain([state])
            .chain(client.has_secret.then_some(rotate))
            .collect(),
    };
    Ok(page::html(status, &page))
}

fn facts(client: &ClientSummary) -> Vec<(&'static str, String)> {
    let all = [
        ("Client ID", client.client_id.clone()),
        ("Kind", client.kind.clone()),
        ("Owner", client.owner.clone()),
        ("Redirect URIs", client.redirect_uris.join(" ")),
        ("Scopes", client.scopes.join(" ")),
        ("Proves itself by", client.authentication.clone()),
        ("A grant lasts", client.session.clone().unwrap_or_default()),
        ("Checked", if client.unchecked { "by nobody: it registered itself".into() } else { String::new() }),
        ("Disabled since", client.disabled_at.clone().unwrap_or_default()),
    ];
    all.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

async fn list(app: &Shared, person: &SignIn, tried: Option<(&Params<'_>, Vec<String>)>) -> Result<Response, PageStop> {
    let clients = match ask(app, person, Request::Clients { only: None }).await {
        Ok(Reply::Clients(clients)) => clients,
        _ => Vec::new(),
    };
    let row = |client: &ClientSummary| {
        let disabled = client.disabled_at.as_ref().map(|_| "disabled".to_owned());
        let unchecked = client.unchecked.then(|| "not checked".to_owned());
        let known = [format!("by {}", client.owner), client.kind.clone(), client.client_id.clone()];
        AdminRow {
            title: client.product.clone(),
            lines: known.into_iter().chain(unchecked).chain(disabled).collect(),
            href: Some(format!("{PATH}/{}", client.client_id)),
        }
    };
    let (before, problems) = tried.map_or((None, Vec::new()), |(params, problems)| (Some(params), problems));
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let page = AdminListPage {
        frame: person.frame(app, admin::PATH),
        heading: "Clients",
        lead: "The apps and systems that are registered here. What you change is noted with your name.",
        notice: None,
        search: None,
        rows: clients.iter().map(row).collect(),
        older: None,
        adds: vec![add_form(app, person, before, problems)],
    };
    Ok(page::html(status, &page))
}

fn add_form(app: &Shared, person: &SignIn, before: Option<&Params<'_>>, problems: Vec<String>) -> AddForm {
    let optional = |field: AddField| AddField { is_required: false, ..field };
    let kinds = [("user", "User Client"), ("system", "System Client"), ("tethered", "Tethered-Token System Client")];
    AddForm {
        id: "add",
        heading: "Register a client",
        action: PATH,
        button: "Register",
        form: person.form(app, ADD),
        problems,
        fields: vec![
            choice(("kind", "Kind"), kinds.into_iter().map(|(word, text)| (word.into(), text.into())), before),
            field(("product", "What it is called", "People read it who are asked for access."), before),
            field(("owner", "Who is responsible for it", "People read it, too."), before),
            optional(field(("client_id", "Client ID", "Left out, one is made."), before)),
            optional(field(
                (
                    "redirect_uris",
                    "Redirect URIs",
                    "Of a User Client: where people are sent back to, with blanks between.",
                ),
                before,
            )),
            optional(field(
                ("scopes", "Scopes", "Of a User Client: PATIENT, CLINICIAN, TEAMCOORD, with blanks between."),
                before,
            )),
        ],
    }
}

/// A form changes the one client that it was made for.
fn purpose(id: &str) -> String {
    format!("change-client {id}")
}
