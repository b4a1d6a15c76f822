//! The app's pages: home, the trace, and what it says when it cannot go on.

use super::conversation::Silence;
use super::diary::Diary;
use super::findings::PDF;
use crate::views::sample::{SampleError, SampleHome, SampleTrace};
use crate::voices::page;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

pub(super) const TRACE: &str = "/walk";

pub(super) async fn home() -> Response {
    page::html(StatusCode::OK, &SampleHome { connect: "/connect".into() })
}

pub(super) async fn walk(State(diary): State<Arc<Diary>>, headers: HeaderMap) -> Response {
    let trace = diary.browsers.with(&headers, |walk| SampleTrace {
        exchanges: walk.exchanges().to_vec(),
        steps: walk.steps(),
        form: walk.form(),
        letter: walk.findings.opened.as_ref().map(|letter| format!("PDF, {} bytes", letter.len())),
    });
    match trace {
        Some(trace) if !trace.exchanges.is_empty() => page::html(StatusCode::OK, &trace),
        _ => page::see_other("/"),
    }
}

/// The letter that was opened last, for the person to keep.
pub(super) async fn letter(State(diary): State<Arc<Diary>>, headers: HeaderMap) -> Response {
    match diary.browsers.with(&headers, |walk| walk.findings.opened.clone()).flatten() {
        Some(letter) => page::file(PDF, "letter.pdf", Body::from(letter)),
        None => page::see_other(TRACE),
    }
}

pub(super) async fn not_found() -> Response {
    error(StatusCode::NOT_FOUND, "Nothing here", "Sleep Diary has no page at this address.", None)
}

/// Sends a browser that knows the app by another name to its own address: cookies and the redirect URI are for that one
/// alone.
pub(super) async fn only_here(State(diary): State<Arc<Diary>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(|host| diary.url.strip_prefix("http://") == Some(host)) {
        return next.run(request).await;
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    page::see_other(&format!("{}{path}", diary.url))
}

pub(super) fn error(status: StatusCode, heading: &str, what_happened: &str, detail: Option<String>) -> Response {
    let (heading, what_happened) = (heading.into(), what_happened.into());
    page::html(status, &SampleError { heading, what_happened, detail })
}

/// The service does not answer.
pub(super) fn silent(diary: &Diary, why: &Silence) -> Response {
    let what = format!("Sleep Diary asked Recordgate at {} and got no answer: {why}.", diary.base_url);
    error(StatusCode::BAD_GATEWAY, "Recordgate does not answer", &what, None)
}
