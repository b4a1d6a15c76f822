//! What a developer is told beside the words of a refusal.

/// What a refusal means, and what its receiver can do. One sentence each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    pub meaning: &'static str,
    pub remedy: &'static str,
}

impl Guidance {
    pub(super) const fn new(meaning: &'static str, remedy: &'static str) -> Self {
        Self { meaning, remedy }
    }
}

/// What stands in a specimen where the words vary with the request.
pub(super) const VARIES: &str = "…";

pub(super) const GRANT_AGAIN: &str = "Ask the user or the Team Coordinator to grant access again.";

/// Of a session whose end has come, whoever asks.
pub(super) const SESSION_EXPIRED: Guidance = Guidance::new("The session's duration is over.", GRANT_AGAIN);

/// Of a session that was ended, whoever asks.
pub(super) const SESSION_REVOKED: Guidance = Guidance::new(
    "The session was ended: by its user, its Team Coordinator, its client, the operator, because a token was used twice, or because the user's type or the client's registration no longer covers it.",
    GRANT_AGAIN,
);
