//! Writes the history while it happens.

use super::record::{Call, History, Offset, Process, Token};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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

    pub(crate) fn now(&self) -> Offset {
        self.began.elapsed()
    }

    /// The number of a new session that opens a patient's record.
    pub(crate) fn session(&self, window: Option<Duration>, patient: usize) -> u32 {
        let mut history = self.history();
        history.windows.push(window);
        history.patients.push(patient);
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
