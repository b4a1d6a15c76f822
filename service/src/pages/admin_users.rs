//! `/admin/users`: an administrator finds an account by name, adds one of a professional, freezes it, and ends its sessions. The names
//! of accounts and the ids of patients are all that is shown; patients' accounts are made by invitation.

use super::admin::{self, ask, choice, field, filled, words};
use crate::app::Shared;
use crate::app::trouble::During;
use crate::callers::admin::AdminSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::{encoding, forms};
use crate::operator::check_user::{self, UserFields};
use crate::operator::declaration::Declaration;
use crate::operator::{How, Request};
use crate::secrets::secret::Secret;
use crate::views::Link;
use crate::views::admin::{AddField, AddForm, AdminDeed, AdminListPage, AdminOnePage, AdminRow};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::UserId;
use rules::limits::LIST_LINES;
use rules::params::Params;
use rules::scope::UserType;
use store::people::{self, User};

const PATH: &str = "/admin/users";
const ADD: &str = "add-user";

/// `GET /admin/users`.
pub async fn show(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let answer = list(&call.app, &person, &params, None).await;
    person.keep(&call.app, answer)
}

/// `POST /admin/users`: adds one.
pub async fn add(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let adding = async {
        let params = person.own_form(&app, &head.headers, body, ADD).await?;
        person.must_have_proven(PATH)?;
        match made(&app, &person, &params).await {
            Ok(username) => {
                let query = encoding::query([("q", username.as_str()), ("done", "added")].into_iter());
                Ok(page::see_other(&format!("{PATH}?{query}")))
            }
            Err(problems) => list(&app, &person, &Params::default(), Some((&params, problems))).await,
        }
    };
    let answer = adding.await;
    person.keep(&app, answer)
}

async fn made(app: &Shared, person: &SignIn, params: &Params<'_>) -> Result<String, Vec<String>> {
    let user_type = filled(params, "type");
    if user_type.as_deref().and_then(UserType::named).is_none_or(|wanted| wanted == UserType::Patient) {
        return Err(vec!["Choose the type of a professional: patients make their accounts by invitation.".into()]);
    }
    let fields = UserFields {
        username: filled(params, "username"),
        password: Some(Secret::new(params.get("password").unwrap_or_default().to_owned())),
        user_type,
        name: filled(params, "name"),
        teams: Some(words(params, "teams")),
        organisation: filled(params, "organisation"),
        ..UserFields::default()
    };
    let mut problems = Vec::new();
    let user = check_user::user(fields, String::new(), &mut problems).ok_or(problems)?;
    let username = user.username.clone();
    let declared = Declaration { users: vec![user], ..Declaration::default() };
    ask(app, person, Request::Apply { declared: Box::new(declared), how: How::OnlyNew }).await?;
    Ok(username)
}

/// `GET /admin/users/{id}`.
pub async fn show_one(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("done").map(|done| match done {
        "frozen" => "The account is frozen: no sign-in, and every app of theirs is refused.",
        "thawed" => "The account is not frozen.",
        _ => "They are signed out everywhere, and the access of their apps has ended.",
    });
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = one(&call.app, &person, &id, (notice, None)).await;
    person.keep(&call.app, answer)
}

/// `POST /admin/users/{id}`.
pub async fn change(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let changing = async {
        let params = person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        person.must_have_proven(head.uri.path())?;
        let username = find(&app, &id).await?.username;
        let (request, done) = match params.get("decision") {
            Some("freeze") => (Request::Freeze { username, frozen: true }, "frozen"),
            Some("unfreeze") => (Request::Freeze { username, frozen: false }, "thawed"),
            Some("sign-out") => (Request::EndSessions { username }, "ended"),
            _ => return Err(Problem::stale_form().into()),
        };
        if done == "frozen" && id == person.user.id.to_string() {
            let why = "Nobody freezes their own account: ask another administrator.".to_owned();
            return one(&app, &person, &id, (None, Some(why))).await;
        }
        match ask(&app, &person, request).await {
            Ok(_) => Ok(page::see_other(&format!("{PATH}/{id}?done={done}"))),
            Err(why) => one(&app, &person, &id, (None, Some(why.join(" ")))).await,
        }
    };
    let answer = changing.await;
    person.keep(&app, answer)
}

async fn find(app: &Shared, id: &str) -> Result<User, PageStop> {
    let id = id.parse().map(UserId).map_err(|_| Problem::not_found())?;
    let found = people::numbered(&app.store, id).await.during("looking a user up")?;
    Ok(found.ok_or_else(Problem::not_found)?)
}

