//! All that is in a patient's record, page by page: the Patient, the compartment, and what that refers to, each once.

use super::absence;
use super::noted::Noted;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::moment::Moment;
use rules::smart::permissions::Permissions;
use std::sync::Arc;
use store::read as records;
use store::search::compartment::{self, CompartmentPart, Portion};
use store::stored::resource::Resource;

const TYPE: ResourceType = ResourceType::Patient;

/// What of a record is asked for.
#[derive(Debug)]
pub(crate) struct EverythingRequest {
    pub types: Vec<ResourceType>,
    pub since: Moment,
    /// When the care was, in microseconds: from and before.
    pub care: (i64, i64),
    pub count: i64,
    /// Where the page begins.
    pub begins: Option<(CompartmentPart, i64)>,
}

/// A page of a record, and where the next one begins.
#[derive(Debug)]
pub(crate) struct EverythingPage {
    pub record: Vec<Noted>,
    pub referred: Vec<Noted>,
    pub next: Option<(CompartmentPart, i64)>,
}

/// What is on a page, before it is noted.
#[derive(Default)]
struct Found {
    record: Vec<Arc<Resource>>,
    referred: Vec<Arc<Resource>>,
    next: Option<(CompartmentPart, i64)>,
}

/// A patient whose record the caller may see. What is shown of it is noted page by page.
#[derive(Debug)]
pub(crate) struct RecordSubject {
    patient: Arc<Resource>,
    number: PatientId,
}

pub(crate) async fn subject(app: &App, caller: &Caller, id: &str) -> Result<RecordSubject, ApiStop> {
    caller.must_be_granted(TYPE.name(), Permissions::READ)?;
    let found = records::find(&app.store, caller.reach(), TYPE, id, caller.now()).await.during("reading a Patient")?;
    let patient = absence::present((app, caller), (TYPE, id), found)?;
    absence::must_be_there(&patient)?;
    let number = patient.patient.ok_or_else(|| absence::not_there(TYPE))?;
    Ok(RecordSubject { patient, number })
}

pub(crate) async fn page(
    app: &App,
    caller: &Caller,
    RecordSubject { patient, number }: &RecordSubject,
    request: &EverythingRequest,
) -> Result<EverythingPage, ApiStop> {
    request.types.iter().try_for_each(|of| caller.must_be_granted(of.name(), Permissions::READ))?;
    let portion = Portion {
        patient: *number,
        types: request.types.clone(),
        since: request.since,
        care: request.care,
        before: i64::MAX,
        limit: request.count,
    };
    let found = find(app, caller, patient, portion, request.begins).await?;
    let record = Noted::all(app, caller, found.record);
    Ok(EverythingPage { record, referred: Noted::all(app, caller, found.referred), next: found.next })
}

/// The page that begins there: the Patient on the first, then the compartment to its end, then what that refers to.
async fn find(
    app: &App,
    caller: &Caller,
    patient: &Arc<Resource>,
    portion: Portion,
    begins: Option<(CompartmentPart, i64)>,
) -> Result<Found, ApiStop> {
    let mut finding = Found::default();
    let is_wanted = portion.types.is_empty() || portion.types.contains(&TYPE);
    if begins.is_none() && is_wanted && patient.updated_at >= portion.since {
        finding.record.push(patient.clone());
    }
    let (first, row) = begins.unwrap_or((CompartmentPart::Members, i64::MAX));
    let parts = match first {
        CompartmentPart::Members => {
            [Some((CompartmentPart::Members, row)), Some((CompartmentPart::Referred, i64::MAX))]
        }
        CompartmentPart::Referred => [Some((CompartmentPart::Referred, row)), None],
    };
    for (part, before) in parts.into_iter().flatten() {
        let room = portion.limit - i64::try_from(finding.record.len()).unwrap_or(i64::MAX);
        if room <= 0 {
            finding.next = Some((part, before));
            break;
        }
        // One more than there is room for tells whether there is a next page.
        let portion = Portion { before, limit: room + 1, ..portion.clone() };
        let read = compartment::read(&app.store, caller.reach(), part, &portion, caller.now()).await;
        let read = read.during("reading a compartment")?;
        let (mut entries, room) = (read.entries, usize::try_from(room).unwrap_or_default());
        let more = read.is_full || entries.len() > room;
        entries.truncate(room);
        finding.next = entries.last().filter(|_| more).map(|last| (part, last.row.0));
        match part {
            CompartmentPart::Members => finding.record.extend(entries),
            CompartmentPart::Referred => finding.referred.extend(entries),
        }
        if more {
            break;
        }
    }
    Ok(finding)
}
