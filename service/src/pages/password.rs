//! `/password`: a signed-in person chooses a new password, which signs them out everywhere else.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::login::{Login, busy_problem};
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::origin;
use crate::secrets::dice;
use crate::secrets::passwords::NotTaken;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Line;
use crate::views::password::{FieldProblem, PasswordPage};
use crate::views::{DonePage, Link, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::lifecycle::Revoked;
use rules::params::Params;
use rules::passwords;
use store::endings::{self, Renewal};
use store::salt::Salt;
use store::sign_ins;

const PATH: &str = "/password";
const PURPOSE: &str = "change-password";

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    person.must_have_proven(PATH)?;
    let answer = form(&call.app, &person, StatusCode::OK, Vec::new());
    person.keep(&call.app, Ok(answer))
}

pub async fn change(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let address = origin::address(&app, &head.headers, peer);
    let params = match person.own_form(&app, &head.headers, body, PURPOSE).await {
        Ok(params) => params,
        Err(stop) => return person.keep(&app, Err(stop)),
    };
    person.must_have_proven(PATH)?;
    let text = |name: &str| params.get(name).unwrap_or_default().to_owned();
    let login = Login::new(&head.headers, address, &person.user.username, Secret::new(text("password")));
    match renew(&app, &person, &params, &login).await {
        Ok(Ok(renewal)) => enter_anew(&app, &person, &login, renewal, ends_access(&params)).await,
        Ok(Err(problems)) => {
            let answer = form(&app, &person, StatusCode::BAD_REQUEST, problems);
            person.keep(&app, Ok(answer))
        }
        Err(stop) => person.keep(&app, Err(stop)),
    }
}

/// The new password is looked at first, and all that is wrong with it is told at once: that one may not be chosen costs nobody a try.
async fn renew(
    app: &App,
    person: &SignIn,
    params: &Params<'_>,
    login: &Login<'_>,
) -> Result<Result<Renewal, Vec<FieldProblem>>, PageStop> {
    let wrong = |field, text: &str| Ok(Err(vec![FieldProblem { text: text.to_owned(), field }]));
    let new = params.get("new_password").unwrap_or_default();
    let username = &person.user.username;
    let mut problems = Vec::new();
    if let Some(fault) = passwords::fault(new, username) {
        problems.push(FieldProblem { text: words::sentence(&fault.words()), field: "new_password" });
    }
    if params.get("repeated") != Some(new) {
        let text = "The new password was not typed the same way twice.".into();
        problems.push(FieldProblem { text, field: "repeated" });
    }
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    let Some(user) = login.user(app).await? else { return wrong("password", "That is not your password.") };
    let line = Line::Person(person.user.id);
    let taken = app.passwords.take(Secret::new(new.to_owned()), username.clone(), line).await;
    let taken = taken.map_err(|busy| busy_problem(app, busy))?;
    let hash = match taken {
        Ok(hash) => hash,
        Err(NotTaken::Fault(fault)) => return wrong("new_password", &words::sentence(&fault.words())),
        Err(trouble) => return Err(Trouble::new("hashing a new password", trouble).into()),
    };
    let end_access = ends_access(params).then_some(Revoked::ByPatient);
    let known = Some(user.password_hash);
    let renewal = endings::renew(&app.store, username.clone(), known, hash, end_access, person.now).await;
    let renewal = renewal.during("changing a password")?.ok_or_else(Problem::stale_form)?;
    tracing::info!(user = person.user.id.0, ended = renewal.ended, "a user changed their password");
    Ok(Ok(renewal))
}

fn ends_access(params: &Params<'_>) -> bool {
    params.get("end_access").is_some()
}

/// All sign-ins are over, this one too; the browser gets another one, and is known by the new password.
async fn enter_anew(
    app: &App,
    person: &SignIn,
    login: &Login<'_>,
    renewal: Renewal,
    ends_access: bool,
) -> Result<Response, PageStop> {
    let Renewal { user, ended } = renewal;
    let salt = Salt::new(dice::bytes()?);
    let opened = sign_ins::open(&app.store, &user, salt.clone(), (login.browser(), person.entrance), person.now).await;
    let id = opened.during("signing somebody in anew")?;
    let id = id.ok_or_else(Problem::stale_form)?;
    let person = SignIn::new(id, user, salt, person.entrance, person.now);
    let apps = match ended {
        _ if !ends_access => "Apps that you have connected keep their access.".to_owned(),
        0 => "No app had access.".to_owned(),
        1 => "One app has lost its access.".to_owned(),
        many => format!("Apps have lost their access, {many} connections in all."),
    };
    let page = DonePage {
        frame: person.frame(app, PATH),
        heading: "Your password is changed".into(),
        text: format!("You are signed out everywhere else. {apps}"),
        links: vec![Link { href: "/".into(), text: "Go on".into() }],
    };
    let answer = login.remember(app, &person.user, page::html(StatusCode::OK, &page))?;
    person.keep(app, Ok(answer))
}

fn form(app: &App, person: &SignIn, status: StatusCode, problems: Vec<FieldProblem>) -> Response {
    let page = PasswordPage {
        frame: person.frame(app, PATH),
        form: person.form(app, PURPOSE),
        rule: passwords::rule(),
        problems,
    };
    page::html(status, &page)
}
