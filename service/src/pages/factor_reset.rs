//! `/second-factor/reset`: where an operator's link leads. It takes a second factor away, and the password is asked for all the same.

use super::code_check::enter;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::login::Login;
use crate::callers::page_form;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::forms;
use crate::http::origin;
use crate::secrets::secret::Secret;
use crate::views::second_factor::FactorResetPage;
use crate::views::{GuardedText, navigation};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::FORM_SECONDS;
use rules::moment::Moment;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use store::factors::links;
use store::sign_ins::Entrance;

const PATH: &str = "/second-factor/reset";
/// The same for every reason, so that nobody learns which of them was right.
const WRONG: &str =
    "That user name and password do not belong together, or the link is not theirs, was used, or is over.";

/// What the form holds, sealed.
#[derive(Serialize, Deserialize)]
struct ResetForm {
    reset_until: i64,
}

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    Ok(form(&call.app, &params, None))
}

pub async fn reset(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let params = page_form::read(&app, &head.headers, body).await?;
    let now = app.clock.now();
    let sealed: Option<ResetForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(&app, sealed));
    if sealed.is_none_or(|form| now.is_past(Moment(form.reset_until))) {
        return Err(Problem::stale_form().into());
    }
    let login = Login::read(&params, &head.headers, origin::address(&app, &head.headers, peer));
    let user = login.user(&app).await?.filter(|user| !user.is_shut_out());
    let Some(user) = user else { return Ok(form(&app, &params, Some(WRONG))) };
    let link = Secret::new(params.get("link").unwrap_or_default().to_owned()).fingerprint();
    let redeemed = links::redeem(&app.store, user.id, user.password_hash.clone(), link, now).await;
    if !redeemed.during("resetting a second factor")? {
        return Ok(form(&app, &params, Some(WRONG)));
    }
    tracing::info!(user = user.id.0, "a second factor was reset by a link");
    let entrance = Entrance { by_link: true, ..Entrance::default() };
    Ok(enter(&app, &login, &user, entrance, "/second-factor").await?.ok_or_else(Problem::stale_form)?)
}

fn form(app: &App, params: &Params<'_>, problem: Option<&str>) -> Response {
    let reset_until = app.clock.now().plus_seconds(FORM_SECONDS).0;
    let page = FactorResetPage {
        frame: page::frame(app, navigation::SIGNED_OUT, PATH),
        form: GuardedText::new(forms::seal(app, &ResetForm { reset_until })),
        link: GuardedText::new(params.get("link").unwrap_or_default()),
        username: params.get("username").unwrap_or_default().into(),
        problem: problem.map(String::from),
    };
    page::html(if problem.is_some() { StatusCode::UNAUTHORIZED } else { StatusCode::OK }, &page)
}
