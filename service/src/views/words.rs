//! Words that several pages share. Written for lay readers: short sentences, no jargon. What an app may do is said by
//! `rules::guidance::promises`.

/// Completes "Access lasts …" for a client whose sessions never expire.
pub const UNTIL_TAKEN_BACK: &str = "until you take it back";

/// Words as the beginning of a sentence.
#[must_use]
pub fn capital(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", characters.as_str())
}

/// The words of a rule as a sentence.
#[must_use]
pub fn sentence(rule: &str) -> String {
    format!("{}.", capital(rule))
}
