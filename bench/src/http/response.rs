//! Reads one HTTP/1.1 answer from a socket, looking only at what the driver needs: status and Content-Length.

use crate::measure::trouble::Trouble;
use memchr::{memchr, memmem};
use tokio::io::{AsyncRead, AsyncReadExt};

/// One answer, borrowed from the connection's buffer until the next request is sent.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) head: &'a str,
    pub(crate) body: &'a [u8],
}

/// The buffer of one connection. An answer starts at its beginning, because the driver never pipelines.
#[derive(Debug)]
pub(crate) struct Reader {
    buffer: Vec<u8>,
    filled: usize,
}

struct Head {
    length: usize,
    status: u16,
    body: usize,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self { buffer: vec![0; 16 * 1024], filled: 0 }
    }

    pub(crate) async fn answer(&mut self, socket: &mut (impl AsyncRead + Unpin)) -> Result<Response<'_>, Trouble> {
        let head = self.head(socket).await?;
        let whole = head.length + head.body;
        while self.filled < whole {
            self.more(socket).await?;
        }
        if self.filled > whole {
            return Err("the server sent more than it announced".into());
        }
        let (head_bytes, body) = self.buffer.get(..whole).unwrap_or_default().split_at(head.length);
        Ok(Response { status: head.status, head: std::str::from_utf8(head_bytes)?, body })
    }

    /// The status of an answer, whose body is read and looked at by nobody.
    pub(crate) async fn status(&mut self, socket: &mut (impl AsyncRead + Unpin)) -> Result<u16, Trouble> {
        let head = self.head(socket).await?;
        let mut left = (head.length + head.body).saturating_sub(self.filled);
        while left > 0 {
            self.filled = 0;
            self.more(socket).await?;
            left = left.saturating_sub(self.filled);
        }
        Ok(head.status)
    }

    async fn head(&mut self, socket: &mut (impl AsyncRead + Unpin)) -> Result<Head, Trouble> {
        self.filled = 0;
        loop {
            self.more(socket).await?;
            if let Some(head) = parse(self.buffer.get(..self.filled).unwrap_or_default())? {
                return Ok(head);
            }
        }
    }

    async fn more(&mut self, socket: &mut (impl AsyncRead + Unpin)) -> Result<(), Trouble> {
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        match socket.read(self.buffer.get_mut(self.filled..).unwrap_or_default()).await? {
            0 => Err("the server closed the connection in the middle of an answer".into()),
            count => {
                self.filled += count;
                Ok(())
            }
        }
    }
}

/// None while the blank line that ends the head has not arrived.
fn parse(bytes: &[u8]) -> Result<Option<Head>, Trouble> {
    let Some(end) = memmem::find(bytes, b"\r\n\r\n") else { return Ok(None) };
    let head = bytes.get(..end).unwrap_or_default();
    let status = head
        .strip_prefix(b"HTTP/1.1 ")
        .and_then(|rest| rest.get(..3))
        .and_then(number)
        .ok_or("the server did not answer in HTTP/1.1")?;
    let body = content_length(head).ok_or("the answer has no Content-Length")?;
    Ok(Some(Head { length: end + 4, status: u16::try_from(status)?, body }))
}

fn content_length(head: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let mut rest = head;
    while let Some(end) = memchr(b'\n', rest) {
        rest = rest.get(end + 1..)?;
        if rest.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)) {
            let line = rest.get(NAME.len()..memchr(b'\r', rest).unwrap_or(rest.len()))?;
            return number(line.trim_ascii());
        }
    }
    None
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_is_read_whole_however_the_network_cuts_it() {
        let sent = b"HTTP/1.1 201 Created\r\nETag: W/\"1\"\r\nContent-Length: 5\r\n\r\nhello";
        for cut in 1..sent.len() {
            let mut socket = sent[..cut].chain(&sent[cut..]);
            let mut reader = Reader::new();
            let answer = reader.answer(&mut socket).await.unwrap();
            assert_eq!((answer.status, answer.body), (201, b"hello".as_slice()), "cut after {cut} bytes");
            assert!(answer.head.contains("ETag: W/\"1\""));
        }
    }

    #[tokio::test]
    async fn of_an_answer_whose_body_nobody_looks_at_all_is_read() {
        let sent = format!("HTTP/1.1 429 Busy\r\ncontent-length: 50000\r\n\r\n{}", "x".repeat(50_000));
        let mut socket = sent.as_bytes();
        assert_eq!(Reader::new().status(&mut socket).await.unwrap(), 429);
        assert!(socket.is_empty());
    }

    #[tokio::test]
    async fn an_answer_without_a_length_or_cut_short_is_trouble() {
        for (sent, why) in [
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "no Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "closed the connection"),
            ("SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1"),
            ("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nhello", "more than it announced"),
        ] {
            let trouble = Reader::new().answer(&mut sent.as_bytes()).await.unwrap_err().to_string();
            assert!(trouble.contains(why), "{sent:?} gave {trouble:?}");
        }
    }

    #[tokio::test]
    async fn an_answer_larger_than_the_buffer_makes_it_grow() {
        let sent = format!("HTTP/1.1 200 OK\r\ncontent-length: 50000\r\n\r\n{}", "x".repeat(50_000));
        assert_eq!(Reader::new().answer(&mut sent.as_bytes()).await.unwrap().body.len(), 50_000);
    }
}
