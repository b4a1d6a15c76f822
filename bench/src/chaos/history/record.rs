//! What happened: every request with its answer, every node that was killed, and when. Tokens stand in it as numbers.

use std::collections::HashMap;
use std::time::Duration;

/// Since the run began.
pub(crate) type Offset = Duration;

/// Stands for a refresh token; the same number for the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Token(pub(crate) u32);

/// One start of a node. Started again after a kill, it is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Process(pub(crate) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Refresh(Token),
    /// The patient's record, read with an access token of the session.
    Read,
    /// The same record, searched for.
    Search,
    /// A System Client's request for a token, which is of no session.
    Credentials,
    /// A person who signs in with their browser.
    SignIn,
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
    /// What was asked for, of a request that is of no session.
    Served,
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
    pub(crate) request: Request,
    pub(crate) answer: Answer,
    pub(crate) began: Offset,
    pub(crate) ended: Offset,
}

impl Call {
    /// Whether the answer says that the session is over. Nothing else can: its tokens are genuine and none expires.
    pub(crate) fn says_over(&self) -> bool {
        matches!(self.answer, Answer::Refused | Answer::Rejected | Answer::Revoked)
    }

    /// Whether the answer says that the session is alive.
    pub(crate) fn says_alive(&self) -> bool {
        matches!(self.answer, Answer::Granted(_) | Answer::Shown)
    }

    /// Whether it asks for a patient's record, so that its answer is a look at that record.
    pub(crate) const fn is_look(&self) -> bool {
        matches!(self.request, Request::Read | Request::Search)
    }

    pub(crate) fn is_after(&self, other: &Self) -> bool {
        self.began > other.ended
    }
}

#[derive(Debug, Default)]
pub(crate) struct History {
    /// By the session's number: the retry window of its client, if it has one.
    pub(crate) windows: Vec<Option<Duration>>,
    /// By the session's number: whose record it opens.
    pub(crate) patients: Vec<usize>,
    pub(crate) calls: Vec<Call>,
    /// When each process was killed, noted before the signal was sent.
    pub(crate) kills: HashMap<Process, Offset>,
}
