//! What happened: every request with its answer, every node that was killed, and when. Tokens stand in it as numbers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Since the run began.
pub(crate) type At = Duration;

/// Stands for a refresh token; the same number for the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Token(pub(crate) u32);

/// One start of a node. Started again after a kill, it is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Process(pub(crate) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Refresh(Token),
    /// An API call with an access token of the session.
    Read,
    /// The operator's `grant revoke`.
    Revoke,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// 200 with the token that comes next.
    Granted(Token),
    /// 400 `invalid_grant`.
    Refused,
    /// 200 with the record.
    Shown,
    /// 401: the session is revoked.
    Rejected,
    /// The operator was told that it is done.
    Revoked,
    /// 503 with `Retry-After`, or an operator's command that failed.
    TryAgain,
    /// The connection was refused or broke.
    Nothing,
    /// Anything else, in words.
    Wrong(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) session: u32,
    /// Whom it was asked of; an operator's command is nobody's.
    pub(crate) process: Option<Process>,
    pub(crate) asked: Asked,
    pub(crate) answer: Answer,
    pub(crate) began: At,
    pub(crate) ended: At,
}

#[derive(Debug, Default)]
pub(crate) struct History {
    /// By the session's number: the retry window of its client, if it has one.
    pub(crate) windows: Vec<Option<Duration>>,
    pub(crate) calls: Vec<Call>,
    /// When each process was killed, noted before the signal was sent.
    pub(crate) kills: HashMap<Process, At>,
}

/// Writes the history while it happens.
#[derive(Debug)]
pub(crate) struct Recorder {
    began: Instant,
    history: Mutex<History>,
    tokens: Mutex<HashMap<String, Token>>,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), history: Mutex::default(), tokens: Mutex::default() }
    }

    pub(crate) fn now(&self) -> At {
        self.began.elapsed()
    }

    /// The number of a new session.
    pub(crate) fn session(&self, window: Option<Duration>) -> u32 {
        let mut history = self.history();
        history.windows.push(window);
        u32::try_from(history.windows.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn token(&self, text: &str) -> Token {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let next = Token(u32::try_from(tokens.len()).unwrap_or(u32::MAX));
        *tokens.entry(text.to_owned()).or_insert(next)
    }

    pub(crate) fn call(&self, call: Call) {
        self.history().calls.push(call);
    }

    pub(crate) fn kill(&self, process: Process) {
        let now = self.now();
        self.history().kills.insert(process, now);
    }

    pub(crate) fn calls(&self) -> usize {
        self.history().calls.len()
    }

    /// The history so far; a new one begins.
    pub(crate) fn take(&self) -> History {
        std::mem::take(&mut *self.history())
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
