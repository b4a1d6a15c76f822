//! Query strings of the FHIR API: known parameters, each once; anything else is refused, never ignored.

use crate::http::encoding::{self, NotText};
use rules::answers::Refusal;
use rules::limits::{MOST_PAGE_ENTRIES, PAGE_ENTRIES, SEARCH_ALTERNATIVES};
use rules::params::shown;
use store::search::{SystemPattern, TokenPattern};

/// A search parameter, as the search reads it and the CapabilityStatement tells of it.
#[derive(Debug)]
pub(super) struct Parameter {
    pub name: &'static str,
    /// FHIR's type of it.
    pub kind: &'static str,
    pub documentation: &'static str,
}

const FORMAT: &str = "_format";
const COUNT: &str = "_count";
pub(super) const PAGE: &str = "_page";
/// Parameters of every search that say how to answer, not what to look for.
const OF_ANSWERS: [&str; 3] = [COUNT, FORMAT, PAGE];

/// The parameters of one request, decoded, in the order they came.
#[derive(Debug)]
pub(super) struct Query(Vec<(&'static str, String)>);

impl Query {
    /// Reads the query of a search.
    pub fn of_search(query: Option<&str>, parameters: &'static [Parameter]) -> Result<Self, Refusal> {
        Self::read(query, parameters.iter().map(|parameter| parameter.name).chain(OF_ANSWERS))
    }

    fn read(query: Option<&str>, known: impl Iterator<Item = &'static str> + Clone) -> Result<Self, Refusal> {
        let mut pairs: Vec<(&'static str, String)> = Vec::new();
        let sent = encoding::pairs(query.unwrap_or_default().as_bytes())
            .map_err(|NotText(name)| Refusal::Invalid(format!("the parameter {} is not UTF-8", shown(&name))))?;
        for (name, value) in sent {
            let Some(name) = known.clone().find(|known| *known == name) else {
                let (name, known) = (shown(&name), known.collect::<Vec<_>>().join(", "));
                return Err(Refusal::Invalid(format!("the parameter {name} is not known; known are: {known}")));
            };
            if pairs.iter().any(|(before, _)| *before == name) {
                return Err(Refusal::Invalid(format!("send {name} once; alternatives are separated by commas")));
            }
            pairs.push((name, value.into_owned()));
        }
        Ok(Self(pairs))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    pub fn format(&self) -> Option<&str> {
        self.get(FORMAT)
    }

    /// Entries per page; more than a page may hold is not refused but not given either, as FHIR has it.
    pub fn count(&self) -> Result<i64, Refusal> {
        let Some(count) = self.get(COUNT) else { return Ok(PAGE_ENTRIES) };
        let digits = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        match count.parse::<i64>() {
            Ok(count) if digits && count > 0 => Ok(count.min(MOST_PAGE_ENTRIES)),
            Err(_) if digits => Ok(MOST_PAGE_ENTRIES),
            _ => Err(Refusal::Invalid(format!("_count must be a number from 1 to {MOST_PAGE_ENTRIES}"))),
        }
    }

    /// The alternatives of a token parameter: `system|value`, `value` or `|value`. FHIR's `system|`, any value of a
    /// system, is refused: it would be a walk through everyone.
    pub fn tokens(&self, name: &str) -> Result<Option<Vec<TokenPattern>>, Refusal> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let patterns = alternatives(name, value)?.iter().map(|one| token(one)).collect::<Option<_>>();
        patterns.map(Some).ok_or_else(|| Refusal::Invalid(format!("{name} must be system|value, value or |value")))
    }

    /// The alternatives of a parameter that has no parts.
    pub fn values(&self, name: &str) -> Result<Option<Vec<String>>, Refusal> {
        self.get(name).map(|value| Ok(alternatives(name, value)?.iter().map(|one| unescape(one)).collect())).transpose()
    }

    /// The query again, for a link: as it came, but for its page.
    pub fn link(&self, page: Option<&str>) -> String {
        let kept = self.0.iter().filter(|(name, _)| *name != PAGE).map(|(name, value)| (*name, value.as_str()));
        let pairs = kept.chain(page.map(|page| (PAGE, page)));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}

/// `_format` is all that a read takes.
pub(super) fn only_format(query: Option<&str>) -> Result<Option<String>, Refusal> {
    match query {
        None => Ok(None),
        Some(_) => Ok(Query::read(query, [FORMAT].into_iter())?.format().map(String::from)),
    }
}

fn alternatives<'a>(name: &str, value: &'a str) -> Result<Vec<&'a str>, Refusal> {
    let mut found = Vec::new();
    let mut rest = Some(value);
    while let Some(text) = rest {
        let (one, after) = split_at_mark(text, ',');
        found.extend(Some(one).filter(|one| !one.is_empty()));
        rest = after;
    }
    match found.len() {
        0 => Err(Refusal::Invalid(format!("{name} is empty"))),
        1..=SEARCH_ALTERNATIVES => Ok(found),
        _ => Err(Refusal::Invalid(format!("{name} may have at most {SEARCH_ALTERNATIVES} alternatives"))),
    }
}

fn token(text: &str) -> Option<TokenPattern> {
    let (before, after) = split_at_mark(text, '|');
    let (system, value) = match after {
        None => (SystemPattern::Any, before),
        Some(value) if before.is_empty() => (SystemPattern::None, value),
        Some(value) => (SystemPattern::Is(unescape(before)), value),
    };
    (!value.is_empty()).then(|| TokenPattern { system, value: unescape(value) })
}

/// Splits at the first `mark` that has no backslash before it.
fn split_at_mark(text: &str, mark: char) -> (&str, Option<&str>) {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == mark && !escaped {
            return (text.get(..at).unwrap_or_default(), text.get(at + mark.len_utf8()..));
        }
        escaped = c == '\\' && !escaped;
    }
    (text, None)
}

/// FHIR escapes comma, bar, dollar and backslash by a backslash; any other backslash means itself.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.next_if(|next| c == '\\' && matches!(next, ',' | '|' | '$' | '\\'));
        plain.push(next.unwrap_or(c));
    }
    plain
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
