//! What a history comes to: what was asked and answered, how long the longest answer took, and whether the contract held.

use super::checker::verdict::{self, Violation};
use super::history::record::{Answer, Call, History, Request};
use crate::measure::decimals::round;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Of a session that was wronged, the last calls are shown.
const EXCERPT: usize = 30;

#[derive(Debug, Default)]
pub(crate) struct Account {
    pub(crate) counts: Vec<(&'static str, usize)>,
    pub(crate) longest: Duration,
    /// Each violation in a sentence.
    pub(crate) violations: Vec<String>,
    /// What happened to the sessions that were wronged, a line per call.
    pub(crate) excerpt: Vec<String>,
}

impl Account {
    pub(crate) fn of(history: &History) -> Self {
        let verdict = verdict::check(history);
        let count = |which: &dyn Fn(&Call) -> bool| history.calls.iter().filter(|call| which(call)).count();
        let is_refresh = |call: &Call| matches!(call.request, Request::Refresh(_));
        let shown = |call: &Call, request: Request| call.answer == Answer::Shown && call.request == request;
        let counts = vec![
            ("node_kills", history.kills.len()),
            ("sessions", history.windows.len()),
            ("requests", history.calls.len()),
            ("refreshes", count(&|call| is_refresh(call) && matches!(call.answer, Answer::Granted(_)))),
            ("refreshes_refused", count(&|call| call.answer == Answer::Refused)),
            ("reads", count(&|call| shown(call, Request::Read))),
            ("searches", count(&|call| shown(call, Request::Search))),
            ("reads_rejected", count(&|call| call.answer == Answer::Rejected)),
            ("revocations", count(&|call| call.answer == Answer::Revoked)),
            ("told_to_try_again", count(&|call| call.answer == Answer::TryAgain)),
            ("not_answered", count(&|call| call.answer == Answer::Nothing)),
            ("lost_with_their_node", verdict.lost_with_their_node),
        ];
        let took = |call: &Call| call.ended.saturating_sub(call.began);
        let longest = history.calls.iter().filter(|call| call.process.is_some()).map(took).max().unwrap_or_default();
        let excerpt = excerpt(history, &verdict.violations);
        let violations = verdict.violations.iter().map(sentence).collect();
        Self { counts, longest, violations, excerpt }
    }

    /// Joins what another history came to.
    pub(crate) fn absorb(&mut self, other: Self) {
        if self.counts.is_empty() {
            self.counts = other.counts;
        } else {
            self.counts.iter_mut().zip(other.counts).for_each(|((_, sum), (_, count))| *sum += count);
        }
        self.longest = self.longest.max(other.longest);
        self.violations.extend(other.violations);
        self.excerpt.extend(other.excerpt);
    }

    /// The counts and the longest answer, a line each, for a person.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<_> =
            self.counts.iter().map(|(name, count)| format!("{:<22} {count:>8}", name.replace('_', " "))).collect();
        lines.push(format!("{:<22} {:>8} ms", "longest answer", self.longest.as_millis()));
        lines
    }

    /// The violations and what led to them, and how many there are in the last line.
    pub(crate) fn verdict(&self) -> Vec<String> {
        let mut lines = [self.excerpt.clone(), self.violations.clone()].concat();
        lines.push(format!("violations: {}", self.violations.len()));
        lines
    }

    /// All of it for a program.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let mut top = Map::new();
        top.insert("violations".to_owned(), json!(self.violations.len()));
        top.insert("sentences".to_owned(), json!(self.violations));
        top.insert("history".to_owned(), json!(self.excerpt));
        top.insert("longest_ms".to_owned(), json!(round(self.longest.as_secs_f64() * 1e3, 0)));
        for (name, count) in &self.counts {
            top.insert((*name).to_owned(), json!(count));
        }
        top
    }
}

fn sentence(violation: &Violation) -> String {
    format!("session {}: {}", violation.session, violation.sentence)
}

fn excerpt(history: &History, violations: &[Violation]) -> Vec<String> {
    let mut sessions: Vec<u32> = violations.iter().map(|violation| violation.session).collect();
    sessions.dedup();
    let mut lines = Vec::new();
    for session in sessions {
        let mut calls: Vec<&Call> = history.calls.iter().filter(|call| call.session == session).collect();
        calls.sort_by_key(|call| call.began);
        let from = calls.len().saturating_sub(EXCERPT);
        lines.extend(calls.get(from..).unwrap_or_default().iter().map(|call| line(history, call)));
    }
    lines
}

fn line(history: &History, call: &Call) -> String {
    let killed = call.process.and_then(|process| history.kills.get(&process));
    let killed = killed.map(|at| format!(", killed at {:.3}", at.as_secs_f64())).unwrap_or_default();
    let process = call.process.map(|process| format!(" by process {}{killed}", process.0)).unwrap_or_default();
    let [began, ended] = [call.began, call.ended].map(|at| at.as_secs_f64());
    format!("  session {} {began:.3}..{ended:.3} {:?} -> {:?}{process}", call.session, call.request, call.answer)
}
