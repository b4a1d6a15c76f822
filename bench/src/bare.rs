//! The bare hyper server: one answer, given to every request, at once or after the bare loop's row update. It is the
//! ceiling that the service is measured against, run as a process of its own so that both sides are of equal standing.

use crate::Trouble;
use crate::commit_loop::{Client, CommitLoop};
use crate::figures::CONNECTIONS;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, body::Body, body::Incoming};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// Headers that hyper writes itself; the rest of a sample is given word for word.
const WRITTEN_BY_HYPER: [&str; 3] = ["content-length", "date", "connection"];

struct Canned {
    headers: HeaderMap,
    body: Bytes,
    commits: Option<CommitLoop>,
}

/// The order for a bare server that answers as this sample did, in one line for its standard input.
pub(crate) fn order(sample_head: &str, sample_body: &[u8]) -> Result<String, Trouble> {
    order_with(sample_head, sample_body, &Value::Null)
}

/// The same, of answers that are given after one of so many sessions in a store of this directory was rotated.
pub(crate) fn order_after_commits(
    sample_head: &str,
    sample_body: &[u8],
    directory: &Path,
    sessions: u32,
) -> Result<String, Trouble> {
    order_with(sample_head, sample_body, &json!({ "directory": directory, "sessions": sessions }))
}

fn order_with(sample_head: &str, sample_body: &[u8], commits: &Value) -> Result<String, Trouble> {
    let headers: Vec<[&str; 2]> = sample_head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| !WRITTEN_BY_HYPER.contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| [name, value])
        .collect();
    let body = std::str::from_utf8(sample_body)?;
    Ok(format!("{}\n", json!({ "headers": headers, "body": body, "commits": commits })))
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
    let clients = u32::try_from(CONNECTIONS)?;
    for number in (0..clients).cycle() {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        let client = canned.commits.as_ref().map(|commits| commits.client(number, clients));
        tokio::spawn(talk(socket, Arc::clone(&canned), client));
    }
    Ok(())
}

/// A connection that breaks is the driver's to report, so its error is dropped here.
async fn talk(socket: TcpStream, canned: Arc<Canned>, client: Option<Client>) {
    let client = client.map(Arc::new);
    let service = service_fn(move |request| answer(request, Arc::clone(&canned), client.clone()));
    let _gone = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
}

async fn answer(
    request: Request<Incoming>,
    canned: Arc<Canned>,
    client: Option<Arc<Client>>,
) -> Result<Response<Full<Bytes>>, Trouble> {
    if !request.body().is_end_stream() {
        request.into_body().collect().await?;
    }
    if let Some(client) = client {
        client.rotates().await?;
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
        let commits = order.get("commits").filter(|commits| commits.is_object());
        let commits = commits.map(|commits| {
            let sessions = commits.get("sessions").and_then(Value::as_u64).unwrap_or_default();
            CommitLoop::open(Path::new(&text(commits.get("directory"))), u32::try_from(sessions)?)
        });
        Ok(Self { headers, body: Bytes::from(text(order.get("body"))), commits: commits.transpose()? })
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
    use crate::{driver, requests};

    #[tokio::test]
    async fn an_answer_after_a_commit_is_given_when_a_session_of_the_store_was_rotated() {
        let directory = std::env::temp_dir().join(format!("bench-bare-commits-{}", std::process::id()));
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
        let address = in_this_process(&order_after_commits(head, b"{}", &directory, 100).unwrap()).await.unwrap();
        let (status, _, body) = driver::once(address, &requests::get("bare", "/")).await.unwrap();
        assert_eq!((status, body.as_slice()), (200, b"{}".as_slice()));
        let db = rusqlite::Connection::open(directory.join("sessions.db")).unwrap();
        let rotated: i64 = db.query_row("SELECT sum(generation - 1) FROM sessions", [], |row| row.get(0)).unwrap();
        assert_eq!(rotated, 1);
        drop(db);
        std::fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn an_order_keeps_the_sample_but_for_what_hyper_writes_itself() {
        let head = "HTTP/1.1 200 OK\r\nETag: W/\"1\"\r\ndate: today\r\nContent-Length: 2\r\nx-request-id: 7\r\n\r\n";
        let canned = Canned::from(&order(head, b"{}").unwrap()).unwrap();
        assert_eq!(canned.headers.len(), 2);
        assert_eq!(canned.headers["etag"], "W/\"1\"");
        assert_eq!(canned.body, "{}");
    }
}
