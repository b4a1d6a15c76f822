//! How long keys are good that were fetched from a client's URL, and when they may be fetched again.

use crate::limits::{
    KEY_FETCH_PAUSES, KEYS_GOOD_SECONDS, LEAST_KEYS_GOOD_SECONDS, LONGEST_KEYS_GOOD_SECONDS, UNKNOWN_KEY_SECONDS,
};

/// What an answer says of how long it is good.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatedLife<'h> {
    /// All of its `Cache-Control`, with commas between.
    pub cache_control: Option<&'h str>,
    pub age: Option<&'h str>,
    /// Seconds from its `Date` to its `Expires`; one that cannot be read is over, and 0.
    pub expires_in: Option<i64>,
}

impl StatedLife<'_> {
    /// For how many seconds the answer is good, from the moment at which it was asked for. Never for longer than a day, so that a
    /// key that was taken away ends; never for less than a second, which is how answers that are not to be kept are throttled.
    #[must_use]
    pub fn seconds(&self) -> i64 {
        let age = self.age.map_or(0, |age| number(age).unwrap_or(i64::MAX));
        let life = match (self.cache_control.and_then(stated), self.expires_in) {
            (Some(seconds), _) | (None, Some(seconds)) => seconds.saturating_sub(age),
            (None, None) => KEYS_GOOD_SECONDS,
        };
        life.clamp(LEAST_KEYS_GOOD_SECONDS, LONGEST_KEYS_GOOD_SECONDS)
    }
}

/// What `Cache-Control` says, if it says anything of time. What cannot be read is over; of two the shorter counts.
fn stated(cache_control: &str) -> Option<i64> {
    let directives = cache_control.split(',').map(|directive| directive.trim());
    let seconds = directives.filter_map(|directive| {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        let is = |known: &str| name.trim().eq_ignore_ascii_case(known);
        if is("no-store") || is("no-cache") { Some(0) } else { is("max-age").then(|| number(value).unwrap_or(0)) }
    });
    seconds.min()
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim().trim_matches('"');
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // More digits than a number has are a number that is larger than all that matter.
    are_digits.then(|| digits.parse().unwrap_or(i64::MAX))
}

/// How many seconds after a fetch that failed the next one may begin, by the number of those that have failed one after the other.
#[must_use]
pub fn pause_seconds(failures: u32) -> i64 {
    let (first, longest) = (*KEY_FETCH_PAUSES.start(), *KEY_FETCH_PAUSES.end());
    let doublings = failures.saturating_sub(1).min(16);
    (first << doublings).min(longest)
}

/// Whether keys that are still good may be fetched once more because none of them is the one that an assertion names, by how many
/// seconds ago that was last done.
#[must_use]
pub fn may_look_again(seconds_ago: Option<i64>) -> bool {
    seconds_ago.is_none_or(|seconds| seconds >= UNKNOWN_KEY_SECONDS)
}
