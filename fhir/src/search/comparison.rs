//! How stored values stand to those searched for, prefix by prefix: as R4 says and docs/gaps.md decides.

use crate::search::prefix::Prefix;
use crate::values::magnitude::{Interval, Magnitude};
use crate::values::span::Span;

/// Whether a stored time is as the prefix says. What is searched for approximately is already as wide as that is.
#[must_use]
pub const fn time(prefix: Prefix, searched: Span, stored: Span) -> bool {
    let equal = searched.contains(stored);
    match prefix {
        Prefix::Equal => equal,
        Prefix::NotEqual => !equal,
        Prefix::Greater => stored.high > searched.high,
        Prefix::Less => stored.low < searched.low,
        Prefix::GreaterOrEqual => equal || stored.high > searched.high,
        Prefix::LessOrEqual => equal || stored.low < searched.low,
        Prefix::StartsAfter => stored.low >= searched.high,
        Prefix::EndsBefore => stored.high <= searched.low,
        Prefix::Approximate => searched.overlaps(stored),
    }
}

/// Whether a stored number is as the prefix says. As a limit, a number is exactly itself.
#[must_use]
pub const fn number(prefix: Prefix, searched: Magnitude, stored: Interval) -> bool {
    let equal = searched.low <= stored.low && stored.high < searched.high;
    match prefix {
        Prefix::Equal => equal,
        Prefix::NotEqual => !equal,
        Prefix::Greater => stored.high > searched.value,
        Prefix::Less => stored.low < searched.value,
        Prefix::GreaterOrEqual => stored.high >= searched.value,
        Prefix::LessOrEqual => stored.low <= searched.value,
        Prefix::StartsAfter => stored.low > searched.value,
        Prefix::EndsBefore => stored.high < searched.value,
        Prefix::Approximate => stored.low <= searched.high && searched.low <= stored.high,
    }
}
