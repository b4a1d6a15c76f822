//! The verdict on a history: every violation of the contract, in a sentence.
//!
//! Only what was acknowledged counts, and only the order that clients could see: a call is after another if it began
//! when the other had ended.

use super::session::SessionHistory;
use super::{causes, endings, manners, winners};
use crate::chaos::history::record::{Call, History};
use std::collections::BTreeMap;

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
        let session = SessionHistory::new(calls, window, &history.kills);
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
