//! A mail server of the tests' own: it takes what is sent to it, or accepts connections and says nothing.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

/// A server at a port of this machine.
pub struct MailServer {
    /// The mails that it took, each as its sender's commands and its text.
    pub taken: UnboundedReceiver<String>,
    serving: JoinHandle<()>,
}

/// A port at which nobody listens now.
pub async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

impl MailServer {
    pub async fn at(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let (tell, taken) = mpsc::unbounded_channel();
        let serving = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                converse(stream, &tell).await;
            }
        });
        Self { taken, serving }
    }

    /// One that says nothing; what it tells is that somebody came.
    pub async fn silent_at(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let (tell, taken) = mpsc::unbounded_channel();
        let serving = tokio::spawn(async move {
            let mut held = Vec::new();
            loop {
                held.push(listener.accept().await.unwrap());
                tell.send(String::new()).unwrap();
            }
        });
        Self { taken, serving }
    }

    /// Goes away, and frees its port.
    pub async fn stops(self) {
        self.serving.abort();
        let _ended = self.serving.await;
    }
}

async fn converse(stream: TcpStream, tell: &UnboundedSender<String>) {
    let mut stream = BufReader::new(stream);
    let mut heard = String::new();
    stream.write_all(b"220 tests\r\n").await.unwrap();
    let mut in_text = false;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        heard.push_str(&line);
        let answer = match line.trim_end() {
            "." if in_text => {
                in_text = false;
                tell.send(std::mem::take(&mut heard)).unwrap();
                "250 taken"
            }
            _ if in_text => continue,
            "DATA" => {
                in_text = true;
                "354 go on"
            }
            "QUIT" => "221 bye",
            _ => "250 well",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
    }
}
