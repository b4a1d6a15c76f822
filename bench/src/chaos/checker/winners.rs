//! A refresh token wins once: nobody else gets tokens for it, and nobody gets other tokens for it.

use super::session::{SessionHistory, at};
use crate::chaos::history::record::{Answer, Call, Token};
use std::collections::BTreeMap;

pub(super) fn check(session: &SessionHistory<'_>) -> Vec<String> {
    let tokens: BTreeMap<_, _> = session.presentations_of.iter().collect();
    tokens.into_values().flat_map(|calls| one_token(session, calls)).collect()
}

fn one_token(session: &SessionHistory<'_>, calls: &[&Call]) -> Vec<String> {
    let won: Vec<(&Call, Token)> = calls.iter().filter_map(|call| Some((*call, successor(call)?))).collect();
    let mut sentences = Vec::new();
    let Some((first, next)) = won.first() else { return sentences };
    for (again, other) in won.iter().skip(1) {
        if session.window.is_none() {
            sentences.push(format!("one refresh token won twice, at {} and at {}", at(first.ended), at(again.ended)));
        } else if other != next {
            sentences.push(format!(
                "one refresh token was answered with two successors, at {} and at {}: the session forked",
                at(first.ended),
                at(again.ended)
            ));
        }
    }
    // A retry window is open only while the successor is unused.
    let used =
        session.presentations(*next).iter().filter(|call| successor(call).is_some()).map(|call| call.ended).min();
    for (late, _) in
        won.iter().filter(|(call, _)| session.window.is_some() && used.is_some_and(|used| call.began > used))
    {
        sentences.push(format!("a refresh token was accepted at {} after its successor had been used", at(late.ended)));
    }
    sentences
}

fn successor(call: &Call) -> Option<Token> {
    if let Answer::Granted(next) = call.answer { Some(next) } else { None }
}
