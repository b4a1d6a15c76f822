//! When and why a grant is over, for the pages that tell people so.

use rules::guidance::endings;
use rules::moment::Moment;
use rules::revocation::Revoked;
use store::grants::Grant;

/// What is said of an end whose reason this build does not know: a newer node has written it.
const OTHERWISE: &str = "The access was ended.";

/// When a grant ended or would end by itself, and why; `None` if it has no end.
pub(super) fn of(grant: &Grant) -> Option<(Moment, &'static str)> {
    let revoked = grant.revoked_at.map(|at| (at, sentence(grant.revoked_why.as_deref())));
    revoked.or_else(|| Some((grant.ends_at?, endings::TIME_WAS_UP)))
}

/// Why, by the word of the database.
pub(super) fn sentence(word: Option<&str>) -> &'static str {
    word.and_then(Revoked::named).map_or(OTHERWISE, endings::sentence)
}
