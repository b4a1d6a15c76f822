//! What the app says to the service and hears from it, over HTTP/1.1 on this machine.

use super::diary::Diary;
use crate::http::origin;
use crate::secrets::secret::Secret;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::net::TcpStream;

/// An answer that takes longer than this is none.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_ANSWER_BYTES: usize = 1024 * 1024;

/// A request to the service.
#[derive(Debug)]
pub(super) enum AppRequest {
    /// `POST /apiToken.action` with these parameters.
    Token(Vec<(&'static str, Secret)>),
    /// `GET` with an access token, asking for a media type.
    Read { path: String, accept: &'static str, access: Secret },
}

/// An answer of the service.
pub(super) struct AppAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The service does not answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Silence(String);

impl AppAnswer {
    /// Without parameters, such as the character set.
    pub(super) fn media_type(&self) -> &str {
        let value = self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim()
    }
}

impl AppRequest {
    pub(super) fn method_and_path(&self) -> (Method, &str) {
        match self {
            Self::Token(_) => (Method::POST, "/apiToken.action"),
            Self::Read { path, .. } => (Method::GET, path),
        }
    }

    /// The headers that matter to the flow.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Token(_) => vec![("Content-Type", "application/x-www-form-urlencoded".into())],
            Self::Read { accept, access, .. } => {
                vec![("Accept", (*accept).into()), ("Authorization", format!("Bearer {}", access.reveal()))]
            }
        }
    }

    fn body(&self) -> String {
        let Self::Token(parameters) = self else { return String::new() };
        let pairs = parameters.iter().map(|(name, value)| (name, value.reveal()));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}

impl Diary {
    /// The service's host and port as browsers know it.
    pub(super) fn service_host(&self) -> &str {
        let origin = origin::of_url(&self.base_url);
        origin.split_once("://").map_or(origin, |(_, host)| host)
    }

    /// Sends a request to the service and waits for its answer.
    pub(super) async fn ask(&self, message: &AppRequest) -> Result<AppAnswer, Silence> {
        let answered = tokio::time::timeout(PATIENCE, self.exchange(message)).await;
        answered.unwrap_or_else(|_| Err(Silence(format!("no answer within {} seconds", PATIENCE.as_secs()))))
    }

    async fn exchange(&self, message: &AppRequest) -> Result<AppAnswer, Silence> {
        let stream = TcpStream::connect(self.service).await.map_err(silence)?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(silence)?;
        tokio::spawn(connection);
        let (method, path) = message.method_and_path();
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, self.service_host());
        for (name, value) in message.headers() {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(message.body())).map_err(silence)?;
        let (parts, body) = sender.send_request(request).await.map_err(silence)?.into_parts();
        let body = Limited::new(body, LONGEST_ANSWER_BYTES).collect().await.map_err(silence)?.to_bytes();
        Ok(AppAnswer { status: parts.status, headers: parts.headers, body })
    }
}

fn silence(error: impl std::fmt::Display) -> Silence {
    Silence(error.to_string())
}
