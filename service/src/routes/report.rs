//! What is told of an answered request, to the log and to a collector of spans: what was asked for, what came of it, how long it
//! took and who asked. Never what was in it: no query, no body, no token, and the path as the route has it.

use crate::app::config::RequestLog;
use crate::app::logs::REQUESTS;
use crate::app::metrics::LineLabels;
use crate::app::telemetry::ServerSpan;
use crate::app::{App, request_context};
use crate::formats::trace_parent::{SpanId, TraceId};
use axum::http::{Method, StatusCode};
use std::time::Duration;

/// Tells of an answered request whoever wants to know of such.
pub(super) fn tell(app: &App, method: &Method, route: &'static str, status: StatusCode, taken: Duration) {
    log(app, method, route, status, taken);
    if app.spans.is_some() {
        trace(app, method, route, status, taken);
    }
}

fn log(app: &App, method: &Method, route: &'static str, status: StatusCode, taken: Duration) {
    let left_out = match app.settings.log_requests {
        RequestLog::Off => return,
        RequestLog::Failures if status.as_u16() < 400 => return,
        RequestLog::Failures => match app.failed_requests.take(app.clock.uptime()) {
            Some(left_out) => left_out,
            None => return app.metrics.leave_line_out(&LineLabels::REQUESTS),
        },
        RequestLog::All => 0,
    };
    let client = request_context::client();
    let client = client.as_deref();
    let (method, status, ms) = (method_word(method), status.as_u16(), taken.as_secs_f64() * 1000.0);
    let left_out = (left_out > 0).then_some(left_out);
    tracing::info!(target: REQUESTS, method, route, status, ms, client, left_out, "a request was answered");
}

/// Gives the request's span to the exporter, unless its caller has decided that the trace is not kept.
fn trace(app: &App, method: &Method, route: &'static str, status: StatusCode, taken: Duration) {
    let (Some(spans), Some(request)) = (&app.spans, request_context::id()) else { return };
    let parent = request_context::parent();
    let number = app.request_ids.number();
    if !parent.map_or_else(|| spans.keeps(number), |parent| parent.sampled) {
        return;
    }
    let made = || TraceId((u128::from(app.request_ids.number()) << 64) | u128::from(number));
    spans.push(ServerSpan {
        trace: parent.map_or_else(made, |parent| parent.trace),
        span: SpanId(number.max(1)),
        parent: parent.map(|parent| parent.span),
        ended: app.clock.of_machine(),
        taken,
        method: method_word(method),
        route,
        status: status.as_u16(),
        request: request.as_str().to_owned(),
        client: request_context::client(),
    });
}

/// A method that no route has may be any word, and a secret as well.
pub(super) fn method_word(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|known| method.as_str() == *known).unwrap_or("other")
}
