//! The bare hyper server: one answer, given to every request. It is the ceiling that the service is measured against,
//! run as a process of its own so that both sides are of equal standing.

use crate::Trouble;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, body::Body, body::Incoming};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// Headers that hyper writes itself; the rest of a sample is given word for word.
const WRITTEN_BY_HYPER: [&str; 3] = ["content-length", "date", "connection"];

struct Canned {
    headers: HeaderMap,
    body: Bytes,
}

/// The order for a bare server that answers as this sample did, in one line for its standard input.
pub(crate) fn order(sample_head: &str, sample_body: &[u8]) -> Result<String, Trouble> {
    let headers: Vec<[&str; 2]> = sample_head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| !WRITTEN_BY_HYPER.contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| [name, value])
        .collect();
    Ok(format!("{}\n", json!({ "headers": headers, "body": std::str::from_utf8(sample_body)? })))
}

/// Reads its order, says on standard output where it listens, and serves until standard input closes: a bench that
/// dies takes its bare servers with it.
pub(crate) async fn serve() -> Result<(), Trouble> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let canned = Arc::new(Canned::from(&line)?);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    let (close, closed) = oneshot::channel();
    std::thread::spawn(move || {
        let _either_way = std::io::stdin().read_line(&mut String::new());
        close.send(())
    });
    tokio::select! {
        outcome = accept(listener, canned) => outcome,
        _ = closed => Ok(()),
    }
}

async fn accept(listener: TcpListener, canned: Arc<Canned>) -> Result<(), Trouble> {
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(talk(socket, Arc::clone(&canned)));
    }
}

/// A connection that breaks is the driver's to report, so its error is dropped here.
async fn talk(socket: TcpStream, canned: Arc<Canned>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&canned)));
    let _gone = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
}

async fn answer(request: Request<Incoming>, canned: Arc<Canned>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    if !request.body().is_end_stream() {
        request.into_body().collect().await?;
    }
    let mut response = Response::new(Full::new(canned.body.clone()));
    *response.headers_mut() = canned.headers.clone();
    Ok(response)
}

impl Canned {
    fn from(order: &str) -> Result<Self, Trouble> {
        let order: Value = serde_json::from_str(order)?;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut headers = HeaderMap::new();
        for pair in order.get("headers").and_then(Value::as_array).into_iter().flatten() {
            headers.append(
                HeaderName::from_bytes(text(pair.get(0)).as_bytes())?,
                HeaderValue::from_str(&text(pair.get(1)))?,
            );
        }
        Ok(Self { headers, body: Bytes::from(text(order.get("body"))) })
    }
}

/// The same server without a process of its own, for tests of the driver.
#[cfg(test)]
pub(crate) async fn in_this_process(order: &str) -> Result<std::net::SocketAddr, Trouble> {
    let canned = Arc::new(Canned::from(order)?);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(accept(listener, canned));
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_keeps_the_sample_but_for_what_hyper_writes_itself() {
        let head = "HTTP/1.1 200 OK\r\nETag: W/\"1\"\r\ndate: today\r\nContent-Length: 2\r\nx-request-id: 7\r\n\r\n";
        let canned = Canned::from(&order(head, b"{}").unwrap()).unwrap();
        assert_eq!(canned.headers.len(), 2);
        assert_eq!(canned.headers["etag"], "W/\"1\"");
        assert_eq!(canned.body, "{}");
    }
}
