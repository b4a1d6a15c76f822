//! The service on a real socket, for what only a connection can show.

use super::world::World;
use service::server::{CoreWorkers, serve};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The service on a real socket.
pub struct Listening {
    pub address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Listening {
    pub async fn new(w: &World) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = watch::channel(false);
        let serving =
            tokio::spawn(serve(w.app.clone(), (listener, CoreWorkers::none()), stopped, Duration::from_secs(5)));
        Self { address, stop, serving }
    }

    /// Everything that is answered to these parts of a request, sent ten seconds apart, and how long it took. Those are
    /// seconds of the runtime's clock, which is stopped, and jumps to the next of them when nothing is left to be done. To
    /// it a database at work is nothing, and never in time: so this is only for requests that need none.
    pub async fn hears(&self, parts: &[&str]) -> (String, Duration) {
        self.is_up().await;
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        tokio::time::pause();
        let began = Instant::now();
        let (mut from, mut to) = stream.split();
        let say = async {
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    tokio::time::sleep(Duration::from_secs(10)).await;
                }
                // The server may have lost patience already.
                let _cut_short = to.write_all(part.as_bytes()).await;
            }
        };
        let mut answer = Vec::new();
        let heard = async { tokio::join!(from.read_to_end(&mut answer), say) };
        let ended = tokio::time::timeout(Duration::from_secs(600), heard).await;
        assert!(ended.is_ok(), "the connection is still open");
        let took = began.elapsed();
        tokio::time::resume();
        (String::from_utf8(answer).unwrap(), took)
    }

    /// Waits until it answers: a service that starts asks the database.
    async fn is_up(&self) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let health = b"GET /healthz HTTP/1.1\r\nhost: records.test\r\nconnection: close\r\n\r\n";
        stream.write_all(health).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    pub async fn stops(self) {
        self.stop.send(true).unwrap();
        self.serving.await.unwrap();
    }
}
