//! The length of a request's head.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};

/// The length of a request's first line and headers. The connection's buffer bounds what is read, not what is parsed:
/// a head that arrives in large pieces may be about twice as long as the buffer.
pub(crate) fn bytes(request: &Request) -> usize {
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let first_line = request.method().as_str().len() + path + "  HTTP/1.1\r\n".len();
    let line = |name: &HeaderName, value: &HeaderValue| name.as_str().len() + value.len() + ": \r\n".len();
    request.headers().iter().map(|(name, value)| line(name, value)).sum::<usize>() + first_line + "\r\n".len()
}
