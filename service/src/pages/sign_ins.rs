//! `/sign-ins`: where a person is signed in, and signing out elsewhere. What is ended opens nothing from then on, on any node.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::TimeText;
use crate::views::sign_ins::{BrowserRow, SignInsPage};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::SignInId;
use rules::limits::{SIGN_IN_IDLE_SECONDS, SIGN_IN_LONGEST_SECONDS, SIGN_IN_NOTED_SECONDS};
use store::sign_ins::{self, UserBrowser};

const PATH: &str = "/sign-ins";
const OTHERS: &str = "end-other-sign-ins";

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("ended").map(|which| match which {
        "others" => "You are signed out everywhere else.".to_owned(),
        _ => "That browser is signed out.".to_owned(),
    });
    let answer = list(&call.app, &person, notice).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, notice: Option<String>) -> Result<Response, PageStop> {
    let started = person.now.plus_seconds(-SIGN_IN_LONGEST_SECONDS);
    // A use is noted only now and then, so what was noted may be older than the use.
    let used = person.now.plus_seconds(-SIGN_IN_IDLE_SECONDS - SIGN_IN_NOTED_SECONDS);
    let browsers = sign_ins::of_user(&app.store, person.user.id, started, used).await.during("listing sign-ins")?;
    let (here, others): (Vec<_>, Vec<_>) = browsers.iter().partition(|browser| browser.id == person.id);
    let page = SignInsPage {
        frame: person.frame(app, PATH),
        notice,
        here: here.first().map(|browser| row(app, person, browser)),
        others: others.into_iter().map(|browser| row(app, person, browser)).collect(),
        form: person.form(app, OTHERS),
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// Signs one other browser out.
pub async fn end(person: SignIn, call: Call) -> Result<Response, PageStop> {
    // A path that is no text names no sign-in, so no form can be for it.
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let ending = async {
        person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        let id = SignInId(id.parse().map_err(|_| Problem::not_found())?);
        sign_ins::end(&app.store, id, person.user.id, person.now).await.during("signing a browser out")?;
        Ok(page::see_other(&format!("{PATH}?ended=one")))
    };
    let answer = ending.await;
    person.keep(&app, answer)
}

/// Signs all other browsers out.
pub async fn end_others(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let ending = async {
        person.own_form(&app, &head.headers, body, OTHERS).await?;
        let ended = sign_ins::end_others(&app.store, person.id, person.user.id, person.now).await;
        let ended = ended.during("signing other browsers out")?;
        tracing::info!(user = person.user.id.0, ended, "a user signed out elsewhere");
        Ok(page::see_other(&format!("{PATH}?ended=others")))
    };
    let answer = ending.await;
    person.keep(&app, answer)
}

/// A form ends the one sign-in that it was made for.
fn purpose(id: &str) -> String {
    format!("end-sign-in {id}")
}

fn row(app: &App, person: &SignIn, browser: &UserBrowser) -> BrowserRow {
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    let id = browser.id.0.to_string();
    BrowserRow {
        name: browser.browser.clone().unwrap_or_else(|| "A browser".into()),
        since: shown(browser.started_at),
        last_used: shown(browser.last_used_at),
        action: format!("{PATH}/end/{id}"),
        form: person.form(app, &purpose(&id)),
    }
}
