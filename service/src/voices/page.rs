//! The pages' voice: HTML with the headers that keep it safe, redirects, and the error page.

use super::api::ApiStop;
use super::problem::Problem;
use super::stop::{Situation, Stop};
use crate::app::App;
use crate::app::representation::Representation;
use crate::app::trouble::Trouble;
use crate::http::origin;
use crate::secrets::dice::NoRandomness;
use crate::views::parting::Parting;
use crate::views::{ErrorPage, Frame, navigation};
use askama::Template;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::OnceLock;

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
/// For a page that changes with a release only; short enough that a release is noticed.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Why a handler has no page to show.
#[derive(Debug)]
pub enum PageStop {
    Problem(Problem),
    /// Nobody is signed in: off to sign in, and back to this path afterwards.
    SignInFirst {
        next: String,
        /// Why that is so, for somebody who was signed in.
        why: Option<Parting>,
    },
    /// A code of the second factor is asked for first; back to this path afterwards.
    ProveFirst {
        next: String,
    },
    /// A second factor must be set up before anything else.
    EnrolFirst,
    Trouble(Trouble),
}

impl From<Problem> for PageStop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<Trouble> for PageStop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<store::Error> for PageStop {
    fn from(error: store::Error) -> Self {
        Self::Trouble(error.into())
    }
}

impl From<NoRandomness> for PageStop {
    fn from(error: NoRandomness) -> Self {
        Self::Trouble(error.into())
    }
}

/// What an interaction refuses somebody who looks at their own pages is never about rights: there is no room for it now.
impl From<ApiStop> for PageStop {
    fn from(stop: ApiStop) -> Self {
        match stop {
            ApiStop::Trouble(trouble) => Self::Trouble(trouble),
            ApiStop::Entry(_, stop) => (*stop).into(),
            ApiStop::Refusal(_) | ApiStop::Issues(_) | ApiStop::Rest(_) => Problem::crowded().into(),
        }
    }
}

impl Stop for PageStop {
    fn say(self: Box<Self>, at: &Situation<'_>) -> Response {
        match *self {
            Self::Problem(words) => problem(at.app, words),
            Self::SignInFirst { next, why } => {
                let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
                let why = why.map(|why| format!("&why={}", why.word())).unwrap_or_default();
                see_other(&format!("/sign-in?next={next}{why}"))
            }
            Self::ProveFirst { next } => {
                let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
                see_other(&format!("/second-factor/prove?next={next}"))
            }
            Self::EnrolFirst => see_other("/second-factor"),
            Self::Trouble(trouble) => {
                let report = trouble.report(at.method, at.path);
                problem(at.app, Problem::of_trouble(&report))
            }
        }
    }
}

/// The frame of a page at `here` with these ways around, for a reader who is not signed in.
#[must_use]
pub fn frame(app: &App, ways: &[(&'static str, &'static str)], here: &str) -> Frame {
    Frame { sandbox: app.settings.sandbox, navigation: navigation::links(ways, here), ..Frame::default() }
}

/// Says a problem as a page for a reader who is not known.
pub fn problem(app: &App, problem: Problem) -> Response {
    problem_in(frame(app, navigation::ANYBODY, ""), problem)
}

/// Says a problem as a page in this frame.
pub fn problem_in(frame: Frame, problem: Problem) -> Response {
    let Problem { status, heading, what_was_wrong, what_to_do, retry_after } = problem;
    let page = ErrorPage { frame, status, heading: heading.into(), what_was_wrong, what_to_do: what_to_do.into() };
    let mut response = html(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), &page);
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// A page whose forms post to this service only.
pub fn html(status: StatusCode, page: &impl Template) -> Response {
    html_posting_to(status, page, "")
}

/// A page whose form ends in a redirect to `further`, which browsers hold against `form-action` too.
pub fn html_posting_to(status: StatusCode, page: &impl Template, further: &str) -> Response {
    protected(status, page, further, None)
}

/// The same of a page that may ask the browser for a passkey, which no page can do without script: the one file of it that there is.
pub fn html_with_passkey(
    app: &App,
    status: StatusCode,
    page: &impl Template,
    (further, does_ask): (&str, bool),
) -> Response {
    let script = format!("{}/assets/passkey.js", origin::of_url(&app.settings.base_url));
    protected(status, page, further, does_ask.then_some(&script))
}

fn protected(status: StatusCode, page: &impl Template, further: &str, script: Option<&String>) -> Response {
    match page.render() {
        Ok(text) => {
            let mut response = (status, [(header::CONTENT_TYPE, HTML)], text).into_response();
            protect(response.headers_mut(), further, script);
            response
        }
        Err(error) => unrendered(&error),
    }
}

/// A page that is the same for everybody and is made once; browsers may keep it for a while.
pub fn made_once<T: Template>(
    memory: &OnceLock<Representation>,
    make: impl FnOnce() -> T,
    headers: &HeaderMap,
) -> Response {
    let made = match memory.get() {
        Some(made) => made,
        None => match make().render() {
            Ok(text) => memory.get_or_init(|| Representation::of(text)),
            Err(error) => return unrendered(&error),
        },
    };
    let mut response = made.answer(headers, HTML, KEPT);
    protect(response.headers_mut(), "", None);
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    response
}

fn unrendered(error: &askama::Error) -> Response {
    tracing::error!(%error, "a page could not be rendered");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

/// A file for the reader to keep.
pub fn file(media_type: &'static str, name: &str, body: Body) -> Response {
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let mut response = ([(header::CONTENT_TYPE, media_type)], body).into_response();
    if let Ok(disposition) = disposition {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    }
    protect(response.headers_mut(), "", None);
    response
}

/// 303: the browser goes on with GET, and a reload repeats nothing.
pub fn see_other(location: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(location) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response();
    protect(response.headers_mut(), "", None);
    response
}

fn protect(headers: &mut HeaderMap, further: &str, script: Option<&String>) {
    let script = script.map(|url| format!("; script-src {url}")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'{script}; style-src 'self'; img-src 'self'; form-action 'self'{further}; frame-ancestors 'none'; base-uri 'none'"
    );
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
