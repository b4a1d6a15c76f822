//! Asking for the second factor after the password, on a second page of the sign-in form; and how a sign-in ends.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::known_user::KnownUser;
use crate::callers::login::Login;
use crate::callers::page_form::own_path;
use crate::callers::second_factor;
use crate::callers::sign_in::SignIn;
use crate::http::forms;
use crate::secrets::dice;
use crate::views::second_factor::CodePage;
use crate::views::{GuardedText, navigation};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::FACTOR_FORM_SECONDS;
use rules::moment::Moment;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use store::people::User;
use store::salt::Salt;
use store::sign_ins::{self, Entrance};

pub(super) const WRONG: &str = "That is not right, or it was used before. Try again; of a code, wait for the next one.";
const WHY: &str = "Your password is right. This account has a second factor, too.";

/// What the form holds that asks for a code, sealed.
#[derive(Serialize, Deserialize)]
pub(super) struct CodeForm {
    code_until: i64,
    known: KnownUser,
}

/// The page that asks for a code.
pub(super) async fn ask(app: &App, user: &User, next: &str, problem: Option<&str>) -> Result<Response, PageStop> {
    let code_until = app.clock.now().plus_seconds(FACTOR_FORM_SECONDS).0;
    let page = CodePage {
        frame: page::frame(app, navigation::SIGNED_OUT, "/sign-in"),
        action: "/sign-in",
        form: GuardedText::new(forms::seal(app, &CodeForm { code_until, known: KnownUser::of(user) })),
        next: next.into(),
        why: WHY,
        remember_days: app.settings.second_factor.remembered_seconds(user.user_type).map(|seconds| seconds / 86_400),
        question: second_factor::question(app, user).await?,
        problem: problem.map(String::from),
    };
    Ok(answer(app, &page))
}

/// The answer that shows such a page.
pub(super) fn answer(app: &App, page: &CodePage) -> Response {
    let status = if page.problem.is_some() { StatusCode::UNAUTHORIZED } else { StatusCode::OK };
    page::html_with_passkey(app, status, page, ("", page.question.passkey.is_some()))
}

/// Lets in whoever shows what is asked for.
pub(super) async fn check(
    app: &App,
    form: &CodeForm,
    params: &Params<'_>,
    login: &Login<'_>,
) -> Result<Response, PageStop> {
    let now = app.clock.now();
    if now.is_past(Moment(form.code_until)) {
        return Err(Problem::stale_form().into());
    }
    let user = form.known.find(app).await?.filter(|user| !user.is_shut_out()).ok_or_else(Problem::stale_form)?;
    let next = params.get("next").unwrap_or_default();
    let factor = second_factor::prove(app, login.source(), &user, params).await?;
    if factor.is_none() {
        return ask(app, &user, next, Some(WRONG)).await;
    }
    let entrance = Entrance { factor_at: Some(now), factor, by_link: false };
    let mut answer = enter(app, login, &user, entrance, next).await?.ok_or_else(Problem::stale_form)?;
    if params.get("remember").is_some() {
        second_factor::remember(app, login.source().headers, &user, &mut answer).await?;
    }
    Ok(answer)
}

/// Signs a user in who has shown all that was asked for; nothing, where they have another password by now.
pub(super) async fn enter(
    app: &App,
    login: &Login<'_>,
    user: &User,
    entrance: Entrance,
    next: &str,
) -> Result<Option<Response>, PageStop> {
    let (salt, now) = (Salt::new(dice::bytes()?), app.clock.now());
    let opened = sign_ins::open(&app.store, user, salt.clone(), (login.browser(), entrance), now).await;
    let Some(id) = opened.during("signing somebody in")? else { return Ok(None) };
    let answer = login.remember(app, user, page::see_other(own_path(next)))?;
    SignIn::new(id, user.clone(), salt, entrance, now).keep(app, Ok(answer)).map(Some)
}
