//! A client's server on this machine, with the client's JWK Set on it: it answers as a test says, and counts who came.

use super::signer::Signer;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use store::clients::KeySetUrl;
use store::salt::Salt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the server does with a request.
#[derive(Clone)]
pub enum KeyAnswer {
    /// These bytes, and the end of the connection.
    Says(String),
    Nothing,
    /// A set that has no end.
    Endless,
}

impl KeyAnswer {
    /// The public keys of these signers, under these lines of the head.
    pub fn keys(head: &str, signers: &[&Signer]) -> Self {
        let keys: Vec<_> = signers.iter().map(|signer| signer.jwk()).collect();
        Self::text(head, &json!({ "keys": keys }).to_string())
    }

    pub fn text(head: &str, body: &str) -> Self {
        Self::Says(format!("HTTP/1.1 200 OK\r\n{head}content-length: {}\r\n\r\n{body}", body.len()))
    }
}

/// The server of a client.
pub struct KeyServer {
    pub port: u16,
    answer: Arc<Mutex<KeyAnswer>>,
    connections: Arc<AtomicUsize>,
    requests: watch::Receiver<usize>,
    /// Bytes of endless sets that were taken.
    pub taken: Arc<AtomicUsize>,
}

impl KeyServer {
    pub async fn new(answer: KeyAnswer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (count, requests) = watch::channel(0);
        let (answer, count) = (Arc::new(Mutex::new(answer)), Arc::new(count));
        let (connections, taken) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (answers, came, took) = (answer.clone(), connections.clone(), taken.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                came.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(converse(stream, answers.clone(), count.clone(), took.clone()));
            }
        });
        Self { port, answer, connections, requests, taken }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/jwks.json", self.port)
    }

    /// As a client is registered with it.
    pub fn registered(&self) -> KeySetUrl {
        key_set_url(&self.url())
    }

    pub fn answers(&self, answer: KeyAnswer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        *self.requests.borrow()
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits until somebody has asked.
    pub async fn is_asked(&mut self) {
        self.requests.wait_for(|asked| *asked > 0).await.unwrap();
    }
}

pub fn key_set_url(url: &str) -> KeySetUrl {
    KeySetUrl { url: url.into(), salt: Salt::new(service::secrets::dice::bytes().unwrap()) }
}

async fn converse(
    mut stream: TcpStream,
    answer: Arc<Mutex<KeyAnswer>>,
    count: Arc<watch::Sender<usize>>,
    taken: Arc<AtomicUsize>,
) {
    let mut heard = Vec::new();
    while !heard.ends_with(b"\r\n\r\n") {
        // Whoever comes by TLS hears nothing either.
        if stream.read_buf(&mut heard).await.unwrap_or(0) == 0 || heard[0] == 0x16 {
            return;
        }
    }
    // Keys are asked for by GET and by nothing else.
    if !heard.starts_with(b"GET ") {
        return;
    }
    count.send_modify(|asked| *asked += 1);
    let answer = answer.lock().unwrap().clone();
    match answer {
        KeyAnswer::Says(answer) => {
            let _gone = stream.write_all(answer.as_bytes()).await;
        }
        KeyAnswer::Nothing => {
            let _gone = stream.read_buf(&mut heard).await;
        }
        KeyAnswer::Endless => {
            let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
            let chunk = [b"1000\r\n".as_slice(), &[b' '; 0x1000], b"\r\n"].concat();
            let mut going = stream.write_all(head).await.is_ok();
            while going {
                going = stream.write_all(&chunk).await.is_ok();
                taken.fetch_add(chunk.len(), Ordering::SeqCst);
            }
        }
    }
}
