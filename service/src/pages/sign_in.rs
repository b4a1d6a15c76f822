//! `/sign-in` and `/sign-out`.

use crate::app::{App, Shared};
use crate::callers::sign_in::{self as signed_in, SignedIn};
use crate::http::forms;
use crate::http::origin;
use crate::secrets::dice;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Account;
use crate::views::{Guarded, SignInPage};
use crate::voices::page::{self, Problem};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use rules::limits::FORM_SECONDS;
use rules::moment::Moment;
use rules::params::Params;
use rules::scope::UserType;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use store::people::{self, User};
use store::salt::Salt;

/// What the sign-in form holds, sealed.
#[derive(Debug, Serialize, Deserialize)]
struct SignInForm {
    sign_in_until: i64,
}

pub async fn show(State(app): State<Shared>, uri: Uri, headers: HeaderMap) -> Response {
    let params = forms::params(uri.query().unwrap_or_default().as_bytes()).unwrap_or_default();
    match signed_in::find(&app, &headers).await {
        Ok(Some(person)) => page::see_other(&destination(&params, &person.user)),
        Ok(None) => form(&app, StatusCode::OK, params.get("next").unwrap_or_default(), "", None),
        Err(problem) => page::problem(&app, problem),
    }
}

pub async fn post(State(app): State<Shared>, request: Request) -> Response {
    let address = origin::address(&app, request.headers(), request.extensions());
    let (parts, body) = request.into_parts();
    if !origin::is_our_own(&app, &parts.headers) {
        return page::problem(&app, Problem::foreign_form());
    }
    let answered = match forms::read(&parts.headers, body).await {
        Ok(params) => sign_in(&app, &params, address).await,
        Err(forms::FormFault::TooLarge) => Err(Problem::too_large()),
        Err(_) => Err(Problem::stale_form()),
    };
    answered.unwrap_or_else(|problem| page::problem(&app, problem))
}

async fn sign_in(app: &App, params: &Params<'_>, address: IpAddr) -> Result<Response, Problem> {
    let now = app.clock.now();
    let (username, next) = (params.get("username").unwrap_or_default(), params.get("next").unwrap_or_default());
    let sealed: Option<SignInForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(app, sealed));
    if sealed.is_none_or(|form| now.is_past(Moment(form.sign_in_until))) {
        let problem = Some("This page was open for too long. Please try again.".to_owned());
        return Ok(form(app, StatusCode::BAD_REQUEST, next, username, problem));
    }
    let account = Account::User(username);
    app.throttle.may_try(account, now).map_err(|wait| too_many(app, wait.0))?;
    let password = Secret::new(params.get("password").unwrap_or_default().to_owned());
    let user = people::find(&app.store, username).await?;
    let known = user.as_ref().map(|user| user.password_hash.clone());
    let right = app.passwords.verify(password, known).await.map_err(|_| Problem::busy())?;
    if !right {
        app.throttle.failed(account, address, now).map_err(|wait| too_many(app, wait.0))?;
    }
    match user.filter(|user| right && user.frozen_at.is_none()) {
        Some(user) => {
            let salt = Salt::new(dice::bytes()?);
            let id = people::sign_in(&app.store, user.id, salt.clone(), now).await?;
            let to = destination(params, &user);
            Ok(SignedIn::new(id, user, salt, now).keeps(app, Ok(page::see_other(&to))))
        }
        None => {
            let problem = Some("That user name and password do not belong together.".to_owned());
            Ok(form(app, StatusCode::UNAUTHORIZED, next, username, problem))
        }
    }
}

pub async fn sign_out(State(app): State<Shared>, person: SignedIn, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let answered = async {
        person.own_form(&app, &parts.headers, body, "sign-out").await?;
        people::sign_out(&app.store, person.id, person.now).await?;
        Ok::<_, Problem>(signed_in::forget(&app, page::see_other("/sign-in")))
    };
    answered.await.unwrap_or_else(|problem| page::problem(&app, problem))
}

fn form(app: &App, status: StatusCode, next: &str, username: &str, problem: Option<String>) -> Response {
    let sealed = forms::seal(app, &SignInForm { sign_in_until: app.clock.now().plus_seconds(FORM_SECONDS).0 });
    let page = SignInPage {
        frame: page::frame(app),
        form: Guarded::new(sealed),
        next: next.into(),
        username: username.into(),
        problem,
    };
    page::html(status, &page)
}

/// Where to go after signing in: back to the page of ours that asked, or to the person's own page.
fn destination(params: &Params<'_>, user: &User) -> String {
    let next = params.get("next").filter(|next| is_own_path(next));
    next.map_or_else(
        || match user.user_type {
            UserType::TeamCoord => "/coordinator/api-access".into(),
            UserType::Patient | UserType::Clinician => "/connected-apps".into(),
            UserType::Admin => "/".into(),
        },
        String::from,
    )
}

/// A path on this service; `//host` and `/\host` would lead elsewhere.
fn is_own_path(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\')
}

fn too_many(app: &App, seconds: i64) -> Problem {
    app.metrics.throttled.inc();
    Problem::wait(seconds)
}
