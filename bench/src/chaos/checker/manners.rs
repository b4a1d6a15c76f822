//! How a node must answer, whatever it answers: in bounded time, nothing unheard of, and it hangs up on nobody.

use super::session::{SessionHistory, at};
use crate::chaos::history::record::{Answer, Call};
use std::time::Duration;

/// Longer than a node promises (five seconds and some for finding out), with room for a machine that is worn out.
const BOUND: Duration = Duration::from_secs(20);

pub(super) fn check(session: &SessionHistory<'_>) -> Vec<String> {
    session.calls.iter().filter_map(|call| one_call(session, call)).collect()
}

fn one_call(session: &SessionHistory<'_>, call: &Call) -> Option<String> {
    let took = call.ended.saturating_sub(call.began);
    match &call.answer {
        Answer::Wrong(what) => Some(format!("a request was answered wrongly at {}: {what}", at(call.ended))),
        Answer::Nothing if session.killed_at(call).is_none_or(|killed| killed > call.ended) => {
            Some(format!("a node hung up on a request at {} though it was not killed", at(call.ended)))
        }
        _ if call.process.is_some() && took > BOUND => {
            Some(format!("a request begun at {} hung for {}", at(call.began), at(took)))
        }
        _ => None,
    }
}
