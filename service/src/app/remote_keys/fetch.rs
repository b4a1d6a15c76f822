//! One fetch of a client's JWK Set: a GET without redirects, within bounds of time and size.

use super::connection::KeyServers;
use super::fetch_fault::FetchFault;
use crate::secrets::fetched_key_set;
use crate::secrets::public_key::PublicKey;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AGE, AsHeaderName, CACHE_CONTROL, CONNECTION, DATE, EXPIRES, HOST, HeaderMap, USER_AGENT};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use rules::key_freshness::StatedLife;
use rules::key_urls::{KeyEgress, KeyUrl};
use rules::limits::{KEY_BODY_BYTES, KEY_FETCH_SECONDS, KEY_FETCHES, KEY_HEAD_BYTES};
use std::pin::pin;
use std::time::{Duration, UNIX_EPOCH};
use tokio::sync::Semaphore;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(KEY_FETCH_SECONDS);

/// Keys as a client's server answered them.
#[derive(Debug)]
pub struct FetchedKeys {
    pub keys: Vec<PublicKey>,
    /// For how long they are good.
    pub good_seconds: i64,
}

/// Fetches the keys of clients, not too many at once.
#[derive(Debug)]
pub struct KeyFetcher {
    servers: KeyServers,
    places: Semaphore,
}

impl KeyFetcher {
    #[must_use]
    pub fn new(egress: KeyEgress) -> Self {
        Self { servers: KeyServers::new(egress), places: Semaphore::new(KEY_FETCHES) }
    }

    /// Fetches the keys at a URL. `of_day` is the time of day since 1970, by which an answer without a date is judged.
    pub async fn fetch(&self, url: &str, of_day: Duration) -> Result<FetchedKeys, FetchFault> {
        let place = timeout(PATIENCE, self.places.acquire()).await;
        let _place = place.map_err(|_| FetchFault::Busy)?.map_err(|_| FetchFault::Busy)?;
        timeout(PATIENCE, self.fetch_now(url, of_day)).await.unwrap_or(Err(FetchFault::Late))
    }

    async fn fetch_now(&self, url: &str, of_day: Duration) -> Result<FetchedKeys, FetchFault> {
        let url = KeyUrl::read(url).map_err(FetchFault::Url)?;
        let wire = self.servers.connect(&url).await?;
        let mut http = hyper::client::conn::http1::Builder::new();
        let (mut sender, connection) =
            http.max_buf_size(KEY_HEAD_BYTES).handshake::<_, Empty<Bytes>>(TokioIo::new(wire)).await?;
        let request = Request::get(url.path)
            .header(HOST, url.authority)
            .header(ACCEPT, "application/jwk-set+json, application/json")
            .header(USER_AGENT, "recordgate")
            .header(CONNECTION, "close")
            .body(Empty::new())
            .map_err(|_| FetchFault::Url(rules::key_urls::KeyUrlFault::Malformed))?;
        let mut answer = pin!(async move {
            let answer = sender.send_request(request).await?;
            let status = answer.status();
            if status.is_redirection() {
                return Err(FetchFault::Redirect(status));
            }
            if status != StatusCode::OK {
                return Err(FetchFault::Status(status));
            }
            let (head, body) = answer.into_parts();
            let body = Limited::new(body, KEY_BODY_BYTES).collect().await.map_err(|_| FetchFault::Body)?;
            let keys = fetched_key_set::read(&body.to_bytes()).map_err(FetchFault::NoKeySet)?;
            Ok(FetchedKeys { keys, good_seconds: good_seconds(&head.headers, of_day) })
        });
        // What goes wrong with the connection the answer tells, too. When the answer is there, the connection is closed, whatever
        // else is on its way.
        tokio::select! {
            biased;
            answer = &mut answer => answer,
            _ended = connection => answer.await,
        }
    }
}

fn good_seconds(head: &HeaderMap, of_day: Duration) -> i64 {
    let cache_control: Vec<&str> =
        head.get_all(CACHE_CONTROL).iter().map(|value| value.to_str().unwrap_or("no-store")).collect();
    let cache_control = cache_control.join(",");
    let expires_in = head.get(EXPIRES).map(|_| match moment(head, EXPIRES) {
        Some(expires) => seconds_between(moment(head, DATE).unwrap_or(of_day), expires),
        None => 0,
    });
    let age = head.get(AGE).map(|age| age.to_str().unwrap_or_default());
    let life = StatedLife { cache_control: Some(&cache_control), age, expires_in };
    life.seconds()
}

fn moment(head: &HeaderMap, name: impl AsHeaderName) -> Option<Duration> {
    let moment = httpdate::parse_http_date(head.get(name)?.to_str().ok()?).ok()?;
    moment.duration_since(UNIX_EPOCH).ok()
}

fn seconds_between(from: Duration, to: Duration) -> i64 {
    i64::try_from(to.saturating_sub(from).as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
