//! A FHIR Consent that shares: read in full or refused, and made by the one write path.

use super::change::{self, WantedChange};
use super::grantee;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::consents::shown;
use crate::interactions::write::request::{WriteOutcome, WriteRequest, WriteTarget};
use crate::preparation;
use crate::sharing::form::label_bit;
use crate::voices::api::ApiStop;
use fhir::consent::{ConsentReading, DEFAULT_SYSTEMS, Sharing, Vocabulary, read};
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::change::{End, LabelChange, WantedConsent};
use rules::consent::denial::Denial;
use rules::labels::Labels;
use rules::moment::Moment;
use serde_json::Value;
use store::reach::consents;

const OF_ITS_OWN: &str = "a Consent that shares a record is changed by a request of its own, and by its id: POST Consent, or PUT Consent/{id}";
const NOT_PATCHED: &str = "a Consent that shares a record is changed by PUT, with all of it";
const NOT_DELETED: &str =
    "a Consent that shares a record is not deleted, because its history must stay; set its status to inactive";

/// What is to be done to a Consent, if it shares or shared; `None` where it is an item as any other.
pub(crate) async fn write(app: &App, caller: &Caller, request: &WriteRequest) -> Result<Option<WriteOutcome>, ApiStop> {
    let (text, id) = match request {
        WriteRequest::Create { text, unless: None } => (text, None),
        WriteRequest::Update { aim: WriteTarget::Id(id), text, .. } => (text, Some(id)),
        WriteRequest::Patch { aim: WriteTarget::Id(id), .. } if is_ours(app, id).await? => {
            return Err(Refusal::Unprocessable(NOT_PATCHED.into()).into());
        }
        WriteRequest::Delete { aim: WriteTarget::Id(id), .. } if is_ours(app, id).await? => {
            return Err(Refusal::NotAllowed(NOT_DELETED).into());
        }
        // By criteria: what shares is refused where it would be stored.
        WriteRequest::Create { .. }
        | WriteRequest::Update { .. }
        | WriteRequest::Patch { .. }
        | WriteRequest::Delete { .. } => return Ok(None),
    };
    let Some((sharing, sent)) = sharing(app, text)? else {
        return match id {
            Some(id) if is_ours(app, id).await? => Err(Refusal::Unprocessable(NO_LONGER_SHARES.into()).into()),
            _ => Ok(None),
        };
    };
    // What breaks FHIR's own rules is told before what the sharing comes to.
    preparation::validate_sent(text, ResourceType::Consent)?;
    let grantee = grantee::of_reference(app, &sharing.grantee).await?;
    if let Some(id) = id {
        must_be_of_pair(app, id, &sharing, grantee).await?;
    }
    let wanted = wanted(&sharing)?;
    let change = WantedChange { patient: sharing.patient, grantee, wanted, attesting: None, sent: Some(sent) };
    let outcome = change::change(app, caller, change).await?;
    Ok(Some(shown::written(app, caller, outcome).await?))
}

const NO_LONGER_SHARES: &str =
    "this Consent shares a record; its scope stays patient-privacy, and its status is active or inactive";

/// Refuses to write a Consent that shares, or one in the place of it, together with others or by criteria.
pub(crate) async fn must_not_share(app: &App, request: &WriteRequest, id: &str) -> Result<(), ApiStop> {
    let shares = match request.text() {
        Some(text) => sharing(app, text)?.is_some(),
        None => false,
    };
    match shares || is_ours(app, id).await? {
        true => Err(Refusal::Unprocessable(OF_ITS_OWN.into()).into()),
        false => Ok(()),
    }
}

/// Whether a Consent of this id is one that shares.
pub(crate) async fn is_ours(app: &App, id: &str) -> Result<bool, ApiStop> {
    let Ok(id) = id.parse() else { return Ok(false) };
    Ok(consents::find(&app.store, id).await.during("looking a consent up")?.is_some())
}

/// What a text shares; nothing where it is no Consent that does.
fn sharing(app: &App, text: &str) -> Result<Option<(Sharing, Value)>, ApiStop> {
    let Ok(sent) = serde_json::from_str::<Value>(text) else { return Ok(None) };
    let base = preparation::base(&app.settings.base_url);
    let vocabulary = Vocabulary { base: &base, systems: DEFAULT_SYSTEMS, label: &label_bit };
    match read(&sent, &vocabulary) {
        Ok(ConsentReading::Sharing(sharing)) => Ok(Some((sharing, sent))),
        Ok(ConsentReading::WithoutEffect) => Ok(None),
        Err(issues) => {
            preparation::validate_sent(text, ResourceType::Consent)?;
            let words = issues.iter().map(preparation::words).collect::<Vec<_>>().join("; ");
            Err(Refusal::Denied(Denial::ConsentNotUnderstood(words.into())).into())
        }
    }
}

/// A Consent keeps its patient and its grantee.
async fn must_be_of_pair(
    app: &App,
    id: &str,
    sharing: &Sharing,
    grantee: rules::consent::record::Grantee,
) -> Result<(), ApiStop> {
    let there = match id.parse() {
        Ok(id) => consents::find(&app.store, id).await.during("looking a consent up")?,
        Err(_) => None,
    };
    let Some(there) = there else { return Err(Refusal::Denied(Denial::NotFound).into()) };
    let number = store::patients::find(&app.store, &sharing.patient).await.during("looking a patient up")?;
    let is_same = number == Some(there.consent().patient) && there.consent().grantee == grantee;
    match is_same {
        true => Ok(()),
        false => Err(Refusal::Denied(Denial::NotFound).into()),
    }
}

fn wanted(sharing: &Sharing) -> Result<WantedConsent, Refusal> {
    let basis = match &sharing.basis {
        None => None,
        Some(form) => {
            let kind = BasisKind::named(&form.basis).ok_or_else(|| unknown("basis", &form.basis))?;
            let reason = match form.reason.as_deref() {
                Some(code) => Reason::named(code).ok_or_else(|| unknown("reason", code))?,
                None => kind.usual_reason(),
            };
            Some(Basis { kind, reason, text: form.text.clone() })
        }
    };
    Ok(WantedConsent {
        labels: Some(Labels(sharing.labels)),
        each: LabelChange::default(),
        discharged: sharing.is_inactive.then_some(true),
        locked: sharing.locked,
        manages: sharing.manages,
        basis,
        ends_at: sharing.ends_at.map(|end| End::At(Moment(end))),
        reason: sharing.basis.as_ref().and_then(|form| form.text.clone()),
    })
}

fn unknown(what: &str, code: &str) -> Refusal {
    Refusal::Unprocessable(format!("the code {} is no {what} of a consent", rules::params::shown(code)))
}
