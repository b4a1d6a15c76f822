//! `/sign-in` and `/sign-out`.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::login::Login;
use crate::callers::page_form;
use crate::callers::requirement::Anyone;
use crate::callers::sign_in::{self, SignIn};
use crate::http::call::Call;
use crate::http::forms;
use crate::http::origin;
use crate::secrets::dice;
use crate::views::parting::Parting;
use crate::views::{GuardedText, SignInPage, navigation};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::FORM_SECONDS;
use rules::moment::Moment;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use store::salt::Salt;
use store::sign_ins;

/// What the sign-in form holds, sealed.
#[derive(Debug, Serialize, Deserialize)]
struct SignInForm {
    sign_in_until: i64,
}

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    Ok(match sign_in::find(&call.app, &call.head.headers).await? {
        Ok(_) => page::see_other(&destination(&params)),
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
    enter(&app, &params, &login).await
}

async fn enter(app: &App, params: &Params<'_>, login: &Login<'_>) -> Result<Response, PageStop> {
    let now = app.clock.now();
    let next = params.get("next").unwrap_or_default();
    let sealed: Option<SignInForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(app, sealed));
    if sealed.is_none_or(|form| now.is_past(Moment(form.sign_in_until))) {
        let problem = Remark::Problem("This page was open for too long. Please try again.");
        return Ok(form(app, StatusCode::BAD_REQUEST, next, login.username, problem));
    }
    let salt = Salt::new(dice::bytes()?);
    if let Some(user) = login.user(app).await?.filter(|user| !user.is_shut_out())
        && let Some(id) =
            sign_ins::open(&app.store, &user, salt.clone(), login.browser(), now).await.during("signing somebody in")?
    {
        let answer = login.remember(app, &user, page::see_other(&destination(params)))?;
        return SignIn::new(id, user, salt, now).keep(app, Ok(answer));
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

/// Where to go after signing in: back to the page of ours that asked, or home.
fn destination(params: &Params<'_>) -> String {
    params.get("next").filter(|next| is_own_path(next)).unwrap_or("/").to_owned()
}

/// A path on this service; `//host` and `/\host` would lead elsewhere.
fn is_own_path(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\')
}
