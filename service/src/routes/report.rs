//! The line of the log about an answered request: what was asked for, what came of it, how long it took and who asked. Never
//! what was in it: no query, no body, no token, and the path as the route has it.

use crate::app::config::RequestLog;
use crate::app::logs::REQUESTS;
use crate::app::{App, request_context};
use axum::http::{Method, StatusCode};
use std::time::Duration;

/// Logs an answered request, if the operator wants to read of such.
pub(super) fn tell(app: &App, method: &Method, route: &'static str, status: StatusCode, taken: Duration) {
    let left_out = match app.settings.log_requests {
        RequestLog::Off => return,
        RequestLog::Failures if status.as_u16() < 400 => return,
        RequestLog::Failures => match app.failed_requests.take(app.clock.uptime()) {
            Some(left_out) => left_out,
            None => return app.metrics.leave_line_out("requests"),
        },
        RequestLog::All => 0,
    };
    let client = request_context::client();
    let client = client.as_deref();
    let (method, status, ms) = (method_word(method), status.as_u16(), taken.as_secs_f64() * 1000.0);
    let left_out = (left_out > 0).then_some(left_out);
    tracing::info!(target: REQUESTS, method, route, status, ms, client, left_out, "a request was answered");
}

/// A method that no route has may be any word, and a secret as well.
pub(super) fn method_word(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|known| method.as_str() == *known).unwrap_or("other")
}
