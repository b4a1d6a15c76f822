//! The control socket: requests and replies as lines of JSON, for the owner of the data directory alone.

use super::account::Account;
use super::execution::execute_for;
use super::reply::Reply;
use super::request::{Progress, Request};
use super::socket_path::{SOCKET_FILE, SocketPath};
use crate::app::Shared;
use serde::{Serialize, de::DeserializeOwned};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use store::Place;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};

/// The longest line: a declaration of a hundred thousand users, or a batch of large documents.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;

/// A listening control socket. Dropped, it takes no more requests and its file is removed.
#[derive(Debug)]
pub struct ControlSocket {
    file: PathBuf,
    close: watch::Sender<bool>,
    accepting: Option<JoinHandle<()>>,
}

/// Listens in the data directory. The caller holds the directory's lock, so a socket file that is there is a dead
/// process's and is replaced. Where there is no directory, commands need no server: they go to the database themselves.
pub fn listen(app: Shared, place: &Place) -> Result<Option<ControlSocket>> {
    let Some(directory) = place.directory() else { return Ok(None) };
    let path = SocketPath::of(directory)?;
    // Made beside its place and moved there once it is closed to others, as its directory is already: nobody ever
    // finds it open.
    let beside = path.path.with_extension("new");
    match std::fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&beside)?;
    std::fs::set_permissions(&beside, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&beside, &path.path)?;
    let (close, closed) = watch::channel(false);
    let accepting = tokio::spawn(accept(app, listener, closed));
    Ok(Some(ControlSocket { file: directory.join(SOCKET_FILE), close, accepting: Some(accepting) }))
}

impl ControlSocket {
    /// Takes no more requests and waits for those under way.
    pub async fn close(mut self) {
        self.close.send_replace(true);
        if let Some(accepting) = self.accepting.take() {
            let _panicked = accepting.await;
        }
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        self.close.send_replace(true);
        if let Err(error) = std::fs::remove_file(&self.file) {
            tracing::debug!(%error, "the control socket's file could not be removed");
        }
    }
}

async fn accept(app: Shared, listener: UnixListener, mut closed: watch::Receiver<bool>) {
    let mut under_way = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closed.wait_for(|closed| *closed) => break,
        };
        while under_way.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                under_way.spawn(serve(app.clone(), stream, closed.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "a control connection could not be accepted");
                // Out of descriptors, most likely: give others time to return theirs.
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
    while under_way.join_next().await.is_some() {}
}

/// Answers one connection's requests, one after another. What it is asked is never logged: it may hold secrets.
async fn serve(app: Shared, stream: UnixStream, mut closed: watch::Receiver<bool>) {
    // Who connected, by the kernel's word: a request could say anything.
    let operator = match Account::of_peer(&stream) {
        Ok(operator) => operator,
        Err(error) => return tracing::warn!(%error, "it cannot be told who connected to the control socket"),
    };
    let (from, to) = stream.into_split();
    let (mut from, mut to) = (BufReader::new(from), to);
    loop {
        let request = tokio::select! {
            request = receive::<Request>(&mut from) => request,
            _ = closed.wait_for(|closed| *closed) => return,
        };
        let answered = match request {
            Ok(Some(request)) => answer(&app, &operator, request, &mut to).await,
            Ok(None) => return,
            Err(error) => Err(error),
        };
        if let Err(error) = answered {
            tracing::debug!(kind = %error.kind(), "a control connection broke off");
            return;
        }
    }
}

async fn answer(app: &Shared, operator: &Account, request: Request, to: &mut OwnedWriteHalf) -> Result<()> {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let progress: Progress = Arc::new(move |done, all| {
        // Nobody listens any more: the work goes on all the same.
        let _gone = sender.send(Reply::Progress { done, all });
    });
    let work = async move { execute_for(app, operator, request, &progress).await };
    tokio::pin!(work);
    let reply = loop {
        tokio::select! {
            reply = &mut work => break reply,
            Some(progress) = receiver.recv() => send(to, &progress).await?,
        }
    };
    send(to, &reply).await
}

/// The command line's end of the socket.
#[derive(Debug)]
pub struct Connection {
    from: BufReader<OwnedReadHalf>,
    to: OwnedWriteHalf,
}

impl Connection {
    /// Connects to the server that holds a data directory; an error if none listens there.
    pub async fn open(place: &Place) -> Result<Self> {
        let directory = place.directory().ok_or_else(|| Error::from(ErrorKind::NotFound))?;
        let path = SocketPath::of(directory)?;
        let (from, to) = UnixStream::connect(&path.path).await?.into_split();
        Ok(Self { from: BufReader::new(from), to })
    }

    pub async fn ask(&mut self, request: &Request, progress: &Progress) -> Result<Reply> {
        send(&mut self.to, request).await?;
        loop {
            match receive(&mut self.from).await? {
                Some(Reply::Progress { done, all }) => progress(done, all),
                Some(reply) => return Ok(reply),
                None => return Err(Error::new(ErrorKind::UnexpectedEof, "the server stopped before it answered")),
            }
        }
    }
}

async fn send<T: Serialize>(to: &mut OwnedWriteHalf, message: &T) -> Result<()> {
    let mut line = zeroize::Zeroizing::new(serde_json::to_vec(message)?);
    line.push(b'\n');
    if line.len() as u64 > LONGEST_LINE {
        return Err(Error::new(ErrorKind::InvalidInput, "this is too much for one command; divide it"));
    }
    to.write_all(&line).await
}

/// Reads one message; `None` at the end.
async fn receive<T: DeserializeOwned>(from: &mut BufReader<OwnedReadHalf>) -> Result<Option<T>> {
    let mut line = zeroize::Zeroizing::new(Vec::new());
    if from.take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        return Err(Error::new(ErrorKind::UnexpectedEof, "a message broke off"));
    }
    // The parser's own words could quote what it could not read.
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "a message was not understood"))
}
