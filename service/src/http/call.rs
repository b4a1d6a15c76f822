//! A call: one request with the service that answers it, as every handler takes it.

use super::path;
use crate::app::Shared;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use rules::guidance::served::Served;
use std::borrow::Cow;
use std::net::IpAddr;

/// One request on its way through its handler.
#[derive(Debug)]
pub struct Call {
    pub app: Shared,
    /// Apart, because a call is handed on several times.
    pub head: Box<Parts>,
    pub body: Body,
    /// The other end of the connection.
    pub peer: IpAddr,
    /// What the service does, by its list of routes: pages promise nothing else.
    pub served: &'static Served,
    /// The path of the route, with its free parts named.
    pattern: &'static str,
}

impl Call {
    pub(crate) fn new(
        app: Shared,
        request: Request,
        peer: IpAddr,
        pattern: &'static str,
        served: &'static Served,
    ) -> Self {
        let (head, body) = request.into_parts();
        Self { app, head: Box::new(head), body, peer, served, pattern }
    }

    /// What stands at `{name}` in the path, decoded; `None` if it is no text.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<Cow<'_, str>> {
        path::part(self.pattern, self.head.uri.path(), name)
    }

    /// What comes after the question mark.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.head.uri.query()
    }
}
