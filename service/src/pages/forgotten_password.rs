//! `/forgotten-password` and `/new-password/{id}`: somebody has forgotten their password, asks for a link, and chooses another by it.
//!
//! What is asked for is only written down here, in the same words whether or not there is such an account; whom it means is found
//! out by whoever sends the mail.

use crate::app::App;
use crate::app::mail::letter;
use crate::app::trouble::{During, Trouble};
use crate::callers::login::{Login, busy_problem};
use crate::callers::page_form;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::{forms, origin};
use crate::secrets::passwords::NotTaken;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::{Line, Wait};
use crate::views::parting::Parting;
use crate::views::password::FieldProblem;
use crate::views::recovery::{ForgottenPasswordPage, NewPasswordPage};
use crate::views::{DonePage, GuardedText, Link, navigation, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::lifecycle::Revoked;
use rules::limits::{FORM_SECONDS, NAME_CHARACTERS};
use rules::mail::LinkPurpose;
use rules::moment::Moment;
use rules::params::Params;
use rules::passwords;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use store::accounts::links::{self, FollowedLink};
use store::accounts::{queue, resets};

const PATH: &str = "/forgotten-password";

/// What the form holds, sealed.
#[derive(Serialize, Deserialize)]
struct ForgottenForm {
    forgotten_until: i64,
}

/// `GET /forgotten-password`.
pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    Ok(form(&call.app, StatusCode::OK, None))
}

