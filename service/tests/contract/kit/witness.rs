//! The witness of everything secret that was sent or received: no answer may repeat what was sent, no log may tell it.

use super::reply::Reply;
use axum::body::Body;
use axum::http::{Request, header};
use http_body_util::BodyExt;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Form fields whose values are nobody else's business.
const SECRET_FIELDS: [&str; 8] =
    ["password", "form", "code", "refresh_token", "client_secret", "client_assertion", "code_verifier", "access_token"];
/// Shorter texts occur by chance.
const SHORTEST: usize = 8;

/// `refresh_token` and its like: a word of the protocol, wherever somebody put it.
fn is_a_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Remembers secrets.
#[derive(Default)]
pub struct Witness(Mutex<BTreeSet<String>>);

impl Witness {
    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().cloned().collect()
    }

    fn hear(&self, secrets: &[String]) {
        self.0.lock().unwrap().extend(secrets.iter().cloned());
    }

    /// Remembers a request's secrets and gives them back with the request.
    pub async fn hear_request(&self, request: Request<Body>) -> (Request<Body>, Vec<String>) {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let is_secret = |name: &str| SECRET_FIELDS.contains(&name);
        let sent = form_urlencoded::parse(&body);
        let mut secrets: Vec<String> =
            sent.filter(|(name, _)| is_secret(name)).map(|(_, value)| value.into_owned()).collect();
        let query = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let open = sent.chain(query).filter(|(name, _)| !is_secret(name));
        let open: Vec<String> = open.map(|(_, value)| value.into_owned()).collect();
        let headers = parts.headers.get_all(header::AUTHORIZATION).iter().filter_map(|value| value.to_str().ok());
        secrets.extend(headers.filter_map(|value| Some(value.split_once(' ')?.1.to_owned())));
        for line in parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()) {
            secrets.extend(line.split(';').filter_map(|pair| Some(pair.split_once('=')?.1.to_owned())));
        }
        // Who sends the same text openly as well, such as a username for a password, has told it already.
        let is_told = |secret: &str| open.iter().any(|value| value.contains(secret));
        secrets.retain(|secret| secret.len() >= SHORTEST && !is_a_word(secret) && !is_told(secret));
        self.hear(&secrets);
        (Request::from_parts(parts, Body::from(body)), secrets)
    }

    /// Remembers an answer's secrets. A refusal or a redirect must not repeat what was sent.
    pub fn hear_reply(&self, reply: &Reply, sent: &[String]) {
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        let location = reply.headers.get(header::LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        // A page may hold the sealed value of its own form, which is the same for everybody who looks at that moment.
        let is_page = reply.headers.get(header::CONTENT_TYPE).is_some_and(|value| value == "text/html; charset=utf-8");
        for secret in sent.iter().filter(|secret| !(is_page && secret.starts_with("rgf_"))) {
            let is_told = reply.status != 200 && (text.contains(secret) || location.contains(secret));
            assert!(!is_told, "{} answered {} and repeated a secret that it was sent", reply.path, reply.status);
        }
        let mut secrets = Vec::new();
        if let Ok(json) = serde_json::from_str::<serde_json::Value>(&text) {
            let member = |name: &str| json.get(name).and_then(|value| value.as_str()).map(String::from);
            secrets.extend(["access_token", "refresh_token"].into_iter().filter_map(member));
        }
        let query = location.split_once('?').map_or("", |(_, query)| query);
        let codes = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "code");
        secrets.extend(codes.map(|(_, code)| code.into_owned()));
        for line in reply.headers.get_all(header::SET_COOKIE) {
            let pair = line.to_str().unwrap().split(';').next().unwrap_or_default();
            secrets.extend(pair.split_once('=').map(|(_, value)| value.to_owned()));
        }
        for before in ["name=\"form\" value=\"", "<output id=\"refresh-token\">"] {
            let found = text.split(before).skip(1).filter_map(|after| after.split(['"', '<']).next());
            secrets.extend(found.map(String::from));
        }
        secrets.retain(|secret| secret.len() >= SHORTEST);
        self.hear(&secrets);
    }
}
