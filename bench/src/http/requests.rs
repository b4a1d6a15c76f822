//! The bytes of the requests that the driver sends.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// An authenticated read over the FHIR API.
pub(crate) fn read(host: &str, path: &str, access_token: &str) -> Vec<u8> {
    format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/fhir+json\r\n\
         Authorization: Bearer {access_token}\r\n\r\n"
    )
    .into_bytes()
}

/// The same for an organisation.
pub(crate) fn read_for(host: &str, path: &str, access_token: &str, organisation: &str) -> Vec<u8> {
    let mut request = read(host, path, access_token);
    request.truncate(request.len() - 2);
    request.extend_from_slice(format!("X-Org-Public-Id: {organisation}\r\n\r\n").as_bytes());
    request
}

/// A resource that is created for an organisation.
pub(crate) fn create_for(host: &str, path: &str, access_token: &str, organisation: &str, body: &str) -> Vec<u8> {
    let mut request = create_head(host, path, access_token, organisation, body.len());
    request.extend_from_slice(body.as_bytes());
    request
}

/// What stands before a body of this length that is sent for an organisation.
pub(crate) fn create_head(host: &str, path: &str, access_token: &str, organisation: &str, length: usize) -> Vec<u8> {
    let who = format!("Authorization: Bearer {access_token}\r\nX-Org-Public-Id: {organisation}\r\n");
    head(host, path, &who, length).into_bytes()
}

/// A resource that is sent to a server which asks nobody who they are.
pub(crate) fn create_openly(host: &str, path: &str, body: &str) -> Vec<u8> {
    (head(host, path, "", body.len()) + body).into_bytes()
}

fn head(host: &str, path: &str, who: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\n{who}Prefer: return=minimal\r\nContent-Type: application/fhir+json\r\n\
         Content-Length: {length}\r\n\r\n"
    )
}

/// JSON that is sent to the custom REST API.
pub(crate) fn post_json(host: &str, path: &str, access_token: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {access_token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A plain GET, for the pages that say whether a server is up.
pub(crate) fn get(host: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes()
}

/// A form sent by a client that names itself in the body.
pub(crate) fn form(host: &str, path: &str, body: &str) -> Vec<u8> {
    post(host, path, "", body)
}

/// A form sent by a client that proves itself with HTTP Basic.
pub(crate) fn form_with_secret(host: &str, path: &str, client: &str, secret: &str, body: &str) -> Vec<u8> {
    let pair = STANDARD.encode(format!("{client}:{secret}"));
    post(host, path, &format!("Authorization: Basic {pair}\r\n"), body)
}

fn post(host: &str, path: &str, authorization: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\n{authorization}Content-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
