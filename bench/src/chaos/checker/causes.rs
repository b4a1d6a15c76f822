//! Why a session ended: it was revoked, or a client of it presented a token that was used. A session that ended though
//! nobody did either was taken from a client who did nothing but try again.

use super::session::{SessionHistory, at};
use crate::chaos::history::record::{Answer, Call, Offset, Request, Token};

pub(super) enum Cause {
    /// A good one, or the session did not end.
    Known,
    LostWithItsNode,
    /// In a sentence.
    None(String),
}

pub(super) fn of_end(session: &SessionHistory<'_>) -> Cause {
    let signs = session.calls.iter().filter(|call| matches!(call.answer, Answer::Refused | Answer::Rejected));
    let Some(sign) = signs.min_by_key(|call| call.ended) else { return Cause::Known };
    let before = |call: &&&Call| call.began <= sign.ended;
    let mut earlier = session.calls.iter().filter(before);
    if earlier.any(|call| call.request == Request::Revoke) {
        return Cause::Known;
    }
    let presented = || session.calls.iter().filter(before).filter_map(|call| Some((*call, token(call)?)));
    if presented().any(|(call, token)| is_replay(session, call, token)) {
        return Cause::Known;
    }
    if presented().any(|(call, token)| is_orphan(session, call, token)) {
        return Cause::LostWithItsNode;
    }
    let token = token(sign);
    let acknowledged =
        session.calls.iter().any(|call| matches!(call.answer, Answer::Granted(next) if Some(next) == token));
    let what = match (sign.request, acknowledged) {
        (Request::Refresh(_), true) => "a refresh token that had been acknowledged was refused",
        (Request::Refresh(_), false) => "the session's first refresh token was refused",
        _ => "an access token was rejected",
    };
    Cause::None(format!("{what} at {} though nobody had revoked the session or replayed a token", at(sign.ended)))
}

fn token(call: &Call) -> Option<Token> {
    if let Request::Refresh(token) = call.request { Some(token) } else { None }
}

/// Whether the service may take this presentation for a replay. Without a retry window: if another one of the same
/// token was under way or had been answered. A client that was told to try again, or was told nothing, replays nothing.
fn is_replay(session: &SessionHistory<'_>, call: &Call, token: Token) -> bool {
    let all = session.presentations(token);
    let Some(window) = session.window else {
        return all.iter().filter(|other| came_first(other, call)).any(|other| !was_put_off(other, call));
    };
    let first = all.iter().map(|call| call.began).min().unwrap_or_default();
    call.ended.saturating_sub(first) >= window || successor_was_used_before(session, all, call.ended)
}

fn successor_was_used_before(session: &SessionHistory<'_>, all: &[&Call], moment: Offset) -> bool {
    let next = all.iter().find_map(|call| if let Answer::Granted(next) = call.answer { Some(next) } else { None });
    next.is_some_and(|next| session.presentations(next).iter().any(|call| call.began <= moment))
}

fn came_first(other: &Call, call: &Call) -> bool {
    !std::ptr::eq(other, call) && other.began <= call.began
}

fn was_put_off(other: &Call, call: &Call) -> bool {
    matches!(other.answer, Answer::TryAgain | Answer::Nothing) && other.ended <= call.began
}

/// Whether a node was killed that had this token in hand before: it can neither tell nor take back what became of it.
fn is_orphan(session: &SessionHistory<'_>, call: &Call, token: Token) -> bool {
    session.window.is_none()
        && session
            .presentations(token)
            .iter()
            .filter(|other| came_first(other, call) && was_put_off(other, call))
            .any(|other| session.killed_at(other).is_some_and(|killed| killed >= other.began && killed <= call.ended))
}
