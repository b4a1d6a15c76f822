//! A browser as small as it can be: cookies by host (ports do not matter to them), forms, and no scripts.

use crate::terminal::answer::Answer;
use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use std::collections::BTreeMap;
use tokio::net::TcpStream;

#[derive(Default)]
pub(crate) struct SocketBrowser {
    cookies: BTreeMap<String, String>,
    /// Headers that go with the next request only.
    next: Vec<(String, String)>,
}

impl SocketBrowser {
    /// Adds a header to the next request.
    pub(crate) fn with(&mut self, name: &str, value: &str) -> &mut Self {
        self.next.push((name.into(), value.into()));
        self
    }

    pub(crate) async fn get(&mut self, url: &str) -> Answer {
        self.send(Method::GET, url, None).await
    }

    /// What no browser's form does, but a client.
    pub(crate) async fn post_json(&mut self, url: &str, json: &str) -> Answer {
        self.post_as(url, "application/fhir+json", json).await
    }

    pub(crate) async fn post_as(&mut self, url: &str, media_type: &str, body: &str) -> Answer {
        self.send(Method::POST, url, Some((media_type, body.to_owned()))).await
    }

    pub(crate) async fn post(&mut self, url: &str, fields: &[(&str, &str)]) -> Answer {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send(Method::POST, url, Some(("application/x-www-form-urlencoded", form))).await
    }

    /// Presses a button of a form on `page`, which names its hidden value `form`.
    pub(crate) async fn press(&mut self, page: &Answer, url: &str, fields: &[(&str, &str)]) -> Answer {
        let hidden = page.hidden("form");
        let all: Vec<(&str, &str)> = [("form", hidden.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.post(url, &all).await
    }

    async fn send(&mut self, method: Method, url: &str, content: Option<(&str, String)>) -> Answer {
        let rest = url.strip_prefix("http://").unwrap_or_else(|| panic!("{url} is not http"));
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = path.split('#').next().filter(|path| !path.is_empty()).unwrap_or("/");
        let stream = TcpStream::connect(host).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path);
        let next = std::mem::take(&mut self.next);
        if !next.iter().any(|(name, _)| name == "host") {
            request = request.header(header::HOST, host);
        }
        for (name, value) in next {
            request = request.header(name, value);
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header(header::COOKIE, pairs.join("; "));
        }
        if let Some((media_type, _)) = &content {
            request = request.header(header::CONTENT_TYPE, *media_type);
        }
        let request = request.body(Body::from(content.map(|(_, body)| body).unwrap_or_default())).unwrap();
        let (parts, body) = sender.send_request(request).await.unwrap().into_parts();
        for cookie in parts.headers.get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.into(), value.into());
        }
        let body = String::from_utf8(body.collect().await.unwrap().to_bytes().into()).unwrap();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }
}

impl Answer {
    /// Where the answer sends the browser.
    pub(crate) fn location(&self) -> &str {
        match self.headers.get(header::LOCATION) {
            Some(location) if self.status == 303 => location.to_str().unwrap(),
            _ => panic!("no redirect but {}: {}", self.status, self.body),
        }
    }

    /// A parameter of the address that the answer sends the browser to.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let (_, query) = self.location().split_once('?')?;
        form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// The value of a hidden field of the first form that has it.
    pub(crate) fn hidden(&self, name: &str) -> String {
        let start = format!("<input type=\"hidden\" name=\"{name}\" value=\"");
        let Some((_, after)) = self.body.split_once(&start) else { panic!("no hidden {name} in: {}", self.body) };
        after.split('"').next().unwrap().to_owned()
    }

    /// A text member of a JSON answer.
    pub(crate) fn text(&self, pointer: &str) -> String {
        let json = self.json();
        let text = json.pointer(pointer).and_then(|value| value.as_str());
        text.unwrap_or_else(|| panic!("no {pointer} in: {}", self.body)).to_owned()
    }
}
