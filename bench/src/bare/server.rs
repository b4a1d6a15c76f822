//! The bare hyper server: one answer, given to every request, at once or after the work of a bare loop. It runs as a process
//! of its own so that both sides are of equal standing.

use super::commit_loop::{CommitLoop, LoopClient};
use super::order::{self, Sample, Work};
use super::postgres_reads::{PostgresReads, ReadClient};
use super::worker::Worker;
use crate::http::driver::CONNECTIONS;
use crate::measure::trouble::Trouble;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::service::service_fn;
use hyper::{Request, Response, body::Body, body::Incoming};
use hyper_util::rt::TokioIo;
use std::io::Write;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// The server's side of the work.
#[derive(Debug)]
enum Loop {
    Nothing,
    Commit(CommitLoop),
    PostgresRead(Arc<PostgresReads>),
}

/// One connection's share of it.
#[derive(Debug)]
enum Share {
    Nothing,
    Commit(LoopClient),
    PostgresRead(ReadClient),
}

/// Reads its order, says on standard output where it listens, and serves until standard input closes: a bench that
/// dies takes its bare servers with it.
pub(crate) async fn serve() -> Result<(), Trouble> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let (sample, work) = order::parse(&line)?;
    let work = Loop::open(work).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    let (close, closed) = oneshot::channel();
    std::thread::spawn(move || {
        let _either_way = std::io::stdin().read_line(&mut String::new());
        close.send(())
    });
    tokio::select! {
        outcome = accept(listener, sample, work) => outcome,
        _ = closed => Ok(()),
    }
}

async fn accept(listener: TcpListener, sample: Sample, work: Loop) -> Result<(), Trouble> {
    let sample = Arc::new(sample);
    let clients = u32::try_from(CONNECTIONS)?;
    for number in (0..clients).cycle() {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(talk(socket, Arc::clone(&sample), Arc::new(work.share(number, clients))));
    }
    Ok(())
}

/// A connection that breaks is the driver's to report, so its error is dropped here.
async fn talk(socket: TcpStream, sample: Arc<Sample>, share: Arc<Share>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&sample), Arc::clone(&share)));
    let _gone = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
}

async fn answer(
    request: Request<Incoming>,
    sample: Arc<Sample>,
    share: Arc<Share>,
) -> Result<Response<Full<Bytes>>, Trouble> {
    if !request.body().is_end_stream() {
        request.into_body().collect().await?;
    }
    match &*share {
        Share::Nothing => {}
        Share::Commit(client) => client.work().await?,
        Share::PostgresRead(client) => client.work().await?,
    }
    let mut response = Response::new(Full::new(sample.body.clone()));
    *response.headers_mut() = sample.headers.clone();
    Ok(response)
}

impl Loop {
    async fn open(work: Work) -> Result<Self, Trouble> {
        Ok(match work {
            Work::Nothing => Self::Nothing,
            Work::Commit { directory, extent } => Self::Commit(CommitLoop::open(&directory, extent)?),
            Work::PostgresRead { url } => Self::PostgresRead(PostgresReads::open(&url).await?),
        })
    }

    fn share(&self, number: u32, of: u32) -> Share {
        match self {
            Self::Nothing => Share::Nothing,
            Self::Commit(commits) => Share::Commit(commits.client(number, of)),
            Self::PostgresRead(reads) => Share::PostgresRead(reads.client(number, of)),
        }
    }
}

/// The same server without a process of its own, for tests.
#[cfg(test)]
pub(crate) async fn in_this_process(order: &str) -> Result<std::net::SocketAddr, Trouble> {
    let (sample, work) = order::parse(order)?;
    let work = Loop::open(work).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(accept(listener, sample, work));
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bare::sessions_file::Extent;
    use crate::http::{driver, requests};

    #[tokio::test]
    async fn an_answer_after_a_commit_is_given_when_a_session_of_the_file_was_rotated() {
        let directory = std::env::temp_dir().join(format!("bench-bare-commits-{}", std::process::id()));
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
        let work = Work::Commit { directory: directory.clone(), extent: Extent { sessions: 100, page_bytes: 1024 } };
        let address = in_this_process(&order::line(head, b"{}", &work).unwrap()).await.unwrap();
        let (status, _, body) = driver::once(address, &requests::get("bare", "/")).await.unwrap();
        assert_eq!((status, body.as_slice()), (200, b"{}".as_slice()));
        let db = rusqlite::Connection::open(directory.join("sessions.db")).unwrap();
        let rotations: i64 = db.query_row("SELECT sum(generation - 1) FROM sessions", [], |row| row.get(0)).unwrap();
        assert_eq!(rotations, 1);
        drop(db);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
