//! A condition on the words of a text: words that must all be there, AND and OR between them, and parentheses.

use crate::values::folding::fold;

/// Words that one condition may have.
const MOST_WORDS: usize = 20;
/// Parentheses inside of each other.
const DEEPEST: usize = 8;

/// What must be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordTest {
    /// A folded word.
    Word(String),
    All(Vec<WordTest>),
    Any(Vec<WordTest>),
}

enum Sign<'t> {
    Open,
    Close,
    And,
    Or,
    Text(&'t str),
}

impl WordTest {
    /// Reads a condition; says in words what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let signs: Vec<Sign<'_>> = text.split(' ').filter(|part| !part.is_empty()).flat_map(signs).collect();
        let mut left = signs.as_slice();
        let read = either(&mut left, 0)?;
        match left {
            [] => match read.count() {
                0 => Err(format!("{text:?} has no letter and no digit to search for")),
                1..=MOST_WORDS => Ok(read),
                _ => Err(format!("at most {MOST_WORDS} words are searched for at once")),
            },
            _ => Err("a parenthesis is closed that was not opened".into()),
        }
    }

    /// Whether the words are there that it asks for.
    pub fn holds(&self, is_there: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Word(word) => is_there(word),
            Self::All(parts) => parts.iter().all(|part| part.holds(is_there)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(is_there)),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Word(_) => 1,
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::count).sum(),
        }
    }
}

/// A part between blanks: parentheses around it stand for themselves, and AND and OR in any case for what they say.
fn signs(part: &str) -> Vec<Sign<'_>> {
    let inner = part.trim_start_matches('(');
    let mut found: Vec<Sign<'_>> = (inner.len()..part.len()).map(|_| Sign::Open).collect();
    let word = inner.trim_end_matches(')');
    match word {
        "" => {}
        _ if word.eq_ignore_ascii_case("and") => found.push(Sign::And),
        _ if word.eq_ignore_ascii_case("or") => found.push(Sign::Or),
        _ => found.push(Sign::Text(word)),
    }
    found.extend((word.len()..inner.len()).map(|_| Sign::Close));
    found
}

/// What stands between ORs, each of which is enough.
fn either(left: &mut &[Sign<'_>], depth: usize) -> Result<WordTest, String> {
    let mut ways = vec![all(left, depth)?];
    while let [Sign::Or, rest @ ..] = left {
        *left = rest;
        ways.push(all(left, depth)?);
    }
    Ok(match ways.len() {
        1 => ways.remove(0),
        _ => WordTest::Any(ways),
    })
}

/// What must all be there, with AND between or nothing.
fn all(left: &mut &[Sign<'_>], depth: usize) -> Result<WordTest, String> {
    let (mut parts, mut is_expected) = (Vec::new(), true);
    loop {
        match left {
            [Sign::Text(word), rest @ ..] => {
                *left = rest;
                // One part may be several words: `chest-pain`.
                parts.extend(
                    fold(word).split(' ').filter(|word| !word.is_empty()).map(|word| WordTest::Word(word.into())),
                );
                is_expected = false;
            }
            [Sign::Open, ..] if depth >= DEEPEST => {
                return Err(format!("has more than {DEEPEST} parentheses inside of each other"));
            }
            [Sign::Open, rest @ ..] => {
                *left = rest;
                parts.push(either(left, depth + 1)?);
                let [Sign::Close, rest @ ..] = left else {
                    return Err("a parenthesis is opened and not closed".into());
                };
                *left = rest;
                is_expected = false;
            }
            [Sign::And, rest @ ..] if !is_expected => {
                *left = rest;
                is_expected = true;
            }
            _ if is_expected => return Err("AND and OR stand between words".into()),
            _ => return Ok(WordTest::All(parts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str, words: &[&str]) -> bool {
        WordTest::read(text).unwrap().holds(&|word| words.contains(&word))
    }

    #[test]
    fn and_binds_more_than_or_and_parentheses_more_than_both() {
        let r4s_own = "(bone OR liver) and metastases";
        assert!(finds(r4s_own, &["liver", "metastases"]) && finds(r4s_own, &["bone", "metastases"]));
        assert!(!finds(r4s_own, &["bone", "liver"]) && !finds(r4s_own, &["metastases"]));
        assert!(finds("a b OR c", &["c"]) && finds("a b OR c", &["a", "b"]) && !finds("a b OR c", &["a"]));
        assert!(finds("a AND (b OR (c d))", &["a", "c", "d"]) && !finds("a AND (b OR (c d))", &["a", "c"]));
        assert!(finds("Chest-Pain", &["chest", "pain"]) && !finds("Chest-Pain", &["pain"]));
    }

    #[test]
    fn what_is_not_whole_is_refused_in_words() {
        for (text, words) in [
            ("(a", "not closed"),
            ("a)", "not opened"),
            ("a OR", "between words"),
            ("AND a", "between words"),
            ("a AND OR b", "between words"),
            ("()", "between words"),
            ("", "between words"),
            ("...", "no letter and no digit"),
        ] {
            let told = WordTest::read(text).unwrap_err();
            assert!(told.contains(words), "{text}: {told}");
        }
        assert!(WordTest::read(&"a ".repeat(MOST_WORDS)).is_ok());
        assert!(WordTest::read(&"a ".repeat(MOST_WORDS + 1)).unwrap_err().contains("at most"));
        let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(WordTest::read(&deep).unwrap_err().contains("inside of each other"));
    }
}
