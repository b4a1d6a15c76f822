//! `/apiAuthorize.action`: checks the request and shows the authorization page, or the error page; never a redirect
//! for a request that is wrong in itself.

use super::authorization_page::{check, page as authorization_page, wrong};
use super::decision;
use super::launched;
use super::pushed_request;
use super::silent;
use crate::app::App;
use crate::callers::login::Login;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use axum::http::HeaderMap;
use axum::response::Response;
use rules::authorize::{Fault, REQUEST_URI};
use rules::guidance::served::Served;
use rules::params::{ParamFault, Params};

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let query = call.query().unwrap_or_default();
    show_page(&call.app, forms::params(query.as_bytes()), &call.head.headers, call.served).await
}

/// A POST with the request's parameters works as GET does; with a decision it is the page's own form.
pub async fn post(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, served, .. } = call;
    let params = forms::read(&head.headers, body).await.map_err(|fault| match fault {
        FormFault::TooLarge => Problem::too_large(),
        FormFault::Unreadable(fault) => wrong(&Fault::Unreadable(fault)),
        FormFault::NotAForm | FormFault::Broken => wrong(&Fault::MissingClientId),
    })?;
    if params.get("decision").is_none() && params.get(forms::FIELD).is_none() {
        return show_page(&app, Ok(params), &head.headers, served).await;
    }
    if !origin::is_our_own(&app, &head.headers) {
        return Err(Problem::foreign_form().into());
    }
    let login = Login::read(&params, &head.headers, origin::address(&app, &head.headers, peer));
    decision::decide(&app, &params, &login, served).await
}

async fn show_page(
    app: &App,
    params: Result<Params<'_>, ParamFault>,
    headers: &HeaderMap,
    served: &'static Served,
) -> Result<Response, PageStop> {
    let params = params.map_err(|fault| wrong(&Fault::Unreadable(fault)))?;
    let pushed = params.get(REQUEST_URI).map(|uri| pushed_request::named(app, uri, params.get("client_id")));
    let (params, form) = match pushed.transpose().map_err(|fault| wrong(&fault))? {
        Some((params, form)) => (params, Some(form)),
        None => (params, None),
    };
    let mut checked = check(app, params, served).await?;
    checked.form = form;
    if checked.client.require_par && checked.form.is_none() {
        return Err(wrong(&Fault::PushNeeded).into());
    }
    let launcher = launched::read(app, headers, &mut checked).await?;
    let smart = checked.request.smart.as_ref();
    if smart.is_some_and(|offer| offer.is_silent) {
        return silent::answer(app, headers, checked).await;
    }
    if let Some(user) = launcher {
        return decision::ask_for_approval(app, checked, &user).await;
    }
    let username = smart.and_then(|offer| offer.login_hint.clone()).unwrap_or_default();
    authorization_page(app, &checked, 1, &username, None)
}
