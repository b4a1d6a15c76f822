//! One client's connections, one per node, kept alive; and what the answers on them mean.

use super::history::record::{Answer, Process};
use super::history::recorder::Recorder;
use super::nodes::Node;
use crate::http::response::Reader;
use crate::http::scripts::member;
use std::collections::HashMap;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than any answer may take; the checker blames whoever needs that long.
const PATIENCE: Duration = Duration::from_secs(40);

/// What came back, and what a client keeps of it.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) answer: Answer,
    /// The refresh and the access token of a 200.
    pub(crate) tokens: Option<(String, String)>,
    /// The text that was expected of an answer that is of no session.
    pub(crate) text: Option<String>,
}

impl Reply {
    const fn plain(answer: Answer) -> Self {
        Self { answer, tokens: None, text: None }
    }
}

/// What kind of answer is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expectation<'a> {
    Tokens,
    /// The record that holds this text.
    Record(&'a str),
    /// JSON with a string of this name.
    Member(&'a str),
    /// A page with a form of ours.
    Form,
    /// The way to another page.
    Redirect,
}

#[derive(Default)]
pub(crate) struct Wires {
    open: HashMap<Process, (TcpStream, Reader)>,
}

impl Wires {
    pub(crate) async fn ask(
        &mut self,
        node: Node,
        request: &[u8],
        expectation: Expectation<'_>,
        recorder: &Recorder,
    ) -> Reply {
        match timeout(PATIENCE, self.exchange(node, request, expectation, recorder)).await {
            Ok(Ok(reply)) => reply,
            _ => {
                self.open.remove(&node.process);
                Reply::plain(Answer::Nothing)
            }
        }
    }

    async fn exchange(
        &mut self,
        node: Node,
        request: &[u8],
        expectation: Expectation<'_>,
        recorder: &Recorder,
    ) -> Result<Reply, crate::measure::trouble::Trouble> {
        let (mut socket, mut reader) = match self.open.remove(&node.process) {
            Some(open) => open,
            None => {
                let socket = TcpStream::connect(node.address).await?;
                socket.set_nodelay(true)?;
                (socket, Reader::new())
            }
        };
        socket.write_all(request).await?;
        let answer = reader.answer(&mut socket).await?;
        let head = answer.head.to_ascii_lowercase();
        let reply = meaning(answer.status, &head, answer.body, expectation, recorder);
        if !head.contains("\r\nconnection: close") {
            self.open.insert(node.process, (socket, reader));
        }
        Ok(reply)
    }
}

/// `head` is in lower case. Bodies are told only where they are not what was expected, and those hold no tokens.
fn meaning(status: u16, head: &str, body: &[u8], expectation: Expectation<'_>, recorder: &Recorder) -> Reply {
    let says = |word: &str| memchr::memmem::find(body, word.as_bytes()).is_some();
    Reply::plain(match (status, expectation) {
        (503, _) if head.contains("\r\nretry-after: ") => Answer::TryAgain,
        (400, Expectation::Tokens) if says("invalid_grant") => Answer::Refused,
        (401, Expectation::Record(_)) if says("API_SESSION_INVALID") => Answer::Rejected,
        (200, Expectation::Record(id)) if says(id) => Answer::Shown,
        (200, Expectation::Record(_)) => Answer::Wrong("200 with the record of somebody else".to_owned()),
        (200, Expectation::Tokens) => match (member(body, "refresh_token"), member(body, "access_token")) {
            (Ok(refresh), Ok(access)) => {
                let answer = Answer::Granted(recorder.token(refresh));
                return Reply { answer, tokens: Some((refresh.to_owned(), access.to_owned())), text: None };
            }
            _ => Answer::Wrong("200 without tokens".to_owned()),
        },
        (200, Expectation::Member(name)) => return told(member(body, name).ok()),
        (200, Expectation::Form) => return told(form(body)),
        (303, Expectation::Redirect) => Answer::Served,
        (503, _) => Answer::Wrong("503 without Retry-After".to_owned()),
        _ => Answer::Wrong(format!("{status}: {}", String::from_utf8_lossy(body))),
    })
}

/// An answer that holds the text that was expected of it.
fn told(text: Option<&str>) -> Reply {
    match text {
        Some(text) => Reply { answer: Answer::Served, tokens: None, text: Some(text.to_owned()) },
        None => Reply::plain(Answer::Wrong("200 without what was asked for".to_owned())),
    }
}

/// The sealed value of a page's form.
pub(crate) fn form(page: &[u8]) -> Option<&str> {
    const BEFORE: &str = "name=\"form\" value=\"";
    let (_, rest) = std::str::from_utf8(page).ok()?.split_once(BEFORE)?;
    Some(rest.split_once('"')?.0)
}
