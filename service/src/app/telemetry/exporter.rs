//! Sends spans to the collector, in batches, away from those who answer requests.

use super::endpoint::Endpoint;
use super::otlp;
use super::server_span::ServerSpan;
use super::span_queue::SpanQueue;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Request, header};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};

/// So many spans at once, and so long after the first of them at the latest.
const MOST_SPANS: usize = 512;
const EVERY: Duration = Duration::from_secs(1);
/// A collector that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(5);
/// Nobody waits for long at the end.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

type ExportFailure = Box<dyn std::error::Error + Send + Sync>;

/// Exports what is queued until `stop` turns true, and then what is left.
pub async fn run(queue: &SpanQueue, instance: String, mut stop: watch::Receiver<bool>) {
    let Some(mut spans) = queue.receiver() else { return };
    let mut is_logged = false;
    loop {
        let mut batch = Vec::new();
        let first = async { spans.recv_many(&mut batch, MOST_SPANS).await };
        tokio::select! {
            _ = first => {}
            _ = stop.wait_for(|stop| *stop) => {}
        }
        // Where nobody is left to say stop, it is the same.
        let over = *stop.borrow() || stop.has_changed().is_err();
        let until = Instant::now() + if over { Duration::ZERO } else { EVERY };
        // Whoever was too late is in the next batch.
        while batch.len() < MOST_SPANS {
            let room = MOST_SPANS - batch.len();
            let more = async {
                tokio::select! {
                    biased;
                    _ = spans.recv_many(&mut batch, room) => true,
                    _ = stop.wait_for(|stop| *stop) => false,
                }
            };
            if !timeout_at(until, more).await.unwrap_or(false) {
                break;
            }
        }
        if !batch.is_empty() {
            is_logged = export(queue, &batch, &instance, over, is_logged).await;
        }
        // A collector that is away at the end is not asked again for each batch.
        if over && (spans.is_empty() || is_logged) {
            queue.note(0, spans.len());
            return;
        }
    }
}

/// Sends one batch; gives whether its failure, or an earlier one that lasts, is in the log.
async fn export(queue: &SpanQueue, batch: &[ServerSpan], instance: &str, over: bool, is_logged: bool) -> bool {
    let patience = if over { LAST_PATIENCE } else { PATIENCE };
    let sent = timeout(patience, send(&queue.settings.endpoint, otlp::body(batch, instance))).await;
    let failure = match sent {
        Ok(Ok(())) => {
            queue.note(batch.len(), 0);
            return false;
        }
        Ok(Err(failure)) => failure.to_string(),
        Err(_) => "it did not answer in time".to_owned(),
    };
    queue.note(0, batch.len());
    if !is_logged {
        let collector = &queue.settings.endpoint.authority;
        tracing::warn!(collector, error = failure, "spans could not be exported; this is said once until they can");
    }
    true
}

/// One connection for each batch: there is one a second at the most.
async fn send(endpoint: &Endpoint, body: String) -> Result<(), ExportFailure> {
    let stream = TcpStream::connect(&endpoint.authority).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let request = Request::post(&endpoint.path)
        .header(header::HOST, &endpoint.authority)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONNECTION, "close")
        .body(Full::new(Bytes::from(body)))?;
    let answer = async move {
        let answer = sender.send_request(request).await?;
        let status = answer.status();
        // Its words are of no use to us, but a collector that is still speaking must not find nobody there.
        let _words = answer.into_body().frame().await;
        if status.is_success() { Ok(()) } else { Err(ExportFailure::from(format!("it answered {status}"))) }
    };
    // What goes wrong with the connection the answer tells, too.
    let (answer, _ended) = tokio::join!(answer, connection);
    answer
}
