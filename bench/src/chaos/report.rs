//! What the chaos came to: what was asked, who died, and whether the contract held.

use super::checker::verdict::{self, Violation};
use super::history::record::{Answer, Call, History, Request};
use super::plan::{CLIENTS, ChaosPlan};
use crate::measure::decimals::round;
use serde_json::{Value, json};
use std::time::Duration;

/// Of a session that was wronged, the last calls are shown.
const EXCERPT: usize = 30;

#[derive(Debug)]
pub(crate) struct ChaosReport {
    plan: ChaosPlan,
    durability: String,
    counts: Vec<(&'static str, usize)>,
    longest: Duration,
    violations: Vec<Violation>,
    /// What happened to the sessions that were wronged, a line per call.
    excerpt: Vec<String>,
}

impl ChaosReport {
    pub(crate) fn new(plan: &ChaosPlan, history: History, deaths: usize, durability: String) -> Self {
        let verdict = verdict::check(&history);
        let count = |which: &dyn Fn(&Call) -> bool| history.calls.iter().filter(|call| which(call)).count();
        let is_refresh = |call: &Call| matches!(call.request, Request::Refresh(_));
        let counts = vec![
            ("node_kills", history.kills.len()),
            ("database_kills", deaths),
            ("sessions", history.windows.len()),
            ("requests", history.calls.len()),
            ("refreshes", count(&|call| is_refresh(call) && matches!(call.answer, Answer::Granted(_)))),
            ("refreshes_refused", count(&|call| call.answer == Answer::Refused)),
            ("reads", count(&|call| call.answer == Answer::Shown)),
            ("reads_rejected", count(&|call| call.answer == Answer::Rejected)),
            ("revocations", count(&|call| call.answer == Answer::Revoked)),
            ("told_to_try_again", count(&|call| call.answer == Answer::TryAgain)),
            ("not_answered", count(&|call| call.answer == Answer::Nothing)),
            ("lost_with_their_node", verdict.lost_with_their_node),
        ];
        let took = |call: &Call| call.ended.saturating_sub(call.began);
        let longest = history.calls.iter().filter(|call| call.process.is_some()).map(took).max().unwrap_or_default();
        let excerpt = excerpt(&history, &verdict.violations);
        Self { plan: plan.clone(), durability, counts, longest, violations: verdict.violations, excerpt }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.violations.is_empty()
    }

    pub(crate) fn json(&self) -> String {
        let mut top = json!({
            "violations": self.violations.len(),
            "sentences": self.violations.iter().map(sentence).collect::<Vec<_>>(),
            "history": self.excerpt,
            "seed": self.plan.seed,
            "seconds": self.plan.length.as_secs_f64(),
            "nodes": self.plan.nodes,
            "clients": CLIENTS,
            "longest_ms": round(self.longest.as_secs_f64() * 1e3, 0),
            "durability": self.durability,
        });
        for (name, count) in &self.counts {
            if let Value::Object(top) = &mut top {
                top.insert((*name).to_owned(), json!(count));
            }
        }
        format!("{top:#}\n")
    }

    pub(crate) fn text(&self) -> String {
        let (seconds, nodes, seed) = (self.plan.length.as_secs_f64(), self.plan.nodes, self.plan.seed);
        let mut lines = vec![format!("chaos for {seconds} s on {nodes} nodes, --seed {seed}"), self.durability.clone()];
        lines.extend(self.counts.iter().map(|(name, count)| format!("{:<22} {count:>8}", name.replace('_', " "))));
        lines.push(format!("{:<22} {:>8} ms", "longest answer", self.longest.as_millis()));
        lines.extend(self.excerpt.iter().cloned());
        lines.extend(self.violations.iter().map(sentence));
        lines.push(format!("violations: {}", self.violations.len()));
        lines.join("\n") + "\n"
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