/// `POST /forgotten-password`.
pub async fn ask(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let params = page_form::read(&app, &head.headers, body).await?;
    let now = app.clock.now();
    let sealed: Option<ForgottenForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(&app, sealed));
    if sealed.is_none_or(|form| now.is_past(Moment(form.forgotten_until))) {
        let text = "This page was open for too long. Please try again.".into();
        return Ok(form(&app, StatusCode::BAD_REQUEST, Some(FieldProblem { text, field: "name" })));
    }
    if !app.settings.writes_mail() {
        return Ok(form(&app, StatusCode::OK, None));
    }
    let typed = params.get("name").unwrap_or_default().trim();
    if typed.is_empty() || typed.chars().count() > NAME_CHARACTERS || typed.contains(char::is_control) {
        let text = "Type your username, or the e-mail address that you have confirmed here.".into();
        return Ok(form(&app, StatusCode::BAD_REQUEST, Some(FieldProblem { text, field: "name" })));
    }
    let address = origin::address(&app, &head.headers, peer);
    app.throttle.reset(typed, address, app.clock.uptime()).map_err(|Wait(seconds)| {
        app.metrics.throttled.inc();
        Problem::wait(seconds)
    })?;
    if !queue::ask_reset(&app.store, typed.to_owned(), now).await.during("noting that a password was forgotten")? {
        return Err(Problem::busy().into());
    }
    let page = DonePage {
        frame: page::frame(&app, navigation::SIGNED_OUT, PATH),
        heading: "Look at your mail".into(),
        text: "If there is an account of this name or address, and its e-mail address is confirmed, a link is on its way to that \
            address. It is good for 30 minutes, and once. If nothing comes, your care team or whoever runs the service can help."
            .into(),
        links: vec![Link { href: "/sign-in".into(), text: "Back to signing in".into() }],
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// `GET /new-password/{id}`. Looking uses nothing up: mail programs look at links, too.
pub async fn choose(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let typed = call.part("id").ok_or_else(Problem::not_found)?.into_owned();
    let followed = followed(&call.app, &typed).await?;
    Ok(new_password(&call.app, StatusCode::OK, &typed, &followed, Vec::new()))
}

/// `POST /new-password/{id}`.
pub async fn renew(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let typed = call.part("id").ok_or_else(Problem::not_found)?.into_owned();
    let Call { app, head, body, peer, .. } = call;
    let followed = followed(&app, &typed).await?;
    let params = page_form::read(&app, &head.headers, body).await?;
    let address = origin::address(&app, &head.headers, peer);
    let renewed = renewed(&app, &params, &followed, address).await?;
    let user = match renewed {
        Ok(user) => user,
        Err(problems) => return Ok(new_password(&app, StatusCode::BAD_REQUEST, &typed, &followed, problems)),
    };
    let login = Login::new(&head.headers, address, &user.username, Secret::new(String::new()));
    login.remember(&app, &user, page::see_other(&format!("/sign-in?why={}", Parting::PasswordChanged.word())))
}

/// The user with the new password, or all that is to be mended.
async fn renewed(
    app: &App,
    params: &Params<'_>,
    followed: &FollowedLink,
    address: IpAddr,
) -> Result<Result<store::people::User, Vec<FieldProblem>>, PageStop> {
    let username = &followed.user.username;
    let new = params.get("new_password").unwrap_or_default();
    let mut problems = Vec::new();
    if let Some(fault) = passwords::fault(new, username) {
        problems.push(FieldProblem { text: words::sentence(&fault.words()), field: "new_password" });
    }
    if params.get("repeated") != Some(new) {
        problems.push(FieldProblem { text: "It was not typed the same way twice.".into(), field: "repeated" });
    }
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    let taken = app.passwords.take(Secret::new(new.to_owned()), username.clone(), Line::of(address)).await;
    let hash = match taken.map_err(|busy| busy_problem(app, busy))? {
        Ok(hash) => hash,
        Err(NotTaken::Fault(fault)) => {
            return Ok(Err(vec![FieldProblem { text: words::sentence(&fault.words()), field: "new_password" }]));
        }
        Err(trouble) => return Err(Trouble::new("hashing a new password", trouble).into()),
    };
    let end_access = params.get("end_access").is_some().then_some(Revoked::ByPatient);
    let of = (followed.link.id, followed.user.id);
    let renewal = resets::reset(&app.store, of, hash, end_access, app.clock.now()).await;
    let renewal = renewal.during("changing a forgotten password")?.ok_or_else(over)?;
    tracing::info!(user = renewal.user.id.0, ended = renewal.ended, "a user changed their password by a link");
    Ok(Ok(renewal.user))
}

/// The link that somebody followed, if it is one and can still be used.
async fn followed(app: &App, typed: &str) -> Result<FollowedLink, PageStop> {
    let now = app.clock.now();
    let opened = letter::opened(&app.keys, typed).ok_or_else(over)?;
    let found = links::find(&app.store, opened.content.id, now).await.during("looking at a link")?;
    let good = |found: &FollowedLink| {
        found.purpose == LinkPurpose::Reset && opened.is_vouched_for(&found.link.salt) && !found.user.is_shut_out()
    };
    Ok(found.filter(good).ok_or_else(over)?)
}

fn over() -> Problem {
    let wrong = "This link is over: it was used, it is older than 30 minutes, or a newer one took its place.";
    Problem::new(410, "Not a link any more", wrong, "Ask for a new one on the page “Forgotten password”.")
}

fn form(app: &App, status: StatusCode, problem: Option<FieldProblem>) -> Response {
    let until = app.clock.now().plus_seconds(FORM_SECONDS).0;
    let sealed = || GuardedText::new(forms::seal(app, &ForgottenForm { forgotten_until: until }));
    let page = ForgottenPasswordPage {
        frame: page::frame(app, navigation::SIGNED_OUT, PATH),
        form: app.settings.writes_mail().then(sealed),
        problem,
    };
    page::html(status, &page)
}

fn new_password(
    app: &App,
    status: StatusCode,
    typed: &str,
    followed: &FollowedLink,
    problems: Vec<FieldProblem>,
) -> Response {
    let page = NewPasswordPage {
        frame: page::frame(app, navigation::SIGNED_OUT, ""),
        action: GuardedText::new(format!("/new-password/{typed}")),
        username: followed.user.username.clone(),
        rule: passwords::rule(),
        problems,
    };
    page::html(status, &page)
}
