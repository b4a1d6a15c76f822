//! `/apiLogout.action` (OpenID Connect RP-Initiated Logout 1.0): an app asks that its user be signed out here. What ends is the sign-in of
//! this browser; what apps were given stays, until its user takes it back.

use crate::app::App;
use crate::app::signing;
use crate::app::subjects::{self, Sector};
use crate::app::trouble::{During, Trouble};
use crate::callers::requirement::Anyone;
use crate::callers::sign_in::{self, SignIn};
use crate::http::call::Call;
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use crate::secrets::id_token_hint;
use crate::views::everyone::{DonePage, Link, LogoutPage};
use crate::views::{GuardedText, navigation};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rules::limits::FORM_SECONDS;
use rules::logout::{self, LogoutFault};
use rules::moment::Moment;
use rules::params::{ParamFault, Params};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::clients::{self, Client};
use store::sign_ins;

pub(super) const PATH: &str = "/apiLogout.action";
const CONFIRMATION: &str = "/sign-out/for-app";
/// The parameter of a request that was read before and comes back, sealed.
const REQUEST: &str = "request";
const PURPOSE: &str = "sign-out-for-app";

/// A request that is right, sealed on its way through the browser.
#[derive(Serialize, Deserialize)]
struct LogoutRequest {
    product: Option<String>,
    /// Who is to be signed out: the `sub` of an id_token, and the sector in which it is theirs.
    subject: Option<HintedSubject>,
    /// Where it leads, with the state.
    redirect: Option<String>,
    good_until: i64,
}

#[derive(Serialize, Deserialize)]
struct HintedSubject {
    sub: String,
    client_id: String,
    sector: Option<String>,
}

/// `GET /apiLogout.action`.
pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let params = forms::params(call.query().unwrap_or_default().as_bytes()).map_err(unreadable)?;
    let request = match params.get(REQUEST) {
        Some(sealed) => reopened(&call.app, sealed)?,
        None => read(&call.app, &params).await?,
    };
    begin(&call.app, &call.head.headers, request).await
}

/// `POST /apiLogout.action`: browsers leave our cookie out of what another site posts, so the browser is sent here once more.
pub async fn post(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let params = forms::read(&head.headers, body).await.map_err(|fault| match fault {
        FormFault::TooLarge => Problem::too_large(),
        FormFault::Unreadable(fault) => unreadable(fault),
        FormFault::NotAForm | FormFault::Broken => Problem::unreadable_address(),
    })?;
    let request = read(&app, &params).await?;
    Ok(page::see_other(&format!("{PATH}?{REQUEST}={}", forms::seal(&app, &request))))
}

/// `POST /sign-out/for-app`: the person says yes.
pub async fn sign_out(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let params = person.own_form(&app, &head.headers, body, PURPOSE).await?;
    let request = reopened(&app, params.get(REQUEST).unwrap_or_default())?;
    end(&app, &person, &request).await
}

async fn read(app: &App, params: &Params<'_>) -> Result<LogoutRequest, PageStop> {
    let hint = match params.get("id_token_hint") {
        Some(text) => {
            let published = signing::published(app).await.map_err(Trouble::from)?;
            id_token_hint::read(text, &published, &app.settings.base_url)
        }
        None => None,
    };
    let client = match logout::client_id(params, hint.as_ref()).map_err(wrong)? {
        Some(client_id) => Some(client_named(app, client_id).await?),
        None => None,
    };
    let registered = client.as_ref().map(|client| client.post_logout_redirect_uris.as_slice());
    let redirect = logout::redirect(params, registered).map_err(wrong)?;
    Ok(LogoutRequest {
        product: client.as_ref().map(|client| client.product.clone()),
        redirect: redirect.map(|uri| with_state(&uri, params.get("state"))),
        subject: hint.zip(client).map(|(hint, client)| HintedSubject {
            sub: hint.subject,
            client_id: client.client_id.clone(),
            sector: client.sector.clone(),
        }),
        good_until: app.clock.now().plus_seconds(FORM_SECONDS).0,
    })
}

async fn client_named(app: &App, client_id: &str) -> Result<Arc<Client>, PageStop> {
    let found = clients::find(&app.store, client_id).await.during("looking an app up")?;
    Ok(found.filter(|client| client.disabled_at.is_none()).ok_or_else(|| wrong(LogoutFault::UnknownClient))?)
}

/// Signs out whom the app means, or asks whoever is signed in.
async fn begin(app: &App, headers: &HeaderMap, request: LogoutRequest) -> Result<Response, PageStop> {
    let Ok(person) = sign_in::find(app, headers).await? else { return Ok(nobody_left(app, &request)) };
    if is_meant(app, &person, &request).await? {
        return end(app, &person, &request).await;
    }
    let target = request.redirect.as_deref().map(origin::form_target);
    let page = LogoutPage {
        frame: person.frame(app, ""),
        name: person.user.name.clone(),
        product: request.product.clone(),
        action: CONFIRMATION.into(),
        form: person.form(app, PURPOSE),
        request: GuardedText::new(forms::seal(app, &request)),
    };
    let target = target.map(|target| format!(" {target}")).unwrap_or_default();
    person.keep(app, Ok(page::html_posting_to(StatusCode::OK, &page, &target)))
}

/// Whether the id_token of the request is of the person who is signed in.
async fn is_meant(app: &App, person: &SignIn, request: &LogoutRequest) -> Result<bool, PageStop> {
    let Some(hinted) = &request.subject else { return Ok(false) };
    let sector = hinted.sector.as_deref().map_or(Sector::OfClient(&hinted.client_id), Sector::Named);
    Ok(subjects::subject(app, sector, person.user.id).await? == hinted.sub)
}

async fn end(app: &App, person: &SignIn, request: &LogoutRequest) -> Result<Response, PageStop> {
    sign_ins::end(&app.store, person.id, person.user.id, person.now).await.during("signing somebody out")?;
    Ok(sign_in::forget(app, nobody_left(app, request)))
}

/// The answer where nobody is signed in, or not any more.
fn nobody_left(app: &App, request: &LogoutRequest) -> Response {
    if let Some(redirect) = &request.redirect {
        return page::see_other(redirect);
    }
    let page = DonePage {
        frame: page::frame(app, navigation::SIGNED_OUT, ""),
        heading: "You are signed out".into(),
        text: "Apps that you have connected keep their access. To take it back, sign in and open Connected apps."
            .into(),
        links: vec![Link { href: "/sign-in".into(), text: "Sign in".into() }],
    };
    page::html(StatusCode::OK, &page)
}

fn with_state(uri: &str, state: Option<&str>) -> String {
    let Some(state) = state else { return uri.to_owned() };
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("state", state).finish();
    let joint = if uri.contains('?') { '&' } else { '?' };
    format!("{uri}{joint}{query}")
}

fn reopened(app: &App, sealed: &str) -> Result<LogoutRequest, PageStop> {
    let request: Option<LogoutRequest> = forms::open(app, sealed);
    let request = request.filter(|request| !app.clock.now().is_past(Moment(request.good_until)));
    Ok(request.ok_or_else(Problem::stale_form)?)
}

fn unreadable(fault: ParamFault) -> Problem {
    wrong(LogoutFault::Unreadable(fault))
}

fn wrong(fault: LogoutFault) -> Problem {
    let what_to_do = "You are still signed in. To sign out, use Sign out at the top of any page here.";
    Problem::new(400, "This link from the app is not right", fault.words(), what_to_do)
}
