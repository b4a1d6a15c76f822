//! What a read says beside what it names: its query, what its reader takes, and what they have already. A request of its own
//! says it by headers, an entry of a Bundle by its members.

use crate::fhir::media;
use crate::fhir::read::options::{self, ReadOptions};
use crate::fhir::search::query_string::Query;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::search::query::Sent;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use rules::answers::Refusal;
use rules::moment::Moment;
use std::sync::LazyLock;
use store::stored::resource::Resource;

/// The headers of an entry of a Bundle: whoever takes the Bundle takes what is in it.
static NONE: LazyLock<HeaderMap> = LazyLock::new(HeaderMap::new);

#[derive(Debug)]
pub(crate) struct ReadRequest<'r> {
    pub query: Option<&'r str>,
    /// Whether only what is said of the resource is asked for, not its body.
    pub is_head: bool,
    headers: &'r HeaderMap,
    /// The versions that the reader has, as `If-None-Match` names them.
    tags: Vec<&'r str>,
    /// The moment of what the reader has, as `If-Modified-Since` names it.
    since: Option<Moment>,
}

impl<'r> ReadRequest<'r> {
    pub(crate) fn of(call: &'r Call) -> Self {
        Self::of_head(&call.head)
    }

    pub(crate) fn of_head(head: &'r Parts) -> Self {
        let headers = &head.headers;
        let tags = headers.get_all(header::IF_NONE_MATCH).iter().map(|value| value.to_str().unwrap_or_default());
        let since = headers.get(header::IF_MODIFIED_SINCE).and_then(|value| value.to_str().ok());
        Self {
            query: head.uri.query(),
            is_head: head.method == Method::HEAD,
            headers,
            tags: tags.collect(),
            since: since.and_then(when::of_http_date),
        }
    }

    /// That of an entry of a Bundle.
    pub(crate) fn of_entry(query: Option<&'r str>, is_head: bool, tag: Option<&'r str>, since: Option<Moment>) -> Self {
        Self { query, is_head, headers: &NONE, tags: tag.into_iter().collect(), since }
    }

    /// How a resource is given, if query and headers leave room for an answer.
    pub(crate) fn options(&self) -> Result<ReadOptions, Refusal> {
        let Some(query) = self.query else {
            media::must_take_json(self.headers, None)?;
            return Ok(ReadOptions::default());
        };
        let query = Query::of_read(Some(query))?;
        self.must_take_json(query.format())?;
        ReadOptions::of(&query)
    }

    pub(crate) fn must_take_json(&self, format: Option<&str>) -> Result<(), Refusal> {
        media::must_take_json(self.headers, format)
    }

    /// Whether the answer to a search is laid out, if its parameters leave room for one.
    pub(crate) fn layout_of(&self, sent: &[Sent]) -> Result<bool, Refusal> {
        let first = |code: &str| sent.iter().find(|(name, _)| name == code).map(|(_, value)| value.as_str());
        self.must_take_json(first("_format"))?;
        media::must_be_of_version(first("fhirVersion"))?;
        options::is_pretty(first("_pretty"))
    }

    /// Whether parameters that nobody knows are passed over.
    pub(crate) fn is_lenient(&self) -> bool {
        media::prefers_lenient(self.headers)
    }

    /// Whether the reader has this version already, by its tag or else by its moment; then it is not sent again. A moment that is
    /// yet to come tells nothing: the clock was set back, and versions follow each other within one second of HTTP's dates.
    pub(crate) fn has(&self, found: &Resource, now: Moment) -> bool {
        if self.tags.is_empty() {
            let is_older = |since: Moment| found.updated_at.0 < since.0 + 1000;
            return found.updated_at <= now && self.since.is_some_and(is_older);
        }
        let tag = format!("\"{}\"", found.version);
        let mut tags = self.tags.iter().flat_map(|tags| tags.split(',')).map(str::trim);
        tags.any(|held| held == "*" || held.strip_prefix("W/").unwrap_or(held) == tag)
    }
}
