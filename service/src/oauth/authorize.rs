//! `/apiAuthorize.action`: checks the request and shows the authorization page, or the error page; never a redirect
//! for a request that is wrong in itself.

use super::authorization_page::{check, page as authorization_page, wrong};
use super::decision;
use crate::app::{App, Shared};
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use crate::voices::page::{self, Problem};
use axum::extract::{Request, State};
use axum::http::Uri;
use axum::response::Response;
use rules::authorize::Fault;
use rules::params::{ParamFault, Params};

pub async fn show(State(app): State<Shared>, uri: Uri) -> Response {
    let query = uri.query().unwrap_or_default();
    answer(&app, show_page(&app, forms::params(query.as_bytes())).await)
}

/// A POST with the request's parameters works as GET does; with a decision it is the page's own form.
pub async fn post(State(app): State<Shared>, request: Request) -> Response {
    let address = origin::address(&app, request.headers(), request.extensions());
    let (parts, body) = request.into_parts();
    let params = match forms::read(&parts.headers, body).await {
        Ok(params) => params,
        Err(FormFault::TooLarge) => return page::problem(&app, Problem::too_large()),
        Err(FormFault::Unreadable(fault)) => return answer(&app, Err(wrong(&Fault::Unreadable(fault)))),
        Err(FormFault::NotAForm | FormFault::Broken) => return answer(&app, Err(wrong(&Fault::MissingClientId))),
    };
    if params.get("decision").is_none() && params.get(forms::FIELD).is_none() {
        return answer(&app, show_page(&app, Ok(params)).await);
    }
    if !origin::is_our_own(&app, &parts.headers) {
        return page::problem(&app, Problem::foreign_form());
    }
    answer(&app, decision::decide(&app, &params, address).await)
}

fn answer(app: &App, answered: Result<Response, Problem>) -> Response {
    answered.unwrap_or_else(|problem| page::problem(app, problem))
}

async fn show_page(app: &App, params: Result<Params<'_>, ParamFault>) -> Result<Response, Problem> {
    let params = params.map_err(|fault| wrong(&Fault::Unreadable(fault)))?;
    let checked = check(app, params).await?;
    authorization_page(app, &checked, 1, "", None)
}
