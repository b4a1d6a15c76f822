//! Which handler answers a request. Every route is a path as it stands, or ends in one free part, `{id}`: so two looks
//! into a table find it, and no router for whatever paths there may be is needed (decision 0011).

use super::list::{self as routes, Answering, Who};
use crate::app::Shared;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::convert::Infallible;

type Paths = HashMap<&'static str, Methods, RandomState>;

/// The routes of a running service, by path.
#[derive(Debug)]
pub struct Dispatch {
    pub(crate) app: Shared,
    as_they_stand: Paths,
    /// By what comes before the free part.
    with_a_free_end: Paths,
}

/// What a path answers to.
#[derive(Default)]
struct Methods {
    get: Option<Answering>,
    post: Option<Answering>,
}

impl std::fmt::Debug for Methods {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.allowed())
    }
}

impl Methods {
    const fn allowed(&self) -> &'static str {
        match (&self.get, &self.post) {
            (Some(_), Some(_)) => "GET,HEAD,POST",
            (Some(_), None) => "GET,HEAD",
            (None, _) => "POST",
        }
    }
}

impl Dispatch {
    /// The routes of this service; those of the sandbox only if it is one.
    #[must_use]
    pub fn new(app: Shared) -> Self {
        let (mut as_they_stand, mut with_a_free_end) = (Paths::default(), Paths::default());
        for route in routes::routes() {
            if route.who == Who::Sandbox && !app.settings.sandbox {
                continue;
            }
            let methods = match cut(route.path) {
                Some((before, end)) if end.starts_with('{') => with_a_free_end.entry(before),
                _ => as_they_stand.entry(route.path),
            };
            let methods = methods.or_default();
            let place = if route.method == Method::POST { &mut methods.post } else { &mut methods.get };
            *place = Some(route.answering);
        }
        Self { app, as_they_stand, with_a_free_end }
    }

    /// Answers a request. A path that is not there, or not with that method, is refused in the voice of the part of the
    /// service that it belongs to.
    pub async fn answer(&self, request: Request) -> Response {
        let path = request.uri().path();
        let Some(methods) = self.at(path) else { return routes::not_found(&self.app, path) };
        let answering = match *request.method() {
            Method::GET | Method::HEAD => methods.get.as_ref(),
            Method::POST => methods.post.as_ref(),
            _ => None,
        };
        let Some(answering) = answering else {
            let mut refused = routes::wrong_method(&self.app, path);
            refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods.allowed()));
            return refused;
        };
        let is_head = *request.method() == Method::HEAD;
        let answer = answering(request, self.app.clone()).await;
        if is_head { head_of(answer) } else { answer }
    }

    fn at(&self, path: &str) -> Option<&Methods> {
        self.as_they_stand.get(path).or_else(|| match cut(path)? {
            (_, "") => None,
            (before, _) => self.with_a_free_end.get(before),
        })
    }
}

/// A path before and after its last slash.
fn cut(path: &str) -> Option<(&str, &str)> {
    path.rsplit_once('/')
}

/// The answer to HEAD is that to GET, with its length and without its body.
fn head_of(answer: Response) -> Response {
    let (mut parts, body) = answer.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.entry(header::CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

/// What the free end of a path names; `None` if it is no text.
#[derive(Debug)]
pub struct FreeEnd(pub Option<String>);

impl<S: Sync> FromRequestParts<S> for FreeEnd {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let end = cut(parts.uri.path()).map_or("", |(_, end)| end);
        Ok(Self(percent_encoding::percent_decode_str(end).decode_utf8().ok().map(String::from)))
    }
}
