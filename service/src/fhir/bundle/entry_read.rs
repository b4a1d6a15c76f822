//! Reads among the requests of a Bundle: answered by the handlers of such requests. A Binary is without its data, as in every Bundle.

use crate::app::Shared;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::history::{type_history, versions};
use crate::fhir::operations::{everything, lastn};
use crate::fhir::read::instance;
use crate::fhir::search::{endpoint, own_parameters};
use crate::fhir::write::acknowledgement::Preference;
use crate::formats::when::http_date;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::Response;
use fhir::exchange::RequestEntry;
use fhir::types::ResourceType;
use fhir::values::span::Span;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rules::answers::Refusal;
use rules::guidance::promises::Served;
use rules::moment::Moment;
use std::net::IpAddr;
use store::read as records;

/// What people write into a URL and nobody may send in one.
const NOT_IN_URLS: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>');

/// Where the requests of a Bundle are answered, and for whom.
#[derive(Debug)]
pub(crate) struct Desk<'d> {
    pub app: &'d Shared,
    pub caller: &'d Caller,
    pub peer: IpAddr,
    pub served: &'static Served,
    pub preference: Preference,
}

/// A read of something.
#[derive(Debug)]
pub(crate) struct EntryRead {
    of: ResourceType,
    what: EntryReadKind,
    /// What stands in the place of an id.
    id: Option<String>,
    url: String,
    method: Method,
    if_none_match: Option<String>,
    if_modified_since: Option<Moment>,
}

/// By which handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryReadKind {
    Search,
    Instance,
    History,
    Version,
    TypeHistory,
    Compartment,
    Everything,
    LastOfEach,
}

impl EntryReadKind {
    const fn pattern(self) -> &'static str {
        match self {
            Self::Search => "/fhir/{type}",
            Self::Instance => "/fhir/{type}/{id}",
            Self::History => "/fhir/{type}/{id}/_history",
            Self::Version => "/fhir/{type}/{id}/_history/{version}",
            Self::TypeHistory => "/fhir/{type}/_history",
            Self::Compartment => "/fhir/{type}/{id}/{member}",
            Self::Everything => "/fhir/Patient/{id}/$everything",
            Self::LastOfEach => "/fhir/Observation/$lastn",
        }
    }
}

impl EntryRead {
    /// What is read at a URL, by the parts behind its type; nothing where that is not done.
    pub(crate) fn of(of: ResourceType, rest: &[&str], url: &str, entry: &RequestEntry) -> Option<Self> {
        let what = match rest {
            [] => EntryReadKind::Search,
            ["_history"] => EntryReadKind::TypeHistory,
            ["$lastn"] if of == ResourceType::Observation => EntryReadKind::LastOfEach,
            [id] if !id.starts_with(['_', '$']) => EntryReadKind::Instance,
            [_, "_history"] => EntryReadKind::History,
            [_, "$everything"] if of == ResourceType::Patient => EntryReadKind::Everything,
            [_, member] if !member.starts_with(['_', '$']) => EntryReadKind::Compartment,
            [_, "_history", _] => EntryReadKind::Version,
            _ => return None,
        };
        let id = match what {
            EntryReadKind::Search | EntryReadKind::TypeHistory | EntryReadKind::LastOfEach => None,
            _ => rest.first().map(|id| (*id).to_owned()),
        };
        let url = format!("/fhir/{}", utf8_percent_encode(url, NOT_IN_URLS));
        let method = if entry.method == "HEAD" { Method::HEAD } else { Method::GET };
        let since = entry.if_modified_since.as_deref().and_then(Span::read);
        let if_modified_since = since.map(|since| Moment(since.low.div_euclid(1_000)));
        Some(Self { of, what, id, url, method, if_none_match: entry.if_none_match.clone(), if_modified_since })
    }
}

impl EntryRead {
    /// The resource that is read, where it is one.
    pub(crate) fn named(&self) -> Option<(ResourceType, &str)> {
        self.id.as_deref().map(|id| (self.of, id))
    }

    /// Whether what is read is the resource as it is now, and not its past.
    pub(crate) const fn is_of_now(&self) -> bool {
        !matches!(self.what, EntryReadKind::History | EntryReadKind::Version)
    }
}

impl Desk<'_> {
    /// Refuses a read of what is not there.
    pub(crate) async fn must_be_found(&self, reading: &EntryRead, named: (ResourceType, &str)) -> Result<(), ApiStop> {
        let (of, id) = named;
        let found = records::find(&self.app.store, &self.caller.reach, of, id, self.caller.now).await;
        match found.during("looking for what is read")? {
            Some(found) if reading.is_of_now() => Ok(versions::must_be_there(&found)?),
            Some(_) => Ok(()),
            None => Err(versions::absent(self.app, self.caller, named).await),
        }
    }

    /// Refuses a search that could not be answered, before anything else of its Bundle is done.
    pub(crate) async fn must_be_understood(&self, reading: &EntryRead) -> Result<(), ApiStop> {
        let query = reading.url.split_once('?').map(|(_, query)| query);
        if reading.what != EntryReadKind::Search {
            return Ok(());
        }
        let mut sent = endpoint::pairs(query.unwrap_or_default().as_bytes())?;
        sent.retain(|(name, _)| name != "_page");
        let own = own_parameters::named(self.app, self.caller, &[reading.of], &sent).await?;
        endpoint::read_with(self.app, reading.of, &sent, self.caller, &own.parameters)?;
        Ok(())
    }

    pub(crate) async fn read(&self, reading: &EntryRead) -> Result<Response, ApiStop> {
        let mut request = Request::builder().method(&reading.method).uri(&reading.url);
        if let Some(tag) = &reading.if_none_match {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        if let Some(since) = reading.if_modified_since {
            request = request.header(header::IF_MODIFIED_SINCE, http_date(since).to_string());
        }
        let unreadable = |_| Refusal::Invalid("request.url, or ifNoneMatch, cannot be read".into());
        let request = request.body(Body::empty()).map_err(unreadable)?;
        let call = Call::new(self.app.clone(), request, self.peer, reading.what.pattern(), self.served);
        let caller = FhirReader(self.caller.clone());
        let response = match reading.what {
            EntryReadKind::Search => endpoint::by_query(caller, call).await?,
            EntryReadKind::Instance => instance::read(caller, call).await?,
            EntryReadKind::History => instance::history(caller, call).await?,
            EntryReadKind::Version => instance::version(caller, call).await?,
            EntryReadKind::TypeHistory => type_history::of_type(caller, call).await?,
            EntryReadKind::Compartment => endpoint::in_compartment(caller, call).await?,
            EntryReadKind::Everything => everything::of_instance(caller, call).await?,
            EntryReadKind::LastOfEach => lastn::find(caller, call).await?,
        };
        Ok(match reading.method == Method::HEAD {
            true => response.map(|_| Body::empty()),
            false => response,
        })
    }
}
