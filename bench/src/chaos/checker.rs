//! Holds a history to the contract. It knows nothing of how the history came about, so that handmade ones can show
//! that each sort of wrong is found.
//!
//! Only what was acknowledged counts, and only the order that clients could see: a call is after another if it began
//! when the other had ended.

mod causes;
mod endings;
mod manners;
#[cfg(test)]
mod tests;
mod winners;

use super::history::{Answer, Asked, At, Call, History, Process, Token};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// Something that the contract forbids, and did happen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) session: u32,
    pub(crate) sentence: String,
}

#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) violations: Vec<Violation>,
    /// Sessions of clients without a retry window that ended because a node was killed with their refresh in hand.
    /// The contract is strict there (docs/gaps.md, "Refresh after lost answer"), so these are counted, not blamed.
    pub(crate) lost_with_their_node: usize,
}

pub(crate) fn check(history: &History) -> Verdict {
    let mut sessions: BTreeMap<u32, Vec<&Call>> = BTreeMap::new();
    for call in &history.calls {
        sessions.entry(call.session).or_default().push(call);
    }
    let mut verdict = Verdict::default();
    for (number, calls) in sessions {
        let window = history.windows.get(number as usize).copied().flatten();
        let session = Session::new(calls, window, &history.kills);
        let mut sentences = Vec::new();
        sentences.extend(winners::check(&session));
        sentences.extend(endings::check(&session));
        sentences.extend(manners::check(&session));
        match causes::of_end(&session) {
            causes::Cause::Known => {}
            causes::Cause::LostWithItsNode => verdict.lost_with_their_node += 1,
            causes::Cause::None(sentence) => sentences.push(sentence),
        }
        verdict.violations.extend(sentences.into_iter().map(|sentence| Violation { session: number, sentence }));
    }
    verdict
}

/// All that happened to one session, in the order in which it was asked.
struct Session<'h> {
    calls: Vec<&'h Call>,
    /// The presentations of each refresh token, in the order in which they began.
    presented: HashMap<Token, Vec<&'h Call>>,
    window: Option<Duration>,
    kills: &'h HashMap<Process, At>,
}

impl<'h> Session<'h> {
    fn new(mut calls: Vec<&'h Call>, window: Option<Duration>, kills: &'h HashMap<Process, At>) -> Self {
        calls.sort_by_key(|call| call.began);
        let mut presented: HashMap<Token, Vec<&'h Call>> = HashMap::new();
        for call in &calls {
            if let Asked::Refresh(token) = call.asked {
                presented.entry(token).or_default().push(call);
            }
        }
        Self { calls, presented, window, kills }
    }

    fn presentations(&self, token: Token) -> &[&'h Call] {
        self.presented.get(&token).map_or(&[], Vec::as_slice)
    }

    /// When the process that was asked was killed.
    fn killed_at(&self, call: &Call) -> Option<At> {
        self.kills.get(&call.process?).copied()
    }
}

impl Call {
    /// Whether the answer says that the session is over. Nothing else can: its tokens are genuine and none expires.
    fn says_over(&self) -> bool {
        matches!(self.answer, Answer::Refused | Answer::Rejected | Answer::Revoked)
    }

    /// Whether the answer says that the session is alive.
    fn says_alive(&self) -> bool {
        matches!(self.answer, Answer::Granted(_) | Answer::Shown)
    }

    fn is_after(&self, other: &Self) -> bool {
        self.began > other.ended
    }
}

/// An instant as a sentence says it.
fn at(at: At) -> String {
    format!("{:.3} s", at.as_secs_f64())
}
