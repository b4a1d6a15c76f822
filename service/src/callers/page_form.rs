//! A form that a page of ours sent; what comes from elsewhere, or cannot be read, is refused.

use crate::app::App;
use crate::http::forms::{self, FormFault};
use crate::http::origin;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use axum::body::Body;
use axum::http::HeaderMap;
use rules::params::{ParamFault, Params};

/// Where to go afterwards, if that is a path on this service, and home otherwise; `//host` and `/\host` would lead elsewhere.
pub fn own_path(path: &str) -> &str {
    let is_own =
        path.starts_with('/') && !path.starts_with("//") && path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if is_own { path } else { "/" }
}

/// The parameters of such a form. Whose it is, and whether it is still good, its sealed field says.
pub async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Params<'static>, PageStop> {
    must_be_our_own(app, headers)?;
    Ok(forms::read(headers, body).await.map_err(problem)?)
}

/// The same of a form with a field for a text.
pub async fn read_long(app: &App, headers: &HeaderMap, body: Body) -> Result<Params<'static>, PageStop> {
    must_be_our_own(app, headers)?;
    Ok(forms::read_long(headers, body).await.map_err(problem)?)
}

fn must_be_our_own(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    if origin::is_our_own(app, headers) { Ok(()) } else { Err(Problem::foreign_form()) }
}

fn problem(fault: FormFault) -> Problem {
    match fault {
        FormFault::TooLarge | FormFault::Unreadable(ParamFault::TooLong(_)) => Problem::too_large(),
        _ => Problem::stale_form(),
    }
}
