//! The pages' voice: HTML with the headers that keep it safe, redirects, and the error page.

use crate::app::App;
use crate::views::{ErrorPage, Frame};
use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rules::answers::Refusal;

/// What stands in the way of showing a page, in words for the person in front of it.
#[derive(Debug)]
pub struct Problem {
    pub status: u16,
    pub heading: &'static str,
    pub what_was_wrong: String,
    pub what_to_do: &'static str,
    pub retry_after: Option<i64>,
}

impl Problem {
    #[must_use]
    pub fn new(
        status: u16,
        heading: &'static str,
        what_was_wrong: impl Into<String>,
        what_to_do: &'static str,
    ) -> Self {
        Self { status, heading, what_was_wrong: what_was_wrong.into(), what_to_do, retry_after: None }
    }

    /// Too many failures: when to come back.
    #[must_use]
    pub fn wait(seconds: i64) -> Self {
        let minutes = crate::formats::when::length((seconds + 59) / 60 * 60);
        let wait = format!("There were too many failed attempts. Please wait {minutes} before the next one.");
        Self { retry_after: Some(seconds), ..Self::new(429, "Please wait", wait, "Then go back and try again.") }
    }

    /// Too many people are signing in at this moment.
    #[must_use]
    pub fn busy() -> Self {
        let busy = "Many people are signing in at this moment.";
        Self { retry_after: Some(2), ..Self::new(503, "Please try again", busy, "Go back and try again in a moment.") }
    }

    #[must_use]
    pub fn too_large() -> Self {
        Self::new(413, "That was too much", "The form that was sent is too large.", "Go back and try again.")
    }

    /// A form of ours that was opened too long ago, used before, or never ours.
    #[must_use]
    pub fn stale_form() -> Self {
        let wrong = "This page was open for too long, or was used already.";
        Self::new(400, "This page has expired", wrong, "Go back to where you came from and start again.")
    }

    #[must_use]
    pub fn foreign_form() -> Self {
        let wrong = "The form was sent from another website.";
        Self::new(403, "Not from here", wrong, "Open the page on this website and try again.")
    }

    #[must_use]
    pub fn not_found() -> Self {
        Self::new(404, "Page not found", "There is no page at this address.", "Check the address, or go back.")
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Self {
        let next = "Please try again in a moment.";
        match crate::voices::api::trouble(&error) {
            Refusal::Unavailable => Self {
                retry_after: Some(1),
                ..Self::new(503, "Please try again", "The service is busy at this moment.", next)
            },
            _ => Self::new(500, "Something went wrong", "Something went wrong on our side. It has been noted.", next),
        }
    }
}

impl From<crate::secrets::dice::NoRandomness> for Problem {
    fn from(error: crate::secrets::dice::NoRandomness) -> Self {
        tracing::error!(%error, "no randomness");
        Self::new(500, "Something went wrong", "Something went wrong on our side.", "Please try again in a moment.")
    }
}

/// The frame of a page for somebody who is not signed in.
#[must_use]
pub fn frame(app: &App) -> Frame {
    Frame { sandbox: app.settings.sandbox, ..Frame::default() }
}

/// Says a problem as a page.
pub fn problem(app: &App, problem: Problem) -> Response {
    let Problem { status, heading, what_was_wrong, what_to_do, retry_after } = problem;
    let page =
        ErrorPage { frame: frame(app), status, heading: heading.into(), what_was_wrong, what_to_do: what_to_do.into() };
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
    match page.render() {
        Ok(text) => {
            let mut response = (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response();
            protect(response.headers_mut(), further);
            response
        }
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// 303: the browser goes on with GET, and a reload repeats nothing.
pub fn see_other(location: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(location) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response();
    protect(response.headers_mut(), "");
    response
}

fn protect(headers: &mut HeaderMap, further: &str) {
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{further}; frame-ancestors 'none'; base-uri 'none'"
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
