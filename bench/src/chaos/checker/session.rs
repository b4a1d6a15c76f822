//! All that happened to one session, as the rules look at it.

use crate::chaos::history::record::{Call, Offset, Process, Request, Token};
use std::collections::HashMap;
use std::time::Duration;

/// All that happened to one session, in the order in which it was asked.
pub(crate) struct SessionHistory<'h> {
    pub(crate) calls: Vec<&'h Call>,
    /// The presentations of each refresh token, in the order in which they began.
    pub(crate) presentations_of: HashMap<Token, Vec<&'h Call>>,
    /// The retry window of its client, if it has one.
    pub(crate) window: Option<Duration>,
    kills: &'h HashMap<Process, Offset>,
}

impl<'h> SessionHistory<'h> {
    pub(crate) fn new(mut calls: Vec<&'h Call>, window: Option<Duration>, kills: &'h HashMap<Process, Offset>) -> Self {
        calls.sort_by_key(|call| call.began);
        let mut presentations_of: HashMap<Token, Vec<&'h Call>> = HashMap::new();
        for call in &calls {
            if let Request::Refresh(token) = call.request {
                presentations_of.entry(token).or_default().push(call);
            }
        }
        Self { calls, presentations_of, window, kills }
    }

    pub(crate) fn presentations(&self, token: Token) -> &[&'h Call] {
        self.presentations_of.get(&token).map_or(&[], Vec::as_slice)
    }

    /// When the process that was asked was killed.
    pub(crate) fn killed_at(&self, call: &Call) -> Option<Offset> {
        self.kills.get(&call.process?).copied()
    }
}

/// An instant as a sentence says it.
pub(crate) fn at(offset: Offset) -> String {
    format!("{:.3} s", offset.as_secs_f64())
}
