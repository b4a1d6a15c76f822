//! Calls from pages of other origins (CORS): any origin may call what needs no cookie, and no origin is trusted with one.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

const ANY: HeaderValue = HeaderValue::from_static("*");
/// What a script may read of an answer beside what every script may.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Location, Content-Location, Last-Modified, Accept-Ranges, Content-Range, Content-Disposition, \
     WWW-Authenticate, DPoP-Nonce, Retry-After, X-Progress, X-Request-Id",
);
/// What a script may send. The token has to be named: no wildcard covers it.
const SENT: HeaderValue = HeaderValue::from_static(
    "Authorization, DPoP, Content-Type, Accept, If-Match, If-None-Match, If-None-Exist, If-Modified-Since, Prefer, \
     Range, If-Range, X-Org-Public-Id, X-Security-Context, X-Request-Id, traceparent, tracestate",
);
/// Two hours, the longest that browsers heed.
const KEPT_SECONDS: HeaderValue = HeaderValue::from_static("7200");

/// Whether a browser asks on behalf of a page what it may send. Such a request carries no token.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight: these methods.
pub(crate) fn preflight(methods: &HeaderValue) -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::NO_CONTENT;
    answer.headers_mut().extend([
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods.clone()),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, SENT),
        (header::ACCESS_CONTROL_MAX_AGE, KEPT_SECONDS),
    ]);
    answer
}

/// Lets scripts of any origin read the answer, whatever it is.
pub(crate) fn open(answer: &mut Response) {
    let headers = answer.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}
