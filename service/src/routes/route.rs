//! One route: method, path, voice, what the caller must be, and the handler.

use crate::callers::requirement::{Requirement, Who};
use crate::http::call::Call;
use crate::voices::stop::{Stop, Voice};
use axum::http::Method;
use axum::response::Response;
use std::pin::Pin;

/// An answer on its way, or what stops it.
pub(super) type Answer = Pin<Box<dyn Future<Output = Result<Response, Box<dyn Stop>>> + Send>>;

/// One route. `GET` also answers `HEAD`. Any part of its path may be free: `{id}`.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub voice: Voice,
    /// From the type that the handler takes.
    pub who: Who,
    /// Whether it is there in a sandbox only.
    pub sandbox_only: bool,
    /// Whether pages of other origins may call it.
    pub is_open: bool,
    pub(super) answer: Box<dyn Fn(Call) -> Answer + Send + Sync>,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({:?})", self.method, self.path, self.who)
    }
}

impl Route {
    pub(super) const fn in_sandbox_only(mut self) -> Self {
        self.sandbox_only = true;
        self
    }

    /// Closed to pages of other origins, though its voice is open.
    pub(super) const fn closed_to_other_origins(mut self) -> Self {
        self.is_open = false;
        self
    }
}

/// What answers the calls of a route: a function of a caller that fulfils a requirement, and the call.
pub(super) trait Handler<R>: Copy + Send + Sync + 'static {
    fn answer(self, caller: R, call: Call) -> impl Future<Output = Result<Response, Box<dyn Stop>>> + Send;
}

impl<R, H, F, S> Handler<R> for H
where
    R: Send,
    H: Fn(R, Call) -> F + Copy + Send + Sync + 'static,
    F: Future<Output = Result<Response, S>> + Send,
    S: Stop + 'static,
{
    async fn answer(self, caller: R, call: Call) -> Result<Response, Box<dyn Stop>> {
        self(caller, call).await.map_err(|stop| Box::new(stop) as Box<dyn Stop>)
    }
}

fn route<R: Requirement + 'static>(
    method: Method,
    voice: Voice,
    path: &'static str,
    handler: impl Handler<R>,
) -> Route {
    let answer = move |call: Call| -> Answer {
        Box::pin(async move {
            let caller = R::of(&call.app, &call.head).await.map_err(|stop| Box::new(stop) as Box<dyn Stop>)?;
            handler.answer(caller, call).await
        })
    };
    Route { method, path, voice, who: R::WHO, sandbox_only: false, is_open: voice.is_open(), answer: Box::new(answer) }
}

pub(super) fn get<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Route {
    route(Method::GET, voice, path, handler)
}

pub(super) fn post<R: Requirement + 'static>(voice: Voice, path: &'static str, handler: impl Handler<R>) -> Route {
    route(Method::POST, voice, path, handler)
}
