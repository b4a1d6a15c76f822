//! Reads among the requests of a Bundle: what their URLs name, and the same answers that requests of their own would get. A Binary
//! is without its data, as in every Bundle.

use crate::app::Shared;
use crate::callers::caller::Caller;
use crate::fhir::history::{type_history, versions};
use crate::fhir::operations::{everything, lastn};
use crate::fhir::read::instance;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::endpoint;
use crate::fhir::write::acknowledgement::Preference;
use crate::interactions::absence;
use crate::interactions::search::context::SearchContext;
use crate::interactions::search::{own_parameters, query};
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::response::Response;
use fhir::exchange::RequestEntry;
use fhir::reference;
use fhir::types::ResourceType;
use fhir::values::span::Span;
use rules::answers::Refusal;
use rules::moment::Moment;

/// Where the requests of a Bundle are answered, and for whom.
#[derive(Debug)]
pub(crate) struct Desk<'d> {
    pub app: &'d Shared,
    pub caller: &'d Caller,
    pub preference: Preference,
}

/// A read of something.
#[derive(Debug)]
pub(crate) struct EntryRead {
    what: ReadSubject,
    query: Option<String>,
    is_head: bool,
    if_none_match: Option<String>,
    if_modified_since: Option<Moment>,
}

/// What is read.
#[derive(Debug)]
enum ReadSubject {
    Search(ResourceType),
    Instance(ResourceType, String),
    History(ResourceType, String),
    Version(ResourceType, String, String),
    TypeHistory(ResourceType),
    Compartment(ResourceType, String, String),
    Everything(String),
    LastOfEach,
}

impl EntryRead {
    /// What is read at a URL, by the parts behind its type; nothing where that is not done.
    pub(crate) fn of(of: ResourceType, rest: &[&str], query: Option<&str>, entry: &RequestEntry) -> Option<Self> {
        let what = match *rest {
            [] => ReadSubject::Search(of),
            ["_history"] => ReadSubject::TypeHistory(of),
            ["$lastn"] if of == ResourceType::Observation => ReadSubject::LastOfEach,
            [id] if !id.starts_with(['_', '$']) => ReadSubject::Instance(of, id.into()),
            [id, "_history"] => ReadSubject::History(of, id.into()),
            [id, "$everything"] if of == ResourceType::Patient => ReadSubject::Everything(id.into()),
            [id, member] if !member.starts_with(['_', '$']) => ReadSubject::Compartment(of, id.into(), member.into()),
            [id, "_history", version] => ReadSubject::Version(of, id.into(), version.into()),
            _ => return None,
        };
        let since = entry.if_modified_since.as_deref().and_then(Span::read);
        Some(Self {
            what,
            query: query.map(str::to_owned),
            is_head: entry.method == "HEAD",
            if_none_match: entry.if_none_match.clone(),
            if_modified_since: since.map(|since| Moment(since.low.div_euclid(1_000))),
        })
    }

    /// The resource that is read, where it is one.
    pub(crate) fn named(&self) -> Option<(ResourceType, &str)> {
        match &self.what {
            ReadSubject::Instance(of, id)
            | ReadSubject::History(of, id)
            | ReadSubject::Version(of, id, _)
            | ReadSubject::Compartment(of, id, _) => Some((*of, id)),
            ReadSubject::Everything(id) => Some((ResourceType::Patient, id)),
            ReadSubject::Search(_) | ReadSubject::TypeHistory(_) | ReadSubject::LastOfEach => None,
        }
    }

    /// Whether what is read is the resource as it is now, and not its past.
    pub(crate) const fn is_of_now(&self) -> bool {
        !matches!(self.what, ReadSubject::History(..) | ReadSubject::Version(..))
    }

    fn request(&self) -> ReadRequest<'_> {
        let (query, tag) = (self.query.as_deref(), self.if_none_match.as_deref());
        ReadRequest::of_entry(query, self.is_head, tag, self.if_modified_since)
    }
}

impl Desk<'_> {
    /// Refuses a search that could not be answered, before anything else of its Bundle is done.
    pub(crate) async fn must_be_understood(&self, read: &EntryRead) -> Result<(), ApiStop> {
        let ReadSubject::Search(of) = read.what else { return Ok(()) };
        let mut sent = query::pairs(read.query.as_deref().unwrap_or_default().as_bytes())?;
        sent.retain(|(name, _)| name != "_page");
        let own = own_parameters::named(self.app, self.caller, &[of], &sent).await?;
        query::read_with(self.app, of, &sent, self.caller, &own.parameters)?;
        Ok(())
    }

    pub(crate) async fn read(&self, read: &EntryRead) -> Result<Response, ApiStop> {
        let (app, caller, request) = (&**self.app, self.caller, read.request());
        let response = match &read.what {
            ReadSubject::Search(of) => endpoint::find(app, caller, &request, SearchContext::of_type(*of)).await?,
            ReadSubject::Instance(of, id) => instance::give(app, caller, &request, (*of, known(*of, id)?)).await?,
            ReadSubject::History(of, id) => versions::history(app, caller, &request, (*of, known(*of, id)?)).await?,
            ReadSubject::Version(of, id, version) => {
                let version = (known(*of, id)?, versions::number(*of, version)?);
                versions::give(app, caller, &request, *of, version).await?
            }
            ReadSubject::TypeHistory(of) => type_history::give(app, caller, &request, Some(*of)).await?,
            ReadSubject::Compartment(of, id, member) => {
                endpoint::find(app, caller, &request, SearchContext::of_compartment(*of, id, member)?).await?
            }
            ReadSubject::Everything(id) => {
                everything::of_entry(app, caller, &request, known(ResourceType::Patient, id)?).await?
            }
            ReadSubject::LastOfEach => lastn::give(app, caller, &request).await?,
        };
        Ok(match read.is_head {
            true => response.map(|_| Body::empty()),
            false => response,
        })
    }
}

/// An id that something can have.
fn known(of: ResourceType, id: &str) -> Result<&str, Refusal> {
    Some(id).filter(|id| reference::is_id(id)).ok_or_else(|| absence::not_there(of))
}
