//! `/sign-in` and `/sign-out`.

use super::code_check::{self, CodeForm};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::login::Login;
use crate::callers::page_form::{self, own_path};
use crate::callers::requirement::Anyone;
use crate::callers::second_factor;
use crate::callers::sign_in::{self, SignIn};
use crate::http::call::Call;
use crate::http::forms;
use crate::http::origin;
use crate::views::parting::Parting;
use crate::views::{GuardedText, SignInPage, navigation};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::factors::FactorDemand;
use rules::limits::FORM_SECONDS;
use rules::moment::Moment;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use store::sign_ins::{self, Entrance};

/// What the sign-in form holds, sealed.
#[derive(Debug, Serialize, Deserialize)]
struct SignInForm {
    sign_in_until: i64,
}

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    Ok(match sign_in::find(&call.app, &call.head.headers).await? {
        Ok(_) => page::see_other(own_path(params.get("next").unwrap_or_default())),
        Err(_) => {
            let why = params.get("why").and_then(Parting::named);
            form(&call.app, StatusCode::OK, params.get("next").unwrap_or_default(), "", Remark::Notice(why))
        }
    })
}

pub async fn post(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let params = page_form::read(&app, &head.headers, body).await?;
    let login = Login::read(&params, &head.headers, origin::address(&app, &head.headers, peer));
    match params.get(forms::FIELD).and_then(|sealed| forms::open::<CodeForm>(&app, sealed)) {
        Some(asked) => code_check::check(&app, &asked, &params, &login).await,
        None => enter(&app, &params, &login).await,
    }
}

async fn enter(app: &App, params: &Params<'_>, login: &Login<'_>) -> Result<Response, PageStop> {
    let now = app.clock.now();
    let next = params.get("next").unwrap_or_default();
    let sealed: Option<SignInForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(app, sealed));
    if sealed.is_none_or(|form| now.is_past(Moment(form.sign_in_until))) {
        let problem = Remark::Problem("This page was open for too long. Please try again.");
        return Ok(form(app, StatusCode::BAD_REQUEST, next, login.username, problem));
    }
    if let Some(user) = login.user(app).await?.filter(|user| !user.is_shut_out()) {
        match second_factor::demand(app, login.source().headers, &user).await? {
            FactorDemand::Proof => return code_check::ask(app, &user, next, None).await,
            FactorDemand::NotEnrolled => return Err(not_enrolled().into()),
            FactorDemand::Nothing => {
                if let Some(entered) = code_check::enter(app, login, &user, Entrance::default(), next).await? {
                    return Ok(entered);
                }
            }
        }
    }
    let problem = Remark::Problem("That username and password do not belong together.");
    Ok(form(app, StatusCode::UNAUTHORIZED, next, login.username, problem))
}

pub async fn sign_out(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    person.own_form(&app, &head.headers, body, "sign-out").await?;
    sign_ins::end(&app.store, person.id, person.user.id, person.now).await.during("signing somebody out")?;
    let words = format!("/sign-in?why={}", Parting::SignedOut.word());
    Ok(sign_in::forget(&app, page::see_other(&words)))
}

/// What the page says above its form.
enum Remark {
    /// What went wrong with the last try.
    Problem(&'static str),
    /// Why the reader is not signed in any more, if they were.
    Notice(Option<Parting>),
}

fn form(app: &App, status: StatusCode, next: &str, username: &str, remark: Remark) -> Response {
    let (problem, notice) = match remark {
        Remark::Problem(problem) => (Some(problem.to_owned()), None),
        Remark::Notice(why) => (None, why.map(|why| why.sentence().to_owned())),
    };
    let sealed = forms::seal(app, &SignInForm { sign_in_until: app.clock.now().plus_seconds(FORM_SECONDS).0 });
    let page = SignInPage {
        frame: page::frame(app, navigation::SIGNED_OUT, "/sign-in"),
        form: GuardedText::new(sealed),
        next: next.into(),
        username: username.into(),
        problem,
        notice,
        logins: app.sandbox_logins.get().cloned().unwrap_or_default(),
    };
    page::html(status, &page)
}

/// Whoever has none gets one by a link alone: else a stolen password would set one up first.
fn not_enrolled() -> Problem {
    let wrong = "This account needs a second factor to sign in, and has none yet.";
    Problem::new(403, "A second factor is needed", wrong, "Ask whoever runs this service for a link to set one up.")
}
