//! Requests and the parameters that they carry.

use axum::body::Body;
use axum::http::{Method, Request, header, request};

pub fn request(method: Method, path: &str) -> request::Builder {
    Request::builder().method(method).uri(path)
}

pub fn form_request(path: &str, fields: &[(String, String)]) -> Request<Body> {
    request(Method::POST, path)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(encoded(fields)))
        .unwrap()
}

pub fn encoded(fields: &[(String, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

pub fn fields<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The parameters but for one.
pub fn without(fields: &[(String, String)], name: &str) -> Vec<(String, String)> {
    fields.iter().filter(|(known, _)| known != name).cloned().collect()
}

/// The parameters with one set otherwise.
pub fn with(fields: &[(String, String)], name: &str, value: &str) -> Vec<(String, String)> {
    without(fields, name).into_iter().chain([(name.to_owned(), value.to_owned())]).collect()
}
