//! What is over stays over: from the first answer that says so, no token of the session works on any node.

use super::session::{SessionHistory, at};
use crate::chaos::history::record::{Answer, Call};

pub(super) fn check(session: &SessionHistory<'_>) -> Option<String> {
    let over = session.calls.iter().filter(|call| call.says_over()).min_by_key(|call| call.ended)?;
    let revived = session.calls.iter().find(|call| call.says_alive() && call.is_after(over))?;
    let what = match revived.answer {
        Answer::Granted(_) => "a refresh was granted",
        _ => "an access token was accepted",
    };
    Some(format!("{what} at {} though {} at {}", at(revived.ended), ending(over), at(over.ended)))
}

fn ending(over: &Call) -> &'static str {
    match over.answer {
        Answer::Revoked => "the session's revocation had been acknowledged",
        Answer::Refused => "a refresh token of the session had been refused, which ends it,",
        _ => "an access token of the session had been rejected as revoked",
    }
}
