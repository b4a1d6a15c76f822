//! Query strings of the FHIR API: known parameters, each once; anything else is refused, never ignored.

use crate::http::encoding::{self, NotText};
use fhir::values::span::Span;
use rules::answers::Refusal;
use rules::limits::{MOST_PAGE_ENTRIES, PAGE_ENTRIES};
use rules::params::shown;
use store::history::window::HistoryWindow;

pub(crate) const FORMAT: &str = "_format";
const AT: &str = "_at";
const SINCE: &str = "_since";
const COUNT: &str = "_count";
pub(crate) const MODE: &str = "mode";
pub(crate) const ELEMENTS: &str = "_elements";
pub(crate) const PAGE: &str = "_page";
pub(crate) const PRETTY: &str = "_pretty";
pub(crate) const SUMMARY: &str = "_summary";
/// Parameters of every read that say how to answer.
const OF_READS: [&str; 4] = [ELEMENTS, FORMAT, PRETTY, SUMMARY];
/// Those of every list.
const OF_LISTS: [&str; 8] = [AT, COUNT, ELEMENTS, FORMAT, PAGE, PRETTY, SINCE, SUMMARY];

/// The parameters of one request, decoded, in the order they came.
#[derive(Debug)]
pub(crate) struct Query(Vec<(&'static str, String)>);

impl Query {
    /// Reads the query of a list.
    pub fn of_list(query: Option<&str>) -> Result<Self, Refusal> {
        Self::read(query, OF_LISTS.into_iter())
    }

    /// Reads the query of a read.
    pub fn of_read(query: Option<&str>) -> Result<Self, Refusal> {
        Self::read(query, OF_READS.into_iter())
    }

    /// Reads that of a Binary, which is content first: nothing of it is left out, and it is laid out as it is.
    pub fn of_binary(query: Option<&str>) -> Result<Self, Refusal> {
        Self::read(query, [FORMAT, PRETTY].into_iter())
    }

    /// Reads that of the CapabilityStatement.
    pub fn of_statement(query: Option<&str>) -> Result<Self, Refusal> {
        Self::read(query, OF_READS.into_iter().chain([MODE]))
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
                return Err(Refusal::Invalid(format!("send {name} once")));
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

    /// The part of a history that `_since` and `_at` ask for.
    pub fn window(&self) -> Result<HistoryWindow, Refusal> {
        let span = |name| {
            let Some(text) = self.get(name) else { return Ok(None) };
            // A plus sign that was not escaped in a URL arrives as a space.
            let span = Span::read(&text.replace(' ', "+")).map(Some);
            let why = || format!("{name} must be a date or a moment, such as 2020-05-17 or 2020-05-17T10:00:00Z");
            span.ok_or_else(|| Refusal::Invalid(why()))
        };
        Ok(HistoryWindow::of(span(SINCE)?, span(AT)?))
    }

    /// The query again, for a link: as it came, but for its page.
    pub fn link(&self, page: Option<&str>) -> String {
        let kept = self.0.iter().filter(|(name, _)| *name != PAGE).map(|(name, value)| (*name, value.as_str()));
        encoding::query(kept.chain(page.map(|page| (PAGE, page))))
    }
}

/// `_format` is all that a write takes.
pub(crate) fn only_format(query: Option<&str>) -> Result<Option<String>, Refusal> {
    match query {
        None => Ok(None),
        Some(_) => Ok(Query::read(query, [FORMAT].into_iter())?.format().map(String::from)),
    }
}

#[cfg(test)]
#[path = "query_string_tests.rs"]
mod tests;
