//! Spans as OTLP writes them in JSON.

use super::server_span::ServerSpan;
use serde_json::{Value, json};

/// `SPAN_KIND_SERVER`.
const SERVER: u8 = 2;
/// `STATUS_CODE_ERROR`: only for what was our fault.
const ERROR: u8 = 2;

/// The body of one export. `instance` tells processes apart.
pub(super) fn body(spans: &[ServerSpan], instance: &str) -> String {
    let resource = [
        text("service.name", "recordgate"),
        text("service.version", env!("CARGO_PKG_VERSION")),
        text("service.instance.id", instance),
    ];
    let spans: Vec<Value> = spans.iter().map(span).collect();
    let scope = json!({ "name": "recordgate", "version": env!("CARGO_PKG_VERSION") });
    let spans = json!({
        "resource": { "attributes": resource },
        "scopeSpans": [{ "scope": scope, "spans": spans }],
    });
    json!({ "resourceSpans": [spans] }).to_string()
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn span(span: &ServerSpan) -> Value {
    let mut attributes = vec![
        text("http.request.method", span.method),
        text("http.route", span.route),
        json!({ "key": "http.response.status_code", "value": { "intValue": span.status.to_string() } }),
        text("recordgate.request_id", &span.request),
    ];
    attributes.extend(span.client.as_deref().map(|client| text("recordgate.client_id", client)));
    // Numbers of 64 bits are texts in OTLP's JSON.
    let mut told = json!({
        "traceId": span.trace.to_string(),
        "spanId": span.span.to_string(),
        "name": format!("{} {}", span.method, span.route),
        "kind": SERVER,
        "startTimeUnixNano": span.ended.saturating_sub(span.taken).as_nanos().to_string(),
        "endTimeUnixNano": span.ended.as_nanos().to_string(),
        "attributes": attributes,
    });
    if let Some(members) = told.as_object_mut() {
        members.extend(span.parent.map(|parent| ("parentSpanId".to_owned(), parent.to_string().into())));
        members.extend((span.status >= 500).then(|| ("status".to_owned(), json!({ "code": ERROR }))));
    }
    told
}
