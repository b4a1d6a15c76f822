//! Words that several pages share. Written for lay readers: short sentences, no jargon. What an app may do is said by
//! `rules::guidance::promises`.

/// Completes "Access lasts …" for a client whose sessions never expire.
pub const UNTIL_TAKEN_BACK: &str = "until you take it back";

/// Whose record, or which team, an app was connected for.
pub const OWN_RECORD: &str = "Your own record";
pub const NO_LONGER_CARED_FOR: &str = "A record that is no longer shared with you: it sees nothing";
pub const NO_TEAM_CHOSEN: &str =
    "No team was chosen: in several teams it reads, and writes nothing until you connect it again";

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