async fn one(
    app: &Shared,
    person: &SignIn,
    id: &str,
    (notice, problem): (Option<&str>, Option<String>),
) -> Result<Response, PageStop> {
    let user = find(app, id).await?;
    let freezing = match user.frozen_at {
        Some(_) => AdminDeed {
            decision: "unfreeze",
            button: "End the freezing",
            text: "They can sign in again. What was ended stays ended.",
        },
        None => AdminDeed {
            decision: "freeze",
            button: "Freeze the account",
            text: "No sign-in, and every app of theirs is refused, until the freezing ends.",
        },
    };
    let ending = AdminDeed {
        decision: "sign-out",
        button: "End all sessions",
        text: "Signs their browsers out and ends the access of their apps. The password stays.",
    };
    let page = AdminOnePage {
        frame: person.frame(app, PATH),
        back: Link { href: PATH.into(), text: "Accounts".into() },
        heading: user.username.clone(),
        notice: notice.map(String::from),
        problem,
        secret: None,
        facts: [
            ("Name", Some(user.name.clone())),
            ("Type", Some(user.user_type.word().into())),
            ("Patient", user.patient_id.clone()),
            ("Organisation", user.organisation.clone()),
            ("State", Some(state(&user).into())),
        ]
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)))
        .collect(),
        action: format!("{PATH}/{id}"),
        form: person.form(app, &purpose(id)),
        deeds: vec![freezing, ending],
    };
    let status = if page.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page::html(status, &page))
}

async fn list(
    app: &Shared,
    person: &SignIn,
    asked: &Params<'_>,
    tried: Option<(&Params<'_>, Vec<String>)>,
) -> Result<Response, PageStop> {
    let sought = asked.get("q").unwrap_or_default().trim().to_lowercase();
    let after = asked.get("after").unwrap_or(&sought);
    let limit = i64::try_from(LIST_LINES + 1).unwrap_or(i64::MAX);
    let mut found = people::page(&app.store, after, limit).await.during("listing users")?;
    if asked.get("after").is_none() && !sought.is_empty() {
        let exact = people::find(&app.store, &sought).await.during("looking a user up")?;
        found.splice(0..0, exact);
    }
    found.retain(|user| user.username.starts_with(&sought));
    let is_more = found.len() > LIST_LINES;
    found.truncate(LIST_LINES);
    let older = found.last().filter(|_| is_more).map(|last| {
        let query = [("q", sought.as_str()), ("after", last.username.as_str())];
        format!("{PATH}?{}", encoding::query(query.into_iter()))
    });
    let (before, problems) = tried.map_or((None, Vec::new()), |(params, problems)| (Some(params), problems));
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let page = AdminListPage {
        frame: person.frame(app, admin::PATH),
        heading: "Accounts",
        lead: "The names of accounts, and the ids of patients. What you change here is noted with your name.",
        notice: asked.get("done").map(|_| "The account is there.".into()),
        search: Some((PATH, sought)),
        rows: found.iter().map(row).collect(),
        older,
        adds: vec![add_form(app, person, before, problems)],
    };
    Ok(page::html(status, &page))
}

fn row(user: &User) -> AdminRow {
    let patient = user.patient_id.as_ref().map(|patient| format!("Patient/{patient}"));
    let lines = [Some(user.name.clone()), Some(user.user_type.word().into()), patient, Some(state(user).into())];
    AdminRow {
        title: user.username.clone(),
        lines: lines.into_iter().flatten().collect(),
        href: Some(format!("{PATH}/{}", user.id)),
    }
}

const fn state(user: &User) -> &'static str {
    match (user.frozen_at, user.deceased) {
        (Some(_), _) => "frozen",
        (None, true) => "deceased",
        (None, false) => "active",
    }
}

fn add_form(app: &Shared, person: &SignIn, before: Option<&Params<'_>>, problems: Vec<String>) -> AddForm {
    let types = UserType::ALL.into_iter().filter(|one| *one != UserType::Patient);
    let password = field(("password", "First password", "They choose another one after they signed in."), None);
    let teams = field(("teams", "Teams", "The public ids of teams, with blanks between."), before);
    let organisation = field(("organisation", "Organisation", "Of a privacy officer alone: its public id."), before);
    AddForm {
        id: "add",
        heading: "Add the account of a professional",
        action: PATH,
        button: "Add",
        form: person.form(app, ADD),
        problems,
        fields: vec![
            field(("username", "Username", "What they sign in with."), before),
            field(("name", "Name", ""), before),
            choice(("type", "Type"), types.map(|one| (one.word().to_owned(), one.word().to_owned())), before),
            AddField { is_required: false, ..teams },
            AddField { is_required: false, ..organisation },
            AddField { is_password: true, value: String::new(), ..password },
        ],
    }
}

/// A form changes the one account that it was made for.
fn purpose(id: &str) -> String {
    format!("change-user {id}")
}
